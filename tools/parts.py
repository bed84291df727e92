"""The software bill of materials of a release as CycloneDX JSON, on standard output (`make dist`).

uv resolves the packages that players install, with the versions of constraints.txt, and writes the list with every
file's hash. This module adds the licences, taken from the packages installed here, and the networks.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final

import tomli_w

from files.checksums import SUMS, listed

ROOT: Final = Path(__file__).resolve().parents[1]


def resolved(root: Path = ROOT) -> dict[str, Any]:
    """The dependencies as uv lists them. Raises CalledProcessError if they cannot be resolved."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    pins = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    project["tool"] = {"uv": {"constraint-dependencies": [pin for pin in pins if not pin.startswith("#")]}}
    # Players install no extras, and extras need not support every Python version that we name.
    for key in ("readme", "license-files", "optional-dependencies"):
        del project["project"][key]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pyproject.toml").write_text(tomli_w.dumps(project), encoding="utf-8")
        uv = [Path(sys.executable).with_name("uv"), "--quiet", "--system-certs", "--project", folder]
        subprocess.run([*uv, "lock"], check=True, stdout=sys.stderr)
        # The other dependencies that uv lists belong to extras, which players do not install.
        export = [*uv, "export", "--frozen", "--no-dev", "--preview", "--format", "cyclonedx1.5"]
        said = subprocess.run(export, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(said)


def licences(name: str) -> list[dict[str, Any]]:
    """A package's licence in CycloneDX form, if the package is installed here and declares one."""
    try:
        told = importlib.metadata.metadata(name).json
    except importlib.metadata.PackageNotFoundError:
        return []
    if expression := told.get("license_expression"):
        return [{"expression": expression}]
    osi = "License :: OSI Approved :: "
    names = [one.removeprefix(osi) for one in told.get("classifier", ()) if one.startswith(osi)]
    said = str(told.get("license", "")).strip()
    return [{"license": {"name": one}} for one in names or ([said] if said and "\n" not in said else [])]


def networks(models: Path) -> list[dict[str, Any]]:
    """The networks and the confidence model, each with its checksum."""
    return [
        {
            "type": "machine-learning-model",
            "bom-ref": f"models/{name}",
            "name": Path(name).stem,
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        for name, digest in listed(models / SUMS).items()
        if Path(name).suffix == ".onnx" or name == "weights/confidence.json"
    ]


def parts(root: Path = ROOT) -> dict[str, Any]:
    """The whole list."""
    found = resolved(root)
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found["metadata"]["component"] |= {
        "type": "application",
        "description": project["description"],
        "licenses": [{"expression": project["license"]}],
    }
    for component in found["components"]:
        if said := licences(component["name"]):
            component["licenses"] = said
    found["components"] += networks(root / "models")
    return found


if __name__ == "__main__":
    json.dump(parts(), sys.stdout, indent=2)
