"""`tableside train`: make the networks again, from nothing but open icons, typefaces and the renderer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from training.confidence import Judgement

TRAINING = Path("runs")
"""Pictures, checkpoints and runs; git ignores it."""

F = TypeVar("F", bound=Callable[..., Any])


def _run_options(function: F) -> F:
    """The options that every network's training has."""
    for option in (
        click.option("--resume", is_flag=True, help="Go on from the last checkpoint."),
        click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31)),
        click.option(
            "--minutes",
            default=60.0,
            show_default=True,
            type=click.FloatRange(0.1),
            help="Wall time to train for.",
        ),
        click.option(
            "--export-only",
            is_flag=True,
            help="Write the ONNX file from the last checkpoint, without training.",
        ),
    ):
        function = option(function)
    return function


def _photographs(what: str) -> Callable[[F], F]:
    folder = click.Path(path_type=Path, exists=True, file_okay=False)
    return click.option("--photographs", multiple=True, type=folder, help=what)


def _start(what: str) -> Callable[[F], F]:
    return click.option("--start", type=click.Path(path_type=Path, exists=True, dir_okay=False), help=what)


def _share(name: str, what: str) -> Callable[[F], F]:
    """An option: in what share of scenes something is drawn; without it as often as the sampler draws it."""
    return click.option(f"--{name}", type=click.FloatRange(0, 1), help=f"How often {what}, 0 … 1.")


@click.group(name="train")
def command() -> None:
    """Train and export the networks (pip install -e '.[train]').

    The order is: pictures, detector, finder, verifier, matcher, numerals; then mine, the finder once more from its
    checkpoint, and doubt. Finder and verifier begin with what ImageNet taught, unless told to begin from a checkpoint.
    Everything is written below ./training, the finished networks to ./training/weights, beside the shipped ones where
    there is none yet; to ship them, copy them to models/weights. A GPU is used where PyTorch finds one.
    """
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_CONFIG_DIR", str((TRAINING / "ultralytics").resolve()))


@command.command("pictures")
@click.option("--scenes", default=6000, show_default=True, type=click.IntRange(100))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31))
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64))
@_share("heaps", "dice lie pushed together")
@_share("strangers", "balls, keys, pebbles or pyramids lie there, too")
@_share("camouflage", "the table has the first die's colour")
@_share("octahedra", "a die is one")
@_share("boards", "the table is a board of hexagonal lands in any case")
@_share("rolled", "the camera is rolled any way about its axis")
@_share("clear", "dice are clear, with faint edges and the ink of their far side showing through")
@click.option("--tilt", type=click.FloatRange(0, 58), help="Least tilt of the camera in degrees.")
def pictures(
    scenes: int,
    seed: int,
    workers: int,
    heaps: float | None,
    strangers: float | None,
    camouflage: float | None,
    octahedra: float | None,
    boards: float | None,
    rolled: float | None,
    clear: float | None,
    tilt: float | None,
) -> None:
    """Render the scenes that the detector and the finder learn from; goes on where it stopped.

    More scenes of another kind may follow those that are there: raise --scenes and say how often.
    """
    from training.pictures import BOUNDS, make
    from training.synth.wardrobe import Wardrobe

    bounds = replace(
        BOUNDS,
        heaps=BOUNDS.heaps if heaps is None else heaps,
        strangers=BOUNDS.strangers if strangers is None else strangers,
        camouflage=BOUNDS.camouflage if camouflage is None else camouflage,
        boards=BOUNDS.boards if boards is None else boards,
        rolled=BOUNDS.rolled if rolled is None else rolled,
        clear=BOUNDS.clear if clear is None else clear,
        tilt=BOUNDS.tilt if tilt is None else (tilt, BOUNDS.tilt[1]),
    )
    artist = Wardrobe if octahedra is None else partial(Wardrobe, cubes=1 - octahedra)
    make(TRAINING / "scenes", scenes, seed, workers, artist=artist, bounds=bounds)


