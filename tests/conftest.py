"""What holds for every test."""

from __future__ import annotations

import signal

# Started in the background of a shell, we inherit that Ctrl-C is ignored, and so would the programs that tests end
# with it.
signal.signal(signal.SIGINT, signal.default_int_handler)
