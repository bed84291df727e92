"""Write models/SHA256SUMS, the checksums of all files in `models` that players install (`make checksums`).

Checkpoints (.pt) are not installed: they are listed with the networks in models/weights/SHA256SUMS, written first.
"""

from __future__ import annotations

from pathlib import Path

from files.checksums import SUMS, checksum, listing

MODELS = Path(__file__).resolve().parents[1] / "models"


def shipped(models: Path = MODELS) -> list[str]:
    """The names of all files in the list."""
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
