"""Write constraints.txt from a real resolution of every extra (`make constraints`).

Reads the report of `pip install --dry-run --report` from standard input. Packages that only one platform needs (the
CUDA libraries that torch pins itself) are left out; packages that only other platforms need are added, so that one file
serves Linux, macOS and Windows.
"""

from __future__ import annotations

import json
import sys

PINNED_BY_TORCH = ("nvidia-", "cuda-", "triton")
"""Torch's metadata pins these exactly, and they only exist for Linux."""

ELSEWHERE = {"colorama": "0.4.6", "cv2-enumerate-cameras": "1.4.0"}
"""Needed on Windows (by click, pytest) and for the names of webcams there and on macOS; never resolved on Linux."""


INTEL_MAC = {"cryptography": "48.0.1", "onnxruntime": "1.23.2"}
"""The last versions with wheels for macOS on Intel processors."""
ON_INTEL_MAC = "sys_platform == 'darwin' and platform_machine == 'x86_64'"
ELSEWHERE_THAN_INTEL_MAC = "sys_platform != 'darwin' or platform_machine != 'x86_64'"


def pins(report: str) -> list[str]:
    """The `name==version` lines of a pip report, sorted, without Tableside itself; two for what Intel Macs lack."""
    versions = dict(ELSEWHERE)
    for entry in json.loads(report)["install"]:
        name = str(entry["metadata"]["name"]).lower().replace("_", "-")
        if name != "tableside" and not name.startswith(PINNED_BY_TORCH):
            versions[name] = str(entry["metadata"]["version"]).split("+")[0]
    lines: list[str] = []
    for name, version in sorted(versions.items()):
        if name in INTEL_MAC:
            lines.append(f"{name}=={INTEL_MAC[name]}; {ON_INTEL_MAC}")
            lines.append(f"{name}=={version}; {ELSEWHERE_THAN_INTEL_MAC}")
        else:
            lines.append(f"{name}=={version}")
    return lines


if __name__ == "__main__":
    print("# Every version Tableside is built and tested with; `make constraints` writes this file anew.")
    print("\n".join(pins(sys.stdin.read())))
