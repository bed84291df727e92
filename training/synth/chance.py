"""Numbers by lot."""

from __future__ import annotations

import numpy as np


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A number between two bounds, as likely to be doubled as to be halved."""
    return float(np.exp(rng.uniform(float(np.log(low)), float(np.log(high)))))
