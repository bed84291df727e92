"""`tableside train`: make the networks again, from nothing but open icons, typefaces and the renderer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from training.confidence import Judgement
    from training.timed import Run

Training = tuple[Callable[[], None], Callable[[Path, Path], None]]
"""What trains, and what exports a checkpoint."""
TRAINING = Path("runs")
"""Pictures, checkpoints and runs; git ignores it."""
FACES = "faces"
"""Folder of photographed faces there."""
PIPS = "pips"
"""The set whose photographed faces the matcher learns from."""

F = TypeVar("F", bound=Callable[..., Any])

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


def _seed(what: str | None = None) -> Callable[[F], F]:
    return click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**31), help=what)


def _minutes(default: float) -> Callable[[F], F]:
    kind = click.FloatRange(0.1)
    return click.option("--minutes", default=default, show_default=True, type=kind, help="Wall time to train for.")


def _run_options(rate: float) -> Callable[[F], F]:
    """The options that every network's training has; `rate` is its peak learning rate unless told otherwise."""
    options = (
        click.option("--resume", is_flag=True, help="Go on from the last checkpoint."),
        _seed(),
        _minutes(60.0),
        click.option("--export-only", is_flag=True, help="Export the last checkpoint, without training."),
        click.option("--rate", default=rate, show_default=True, help="Peak learning rate."),
        click.option("--start", type=_FILE, help="Begin from these weights (a .pt file)."),
        click.option("--mean", is_flag=True, help="Keep the mean of the weights it began from and those it ends with."),
    )
    return lambda function: reduce(lambda dressed, option: option(dressed), options, function)


def _check_mean(start: Path | None, *, mean: bool) -> None:
    """UsageError if the mean is asked for of weights that there are not."""
    if mean and start is None:
        raise click.UsageError("--mean needs --start: the mean is of its weights and the new ones")


def _network(
    name: str, rate: float, threads: int = 2, workers: int = 0
) -> Callable[[Callable[..., Training]], click.Command]:
    """A command that trains and exports a network.

    It gets a `training.timed.Run` and its own options, and returns what trains and what exports.
    """

    def decorate(prepare: Callable[..., Training]) -> click.Command:
        def given(
            export_only: bool, resume: bool, seed: int, minutes: float, threads: int, rate: float,
            start: Path | None, mean: bool, workers: int, **own: Any,
        ) -> None:  # fmt: skip
            _check_mean(start, mean=mean)
            _needs_pytorch()
            from training.timed import Run, lean_copy, mean_of

            run = Run(TRAINING / name / "checkpoint.pt", minutes, rate, seed, threads, resume, start, workers)
            train, export = prepare(run, **own)
            if not export_only:
                train()
            last = run.checkpoint
            if mean and start is not None:
                last = last.with_name("mean.pt")
                mean_of(start, run.checkpoint, last)
            _keep(f"{name}.onnx", lambda target: export(last, target))
            _keep(f"{name}.pt", lambda target: lean_copy(last, target))

        given.__doc__ = prepare.__doc__
        given.__click_params__ = getattr(prepare, "__click_params__", [])  # type: ignore[attr-defined]
        for option, value, least, what in (
            ("--threads", threads, 1, "Threads to compute with."),
            ("--workers", workers, 0, "Processes that draw what is learnt from."),
        ):
            kind = click.IntRange(least, 64)
            given = click.option(option, default=value, show_default=True, type=kind, help=what)(given)
        return command.command(name)(_run_options(rate)(given))

    return decorate


_photographs = click.option(
    "--photographs", multiple=True, type=_FOLDER, help="A folder of labelled photographs as well (YOLO boxes)."
)


def _share(name: str, what: str, of: str = "") -> Callable[[F], F]:
    """An option: in what share of scenes something is drawn; without it as often as the sampler draws it."""
    return click.option(f"--{name}", of or name, type=click.FloatRange(0, 1), help=f"How often {what}, 0 … 1.")


@click.group(name="train")
def command() -> None:
    """Train and export the networks (pip install -e '.[train]').

    The order is: pictures, detector, finder, verifier, matcher, comparer, numerals; then mine, the finder once more
    from its checkpoint, and confidence. Finder and verifier begin with ImageNet's weights, unless told otherwise.
    Everything is written below ./runs, the finished networks to ./runs/weights, beside the shipped ones if there is
    none yet; to ship them, copy them to models/weights. A GPU is used where PyTorch finds one.
    """
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_CONFIG_DIR", str((TRAINING / "ultralytics").resolve()))