@command.command("detector")
@_run_options
@_photographs("A folder of photographs to train on as well (YOLO boxes around whole dice).")
@_start("Begin from these weights.")
@click.option(
    "--mean", is_flag=True, help="Keep the mean of the weights it began from and those it ends with."
)
@click.option("--rate", default=0.003, show_default=True, help="Peak learning rate.")
@click.option("--each", default=6, show_default=True, help="Tiles cut from each photograph.")
@click.option("--twice-from", type=click.IntRange(0), help="Show scenes from this number on twice as often.")
@click.option(
    "--close", default=0, type=click.IntRange(0), help="Tiles of one die from very near, cut from the scenes."
)
@click.option("--run", "run_name", default="detector", show_default=True, help="Name of the run's folder.")
def detector(
    resume: bool, seed: int, minutes: float, export_only: bool, photographs: tuple[Path, ...],
    start: Path | None, mean: bool, rate: float, each: int,
    twice_from: int | None, close: int, run_name: str,
) -> None:  # fmt: skip
    """A small YOLO26 that boxes whole dice (Ultralytics)."""
    if mean and start is None:
        raise click.UsageError("--mean needs --start: the mean is of its weights and the new ones")
    _needs_pytorch()
    _font_for_ultralytics()
    from training.detector import export_detector, lean_copy, mean_of, train_detector

    folder = TRAINING / run_name
    last = folder / "run" / "weights" / "last.pt"
    if not export_only:
        last = train_detector(
            TRAINING / "scenes", folder, photographs=photographs, minutes=minutes, seed=seed, resume=resume,
            start=start, rate=rate, each=each, twice_from=twice_from, close=close,
        )  # fmt: skip
    if mean and start is not None:
        trained, last = last, last.with_name("mean.pt")
        mean_of(start, trained, last)
    _keep("detector.onnx", lambda target: export_detector(last, target))
    _keep("detector.pt", lambda target: lean_copy(last, target))


@command.command("tune")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--set", "set_id", default="pips", show_default=True, help="Whose dice the photographs show.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31), help="Of the split.")
@click.option(
    "--minutes", default=20.0, show_default=True, type=click.FloatRange(0.1), help="Wall time to train for."
)
@click.option("--forget", is_flag=True, help="Read with the shipped network again.")
def tune(folder: Path | None, set_id: str, seed: int, minutes: float, forget: bool) -> None:
    """Tune the detector on your own labelled photographs in FOLDER, and read with it from now on if it reads better.

    FOLDER holds images/, labels/ (YOLO boxes, one file a photograph) and faces.txt or classes.txt. A fifth of the
    photographs is kept out and read before and after. docs/tuning.md says how to label.
    """
    from training import tune as tuning
    from vision.dicesets.library import find
    from vision.network import tuned_weights

    if forget:
        there = tuning.forget()
        click.echo(
            "the shipped detector reads again" if there else "nothing was tuned; the shipped detector reads"
        )
        return
    if folder is None:
        raise click.UsageError("expected a FOLDER of labelled photographs, or --forget")
    dice_set = find(set_id)
    parts = tuning.split(folder, dice_set, seed)
    _needs_pytorch()
    _font_for_ultralytics()
    before, after = tuning.tune(
        folder, dice_set, parts, TRAINING / "tune", minutes=minutes, seed=seed, say=click.echo
    )
    if tuning.better(before, after):
        click.echo(
            f"kept in {tuned_weights()}: read, serve and all else use it; --forget takes it away again"
        )
    else:
        click.echo("not kept, as it does not read better; more photographs or minutes may help")


@command.command("mine")
@_photographs("A folder of photographs of cubes with YOLO boxes around whole dice.")
@click.option("--every", default=3, show_default=True, type=click.IntRange(1), help="Take each n-th scene.")
@click.option("--set", "set_id", default="pips", show_default=True, help="Whose dice the photographs show.")
def mine(photographs: tuple[Path, ...], every: int, set_id: str) -> None:
    """Collect what the present networks take for dice, for the finder to learn from."""
    from training.mining import mine_photographs, mine_scenes
    from vision.detect import Detector
    from vision.dicesets.library import find

    for folder in photographs:
        mined = mine_photographs(folder, find(set_id), weights=_weights())
        mined.write(TRAINING / "mined" / f"{folder.name}.npz")
        click.echo(f"{folder}: {len(mined.kinds)} crops")
    scenes = sorted((TRAINING / "scenes" / "images").glob("*.jpg"))[300::every]
    mined = mine_scenes(scenes, Detector(_weights()), most=5)
    mined.write(TRAINING / "mined" / "scenes.npz")
    click.echo(f"scenes: {len(mined.kinds)} crops")


