"""Write models/SHA256SUMS, the list of everything in `models` that a player installs (`make checksums`).

Checkpoints (.pt) are not installed: models/weights/SHA256SUMS, which is written first, lists them beside the networks.
"""

from __future__ import annotations

from pathlib import Path

from files.checksums import SUMS, checksum, listing

MODELS = Path(__file__).resolve().parents[1] / "models"


def shipped(models: Path = MODELS) -> list[str]:
    """The names of every file that belongs in the list."""
    return sorted(
        path.relative_to(models).as_posix()
        for path in models.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".pt") and path != models / SUMS
    )


if __name__ == "__main__":
    weights = MODELS / "weights"
    networks = [path for path in weights.iterdir() if path.suffix in (".onnx", ".pt", ".json")]
    (weights / SUMS).write_text(listing({path.name: checksum(path) for path in networks}), encoding="utf-8")
    (MODELS / SUMS).write_text(listing({name: checksum(MODELS / name) for name in shipped()}), encoding="utf-8")