@command.command("pictures")
@click.option("--scenes", default=6000, show_default=True, type=click.IntRange(100))
@_seed()
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64))
@_share("heaps", "dice lie pushed together")
@_share("rows", "cubes that are alike lie in rows")
@_share("strangers", "balls, keys, pebbles or dice of other kinds lie there, too", "distractors")
@_share("others", "these are dice of other kinds")
@_share("camouflage", "the table has the first die's colour")
@_share("octahedra", "a die is one")
@_share("boards", "the table is a board of hexagonal lands in any case")
@_share("rolled", "the camera is rolled any way about its axis")
@_share("clear", "dice are clear, with faint edges and the ink of their far side showing through")
@_share("letters", "a die has letters")
@click.option("--tilt", type=click.FloatRange(0, 58), help="Least tilt of the camera in degrees.")
@click.option("--most-tilt", type=click.FloatRange(0, 58), help="Most tilt of the camera in degrees.")
def pictures(
    scenes: int, seed: int, workers: int, octahedra: float | None, letters: float | None, tilt: float | None,
    most_tilt: float | None, **shares: float | None,
) -> None:  # fmt: skip
    """Render the scenes that the detector and the finder learn from; goes on where it stopped.

    More scenes of another kind may follow those that are there: raise --scenes and say how often.
    """
    from training.pictures import BOUNDS, make
    from training.synth.dressers import Wardrobe

    given: dict[str, Any] = {name: share for name, share in shares.items() if share is not None}
    asked = zip((tilt, most_tilt), BOUNDS.tilt, strict=True)
    least, most = given["tilt"] = tuple(usual if said is None else said for said, usual in asked)
    if least > most:
        raise click.UsageError(f"expected a most tilt of {least:g} degrees or more, found {most:g}")
    wanted: dict[str, float] = {} if octahedra is None else {"cubes": 1 - octahedra}
    if letters is not None:
        wanted["letters"] = letters
    artist = partial(Wardrobe, **wanted)
    make(TRAINING / "scenes", scenes, seed, workers, artist=artist, bounds=replace(BOUNDS, **given))


@command.command("detector")
@_run_options(0.003)
@_photographs
@click.option("--each", default=6, show_default=True, help="Tiles cut from each photograph.")
@click.option("--close", default=0, type=click.IntRange(0), help="Tiles of one die from very near.")
def detector(export_only: bool, start: Path | None, mean: bool, **given: Any) -> None:
    """A small YOLO26 that boxes whole dice (Ultralytics)."""
    _check_mean(start, mean=mean)
    _needs_pytorch()
    _font_for_ultralytics()
    from training.detector import export_detector, lean_copy, mean_of, train_detector

    last = TRAINING / "detector" / "run" / "weights" / "last.pt"
    if not export_only:
        last = train_detector(TRAINING / "scenes", TRAINING / "detector", start=start, **given)
    if mean and start is not None:
        trained, last = last, last.with_name("mean.pt")
        mean_of(start, trained, last)
    _keep("detector.onnx", lambda target: export_detector(last, target))
    _keep("detector.pt", lambda target: lean_copy(last, target))


@command.command("tune")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--set", "set_id", default="pips", show_default=True, help="Whose dice the photographs show.")
@_seed("Of the split.")
@_minutes(20.0)
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
        there = "the shipped detector reads again", "nothing was tuned; the shipped detector reads"
        click.echo(there[not tuning.forget()])
        return
    if folder is None:
        raise click.UsageError("expected a FOLDER of labelled photographs, or --forget")
    dice_set = find(set_id)
    parts = tuning.split(folder, dice_set, seed)
    _needs_pytorch()
    _font_for_ultralytics()
    run = TRAINING / "tune"
    before, after = tuning.tune(folder, dice_set, parts, run, minutes=minutes, seed=seed, say=click.echo)
    if tuning.better(before, after):
        click.echo(f"kept in {tuned_weights()}: read, serve and all else use it; --forget takes it away again")
    else:
        click.echo("not kept, as it does not read better; more photographs or minutes may help")


@command.command("mine")
@_photographs
@click.option("--every", default=3, show_default=True, type=click.IntRange(1), help="Take each n-th scene.")
@click.option("--set", "set_id", default="pips", show_default=True, help="Whose dice the photographs show.")
def mine(photographs: tuple[Path, ...], every: int, set_id: str) -> None:
    """Collect what the present networks take for dice, for the finder, and photographed pips, for the matcher."""
    from training.crops import Crops, mine_photographs, mine_scenes
    from training.matcher.photographs import faces_in
    from vision.detect.detector import Detector
    from vision.dicesets.library import find

    for folder in photographs:
        mined = Crops.of(mine_photographs(folder, find(set_id), weights=_weights()))
        mined.write(TRAINING / "mined" / f"{folder.name}.npz")
        click.echo(f"{folder}: {len(mined)} crops")
        if set_id == PIPS:
            faces = faces_in(folder, find(set_id), _weights())
            faces.write(TRAINING / FACES / f"{folder.name}.npz")
            click.echo(f"{folder}: {len(faces)} faces")
    scenes = sorted((TRAINING / "scenes" / "images").glob("*.jpg"))[300::every]
    mined = Crops.of(mine_scenes(scenes, Detector(_weights()), most=5))
    mined.write(TRAINING / "mined" / "scenes.npz")
    click.echo(f"scenes: {len(mined)} crops")