@command.command("finder")
@_run_options
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--rate", default=0.0012, show_default=True, help="Peak learning rate.")
@_start("Begin from this checkpoint.")
def finder(
    resume: bool, seed: int, minutes: float, export_only: bool, threads: int, rate: float, start: Path | None
) -> None:
    """The network that outlines each die's top face; learns from mined crops where there are some."""
    _needs_pytorch()
    from training.finder import export_finder, train_finder
    from training.timed import lean_copy

    checkpoint = TRAINING / "finder" / "checkpoint.pt"
    if not export_only:
        train_finder(
            TRAINING / "scenes", checkpoint, minutes=minutes, seed=seed, threads=threads, resume=resume,
            rate=rate, start=start, mined=sorted((TRAINING / "mined").glob("*.npz")),
        )  # fmt: skip
    _keep("finder.onnx", lambda target: export_finder(checkpoint, target))
    _keep("finder.pt", lambda target: lean_copy(checkpoint, target))


@command.command("verifier")
@_run_options
@_photographs("A folder of photographs to train on as well (YOLO boxes around whole dice).")
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--rate", default=0.001, show_default=True, help="Peak learning rate.")
@click.option("--each", default=2, show_default=True, help="Tiles cut from each photograph.")
@click.option(
    "--strangers", default=1500, show_default=True, help="Scenes more, full of things that are no dice."
)
@_start("Begin from this checkpoint.")
def verifier(
    resume: bool, seed: int, minutes: float, export_only: bool, photographs: tuple[Path, ...], threads: int,
    rate: float, each: int, strangers: int, start: Path | None,
) -> None:  # fmt: skip
    """The network that refuses what only looks like a die; learns from what the detector boxes in the scenes."""
    _needs_pytorch()
    from training.timed import lean_copy
    from training.verifier import export_verifier, train_verifier
    from training.verifier_windows import Windows, gather

    checkpoint = TRAINING / "verifier" / "checkpoint.pt"
    if not export_only:
        files = gather(TRAINING / "scenes", TRAINING / "verifier", _weights(), photographs, each, strangers)
        train_verifier(
            Windows.join(files[1:]), Windows.join(files[:1]), checkpoint, minutes=minutes, seed=seed,
            threads=threads, rate=rate, resume=resume, start=start,
        )  # fmt: skip
    _keep("verifier.onnx", lambda target: export_verifier(checkpoint, target))
    _keep("verifier.pt", lambda target: lean_copy(checkpoint, target))


@command.command("matcher")
@_run_options
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(0, 64),
    help="Processes that draw pictures.",
)
@click.option("--rate", default=0.0015, show_default=True, help="Peak learning rate.")
@_start("Begin from these weights (matcher.pt).")
def matcher(
    resume: bool, seed: int, minutes: float, export_only: bool, threads: int, workers: int, rate: float,
    start: Path | None,
) -> None:  # fmt: skip
    """The network that tells symbols apart, also ones it never saw; its confidences are fitted at the end."""
    _needs_pytorch()
    from training.matcher.measure import main as measure
    from training.matcher.train import PRESETS, export_checkpoint, lean_copy, train_matcher

    runs = TRAINING / "matcher"
    target = _weights() / "matcher.onnx"
    if export_only:
        export_checkpoint(runs, target)
    else:
        preset = replace(PRESETS["first"], minutes=minutes, rate=rate)
        train_matcher(
            target, runs=runs, preset=preset, seed=seed, resume=resume, threads=threads, workers=workers,
            start=start,
        )  # fmt: skip
    _keep("matcher.onnx", lambda _: None)  # its checksum, before it is opened
    measure(["--weights", str(target), "--calibrate"])
    _keep("matcher.onnx", lambda _: None)
    _keep("matcher.pt", lambda target: lean_copy(runs, target))


