"""How far readings are believed: fitted where it should be, and refused where the file is not ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training.confidence import AGAINST, EITHER, SILENT, Judgement, fit_confidence, judgements, most_share
from training.evaluate.run import JudgedDie, PictureVerdict, TrueDie
from vision.confidence import FEATURES, FILE, ConfidenceModel, features_of, load, save
from vision.detection import Detection
from vision.dicesets.shapes import Shape
from vision.network import WeightsError
from vision.reading import Alternative, DieReading


def _judgements(count: int, seed: int, slope: float = 2.0) -> list[Judgement]:
    """Dice whose face is right as a logistic of one sign says, and which are dice as another says."""
    rng = np.random.default_rng(seed)
    made: list[Judgement] = []
    for _ in range(count):
        features = (1.0, *(float(value) for value in rng.normal(0, 1, len(FEATURES) - 1)))
        is_right = bool(rng.random() < 1 / (1 + np.exp(-2 - slope * features[1])))
        is_die = is_right or bool(rng.random() < 1 / (1 + np.exp(-1 - slope * features[5])))
        made.append(Judgement(features, is_die, is_right))
    return made


@pytest.mark.slow
def test_fitted_confidences_are_how_often_it_is_right() -> None:
    fitted = fit_confidence([_judgements(12000, 0), _judgements(12000, 1)])
    fresh = _judgements(30000, 2)
    believed = np.array([fitted.is_right(one.features) for one in fresh])
    right = np.array([one.is_right for one in fresh])
    for low in (0.1, 0.3, 0.5, 0.7, 0.9):
        inside = (believed >= low - 0.1) & (believed < low + 0.1)
        assert right[inside].mean() == pytest.approx(believed[inside].mean(), abs=0.05)


def test_the_threshold_keeps_silent_misreads_rare_and_true_dice_in() -> None:
    fitted = fit_confidence([_judgements(4000, 0, slope=4.0)])
    fresh = [one for one in _judgements(6000, 3, slope=4.0) if fitted.is_die(one.features) >= fitted.least_die]
    silent = [one for one in fresh if fitted.is_right(one.features) >= fitted.certain and not one.is_right]
    assert len(silent) / len(fresh) < 2 * SILENT
    left_out = [one for one in _judgements(6000, 3, slope=4.0) if fitted.is_die(one.features) < fitted.least_die]
    assert sum(one.is_die for one in left_out) < 0.5 * len(left_out), "mostly no dice"
    assert sum(one.is_die for one in fresh) > 0.7 * len(fresh), "mostly dice"
    assert any(fitted.is_right(one.features) >= fitted.certain for one in fresh), "it is not always asking"


@pytest.mark.parametrize(("count", "of", "most"), [(0, 1000, 0.00299), (2, 1000, 0.00628), (3, 10, 0.60662)])
def test_the_interval_is_clopper_and_pearsons(count: int, of: int, most: float) -> None:
    assert most_share(count, of) == pytest.approx(most, abs=1e-5)


def test_a_threshold_that_no_reading_keeps_to_asks_about_all() -> None:
    few = fit_confidence([_judgements(300, 0)])
    assert few.certain == 1.0, "300 dice do not show that fewer than three in a thousand are wrong"


def test_models_are_kept_and_found_again(tmp_path: Path) -> None:
    model = ConfidenceModel(tuple(range(len(FEATURES))), tuple(range(len(FEATURES))), 0.25, 0.75)
    save(model, tmp_path / FILE)
    assert load(tmp_path) == model


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"features": ["one"], "die": [1], "right": [1], "least_die": 0, "certain": 1}',
        '{"features": ' + str(list(FEATURES)).replace("'", '"') + ', "die": [1], "right": [1], "least_die": 0, '
        '"certain": 1}',
    ],
)
def test_a_file_that_is_not_ours_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(WeightsError, match="needs one weight for each of") as refused:
        load(tmp_path)
    assert "\n" not in str(refused.value)


def test_a_missing_or_changed_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=FILE):
        load(tmp_path)
    save(ConfidenceModel((0.0,) * len(FEATURES), (0.0,) * len(FEATURES), 0.0, 1.0), tmp_path / FILE)
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  {FILE}\n")
    with pytest.raises(WeightsError, match="checksum"):
        load(tmp_path)


def test_features_are_bounded_whatever_was_seen() -> None:
    corners = np.array([[0, 0], [4000, 0], [4000, 4000], [0, 4000]], np.float32)
    detection = Detection(Shape.CUBE, corners, 1.0, (0, 0, 1, 1), strangeness=9.0, overlap=0.0, odd_size=9.0)
    alone = DieReading(Shape.CUBE, "1", True, 1.0, (Alternative("1", 1.0),), ((0.0, 0.0),) * 4, (0, 0, 1, 1), 1.0)
    features = features_of(detection, alone)
    assert len(features) == len(FEATURES)
    assert max(abs(feature) for feature in features) < 6


@pytest.mark.parametrize(("similarity", "enrolled"), [(0.97, True), (0.9, True), (0.97, False)])
def test_what_looks_just_like_an_enrolled_die_is_one_whatever_it_lies_on(similarity: float, enrolled: bool) -> None:
    corners = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    box = (0.0, 0.0, 40.0, 48.0)
    doubted = Detection(Shape.CUBE, corners, 0.6, box, boxed=0.6, die=0.4, verified=0.1, overlap=0.9)
    read = DieReading(
        Shape.CUBE, "1", True, 0.999, (Alternative("1", 0.999),), ((0.0, 0.0),) * 4, box, similarity
    )  # fmt: skip
    model, features = load(), features_of(doubted, read, enrolled=enrolled)
    certain = model.is_die(features) >= model.least_die and model.is_right(features) >= model.certain
    assert certain is (enrolled and similarity > 0.95)


def test_nothing_is_likelier_read_right_than_a_die() -> None:
    doubtful, plain = (ConfidenceModel((odds,), (2.0,), 0.5, 0.9) for odds in (1.0, 3.0))
    assert doubtful.is_right((1.0,)) == doubtful.is_die((1.0,)) < plain.is_right((1.0,)) < plain.is_die((1.0,))


def test_a_feature_that_goes_against_its_sense_is_left_out() -> None:
    face, strangeness = FEATURES.index("face"), FEATURES.index("strangeness")
    misled: list[Judgement] = []
    for one in _judgements(4000, 0):
        features = list(one.features)
        features[FEATURES.index("similarity")] -= one.is_right  # as if what is alike were wrong
        features[strangeness] += one.is_right
        misled.append(Judgement(tuple(features), one.is_die, one.is_right))
    fitted = fit_confidence([misled])
    assert fitted.right[FEATURES.index("similarity")] == fitted.right[strangeness] == 0
    assert fitted.right[face] > 1


def test_the_shipped_models_keep_every_sense() -> None:
    shipped = load()
    for weights in (shipped.die, shipped.right):
        for name, weight in zip(FEATURES, weights, strict=True):
            assert name in EITHER or (weight <= 0 if name in AGAINST else weight >= 0), name


@pytest.mark.parametrize("larger", [1.1, 2.0])
def test_a_die_of_another_size_than_the_others_is_asked_about_and_not_left_out(larger: float) -> None:
    box, corners = (0.0, 0.0, 40.0, 48.0), np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    plain = Detection(Shape.CUBE, corners, 0.9, box, boxed=0.8, overlap=0.92, odd_size=float(np.log(larger)))
    read = DieReading(
        Shape.CUBE, "1", True, 0.999, (Alternative("1", 0.999),), ((0.0, 0.0),) * 4, box, 0.9
    )  # fmt: skip
    model, features = load(), features_of(plain, read)
    assert model.is_die(features) >= model.least_die
    assert (model.is_right(features) >= model.certain) is (larger < 1.2)


@pytest.mark.parametrize(
    ("written", "enrolled", "counts"), [(0.9, False, False), (0.9, True, True), (None, False, True)]
)
def test_a_drawing_says_nothing_of_a_face_whose_numeral_was_read(
    written: float | None, enrolled: bool, counts: bool
) -> None:
    box, corners = (0.0, 0.0, 60.0, 60.0), np.array([[30, 0], [60, 50], [0, 50]], np.float32)
    die = Detection(Shape.OCTAHEDRON, corners, 0.8, box)
    like, unlike = (
        DieReading(
            Shape.OCTAHEDRON, "6", True, 0.9, (Alternative("6", 0.9),), ((0.0, 0.0),) * 3, box, cosine, written
        )
        for cosine in (0.9, 0.4)
    )  # fmt: skip
    assert (features_of(die, like, enrolled=enrolled) != features_of(die, unlike, enrolled=enrolled)) is counts


def test_a_die_that_is_asked_about_in_any_case_teaches_nothing_about_asking() -> None:
    plain = _judgements(4000, 0, slope=4.0)
    asked = [Judgement(one.features, True, False, distinct=False) for one in _judgements(400, 5)]
    assert fit_confidence([[*plain, *asked]]).right == fit_confidence([plain]).right


def test_a_picture_teaches_which_dice_are_asked_about_in_any_case() -> None:
    read = DieReading(Shape.CUBE, "1", True, 0.9, (), ((0.0, 0.0),) * 4, (0, 0, 40, 40), features=(1.0,))
    label = TrueDie("1", (20.0, 20.0), 40.0, None)
    odd, missed = JudgedDie(label, replace(read, certain=False, distinct=False)), JudgedDie(label, None)
    picture = PictureVerdict(Path("1.jpg"), (JudgedDie(label, read), odd, missed, JudgedDie(None, read)), 1.0)
    assert judgements(picture) == [
        Judgement((1.0,), True, True), Judgement((1.0,), True, True, distinct=False), Judgement((1.0,), False, False),
    ]  # fmt: skip


def test_strange_tables_teach_what_is_no_die_and_not_when_to_ask() -> None:
    ordinary = [_judgements(2000, 0)]
    strangers = [Judgement(one.features, False, False) for one in _judgements(1500, 4) if one.features[5] < 0.5]
    plain, warned = fit_confidence(ordinary), fit_confidence(ordinary, [strangers])
    assert warned.right == plain.right
    taken = [one for one in strangers if plain.is_die(one.features) >= plain.least_die]
    still = [one for one in strangers if warned.is_die(one.features) >= warned.least_die]
    assert len(still) < 0.7 * len(taken)