@_network("finder", 0.0012)
@click.option("--batch", default=64, show_default=True, type=click.IntRange(8), help="Crops in a step.")
@click.option("--teacher", type=_FOLDER, help="A folder whose finder.onnx is learnt from, too.")
def finder(run: Run, batch: int, teacher: Path | None) -> Training:
    """The network that outlines each die's top face; learns from mined crops where there are some."""
    from training.finder import export_finder, train_finder
    from vision.network import open_network

    mined = sorted((TRAINING / "mined").glob("*.npz"))
    elder = open_network("finder", teacher) if teacher is not None else None
    return partial(train_finder, TRAINING / "scenes", run, mined, batch, elder), export_finder


@_network("verifier", 0.001)
@_photographs
@click.option("--each", default=2, show_default=True, help="Tiles cut from each photograph.")
@click.option("--strangers", default=1500, show_default=True, help="Scenes more, full of things that are no dice.")
def verifier(run: Run, photographs: tuple[Path, ...], each: int, strangers: int) -> Training:
    """The network that refuses what only looks like a die; learns from what the detector boxes in the scenes."""
    from training.verifier import export_verifier, train_verifier
    from training.windows import Windows, gather

    def train() -> None:
        files = gather(TRAINING / "scenes", TRAINING / "verifier", _weights(), photographs, each, strangers)
        train_verifier(Windows.join(files[1:]), Windows.join(files[:1]), run)

    return train, export_verifier


@_network("matcher", 0.0015, workers=1)
@click.option("--together", default=1, show_default=True, type=click.IntRange(1), help="Blocks of 32 symbols a step.")
def matcher(run: Run, together: int) -> Training:
    """The network that tells symbols apart, also ones it never saw; its confidences are fitted at the end.

    It learns from photographed pips (`train mine`) where there are some.
    """
    from training.matcher.measure import fit_confidences, measure
    from training.matcher.photographs import Photographed
    from training.matcher.train import export_matcher, train_matcher

    def export(checkpoint: Path, target: Path) -> None:
        export_matcher(checkpoint, target)
        _note(target)  # its checksum, before it is opened
        fit_confidences(target)
        _note(target)
        measure(target)

    photographed = sorted((TRAINING / FACES).glob("*.npz"))
    faces = Photographed.join(photographed) if photographed else None
    return lambda: train_matcher(run, faces, together=together), export


@_network("numerals", 0.002)
@click.option("--parts", default=45, show_default=True, type=click.IntRange(1), help="Of 2,000 drawn faces.")
def numerals(run: Run, parts: int) -> Training:
    """The network that reads numerals in any typeface; it learns from faces that it draws first."""
    from training.numerals import export_numerals, train_numerals

    bank = TRAINING / "numerals" / f"bank-{run.seed}"
    return lambda: train_numerals(bank, run, parts), export_numerals


@_network("comparer", 0.001)
@click.option("--parts", default=400, show_default=True, type=click.IntRange(2), help="Of some 60 symbols; 9 MB each.")
@click.option("--matcher", type=_FILE, help="The weights whose features are compared; the shipped ones if not given.")
def comparer(run: Run, parts: int, matcher: Path | None) -> Training:
    """The network that tells an enrolled die from one of another set; it learns from faces that it draws first."""
    from training.comparer import export_comparer, train_comparer
    from vision.network import WEIGHTS
    from vision.remembered import digest_of

    matcher = matcher or WEIGHTS / "matcher.pt"
    bank = TRAINING / "comparer" / f"bank-{run.seed}-{digest_of([matcher.read_bytes()])[:8]}"
    return lambda: train_comparer(bank, matcher, run, parts), export_comparer


@command.command("confidence")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER=SET…")
@click.option("--strangers", "distractors", multiple=True, metavar="FOLDER=SET", help="Full of what is no die.")
@click.option(
    "--enrolled", type=click.Path(path_type=Path, exists=True), metavar="DIR", help="Sets to enrol (`bench enroll`)."
)
def confidence(folders: tuple[str, ...], distractors: tuple[str, ...], enrolled: Path | None) -> None:
    """When to ask: weigh everything seen of a die, on labelled folders that the figures are not made on."""
    from training.confidence import collect_enrolled, fit_confidence
    from vision.confidence import FILE, save

    own = collect_enrolled(enrolled, _weights()) if enrolled else ()
    fitted = fit_confidence([*map(_judged, folders), *own], [*map(_judged, distractors)])
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
    target = _weights() / name
    write(target)
    _note(target)
    click.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")


def _note(target: Path) -> None:
    """Write a network's line in SHA256SUMS."""
    from files.checksums import SUMS, checksum, listed, listing

    sums = target.with_name(SUMS)
    sums.write_text(listing({**listed(sums), target.name: checksum(target)}), encoding="utf-8")


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