@command.command("numerals")
@_run_options
@click.option("--threads", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option("--rate", default=0.002, show_default=True, help="Peak learning rate.")
@click.option("--parts", default=45, show_default=True, type=click.IntRange(1), help="Of 2,000 drawn faces.")
@_start("Begin from these weights (numerals.pt).")
def numerals(
    resume: bool, seed: int, minutes: float, export_only: bool, threads: int, rate: float, parts: int,
    start: Path | None,
) -> None:  # fmt: skip
    """The network that reads numerals in any typeface; it learns from faces that it draws first."""
    _needs_pytorch()
    from training.numerals import export_numerals, train_numerals
    from training.timed import lean_copy

    folder = TRAINING / "numerals"
    checkpoint = folder / "checkpoint.pt"
    if not export_only:
        train_numerals(
            folder / f"bank-{seed}", checkpoint, minutes=minutes, parts=parts, seed=seed, rate=rate,
            threads=threads, resume=resume, start=start,
        )  # fmt: skip
    _keep("numerals.onnx", lambda target: export_numerals(checkpoint, target))
    _keep("numerals.pt", lambda target: lean_copy(checkpoint, target))


@command.command("doubt")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER=SET…")
@click.option(
    "--strangers", multiple=True, metavar="FOLDER=SET", help="A folder full of things that are no dice."
)
def doubt(folders: tuple[str, ...], strangers: tuple[str, ...]) -> None:
    """When to ask: weigh everything seen of a die, on labelled folders that the figures are not made on."""
    from training.confidence import fit_doubt
    from vision.confidence import FILE, save

    fitted = fit_doubt([_judged(given) for given in folders], [_judged(given) for given in strangers])
    click.echo(f"left out below {fitted.least_die}, certain from {fitted.certain}")
    _keep(FILE, lambda target: save(fitted, target))


def _judged(given: str) -> list[Judgement]:
    """What is found in the labelled folder of FOLDER=SET, and what of it is right."""
    from training.confidence import collect
    from vision.dicesets.library import find

    folder, _, set_id = given.rpartition("=")
    if not folder:
        raise click.BadParameter(f"expected FOLDER=SET, got {given}")
    judged = collect(Path(folder), find(set_id), _weights())
    right = sum(one.is_right for one in judged)
    click.echo(f"{folder}: {len(judged)} found, {right} read right")
    return judged


def _weights() -> Path:
    """The networks trained here, and the shipped ones where none was; these themselves are never written to."""
    from vision.network import WEIGHTS

    made = TRAINING / "weights"
    made.mkdir(parents=True, exist_ok=True)
    for path in sorted(WEIGHTS.iterdir()):
        if path.suffix in (".onnx", ".json") and not (made / path.name).exists():
            shutil.copyfile(path, made / path.name)
    return made


def _keep(name: str, write: Callable[[Path], None]) -> None:
    """Write a network and its line in SHA256SUMS."""
    from vision.network import checksum

    target = _weights() / name
    write(target)
    sums = _weights() / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.exists() else []
    kept = [line for line in lines if line.split()[-1] != name]
    sums.write_text(
        "\n".join(sorted([*kept, f"{checksum(target)}  {name}"], key=lambda line: line.split()[-1])) + "\n"
    )
    click.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")


def _needs_pytorch() -> None:
    """Refuse in one line where the train extra is not installed."""
    if find_spec("torch") is None or find_spec("ultralytics") is None:
        raise click.ClickException(
            "expected PyTorch and Ultralytics, found none: pip install -c constraints.txt -e '.[train]'"
        )


def _font_for_ultralytics() -> None:
    """Ultralytics fetches a font at its first start unless one of this name is there; any will do."""
    target = Path(os.environ["YOLO_CONFIG_DIR"]) / "Arial.ttf"
    if target.exists():
        return
    fonts: Any = import_module("matplotlib.font_manager")  # comes with Ultralytics
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(fonts.findfont("DejaVu Sans"), target)
