"""What README and guide promise is held by tests, and what the README tells people to type first works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_documents import FENCED
from training.proof import RENDERED, SEED, TRACED, TRACED_SEED

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = {path.stem: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/guide/*.md"))}
TYPED = [line for _, block in FENCED.findall(README) for line in block.splitlines()]

PROMISES = {
    "the likeliest answers to tap": "an_uncertain_die_asks_with_the_likeliest_first_and_scores_nothing",
    "what yours show it learns from one picture a face": "two_faces_are_enrolled_listed_and_read",
    "throws dice by itself": "a_throw_on_the_demo_table_is_read_scored_kept_gone_on_with_and_replayed",
    "the frames go the way a webcam's would": "the_shipped_networks_read_what_the_demo_threw",
    "Tableside shows what else it may be, the likeliest first":
        "throw_is_off_while_the_dice_tumble_and_an_uncertain_die_is_put_right_with_one_tap",
    "served on this computer alone": "by_default_nothing_listens_beyond_this_computer",
    "Every game has its own board": "every_decision_is_offered_and_every_offer_is_legal",
    "every point with its place in the rules": "every_point_leads_to_the_paragraph_about_it",
    "let Tableside draw": "once_asked_tableside_goes_on_drawing_until_people_say_what_came",
    "only in a dialog of the device that asks": "a_hand_is_on_no_board_and_only_its_player_gets_it",
    "without eyes, without a mouse": "a_match_by_keyboard_and_ear",
    "A second press of a key says the same sentence again": "the_same_sentence_twice_is_heard_twice_and_repeated",
    "At 320 px, that is at 400 %, nothing scrolls sideways": "nothing_is_found_on_any_page",
    "nor with text twice its size or spaced out": "a_table_is_all_there_on_every_screen_enlarged_and_spaced_out",
    "nothing to operate but the sound": "television_has_nothing_to_operate_but_the_sound",
    "Both pages follow the match by themselves": "both_show_whose_turn_the_dice_the_scores_and_the_last_sentence",
    "House rules lie folded under one line": "house_rules_are_folded_under_one_line_of_what_is_changed",
    "Put the players in order by dragging": "a_player_is_dragged_to_another_place",
    "the same again takes two taps": "the_same_as_last_time_takes_two_taps",
    "one match begins and the other person is told": "of_two_tablets_one_begins_and_the_other_is_told",
    "All of this works without script, too": "all_of_it_works_without_script",
    "until you have one forgotten": "whoever_played_is_offered_until_forgotten",
    "Drag the four corners on the page **Camera**": "corners_are_dragged_by_touch_and_take_effect_at_once",
    "let Tableside look for four printed markers": "the_markers_are_found",
    "Dice that lie there meanwhile are no throw": "dice_that_lie_there_are_no_throw_when_the_region_changes",
    "One that fails is refused in a sentence":
        "what_cannot_be_had_is_refused_in_a_sentence_and_the_old_one_goes_on",
    "choice is kept in your [settings]": "the_choice_is_remembered_for_the_next_start",
    "Bad input is one line on standard error and exit code 2": "bad_input_is_one_line_and_exit_2",
    "only the page that asked hears it": "a_key_asks_and_another_says_why_as_two_buttons_do",
    "each as a chart and as a table, without script": "meet_fate_has_three_charts_each_with_its_table",
    "| Meet Fate | Solved for points": "the_shipped_table_is_of_the_default_rules_and_agrees_with_what_is_solved_here",
    "no verdict on fewer than 100 thrown dice": "few_throws_get_no_verdict",
    "English, German and French, on one table at the same time": "one_device_leaves_the_others_alone",
    "the others that are open in its browser follow": "open_pages_follow_the_devices_language",
    "`tableside serve --language de` sets the table's own language": "the_voice_speaks_the_tables_language",
    "can be typed in any of the three": "faces_may_be_typed_in_any_language",
    "is refused, and nothing is left behind": "what_cannot_be_enrolled_is_one_line_and_leaves_nothing",
    "On the demo table you can try it": "strange_dice_are_taught_by_keyboard_and_ear_and_then_read",
    "A page that is reloaded goes on where it stood": "an_offered_die_survives_a_reload_and_a_kept_one_is_let_go",
    "at most twelve a face": "at_most_so_many_are_kept_and_the_least_useful_goes",
    "when a second correction agrees": "a_second_correction_that_agrees_is_believed",
    "A file from a stranger is checked": "what_a_stranger_sends_is_refused_in_one_line_and_leaves_nothing",
    "move closer or choose 1920×1080": "dice_too_small_are_said_with_what_to_do",
    "The password is shown nowhere": "a_cameras_password_is_shown_nowhere",
    "Dice left lying are held, the others were thrown again": "dice_that_stay_are_held_and_the_others_thrown_again",
    "a die that leans": "a_leaning_die_is_asked_about",
    "is announced once, and Tableside reads nothing until it can see again":
        "a_camera_that_sees_nothing_is_said_once_and_recovers",
    "Every roll keeps the picture it was read from": "a_rolls_pictures_lie_beside_its_event",
    "**Check this roll** on the page shows them": "a_dispute_shows_the_picture_what_was_read_and_who_corrected_it",
    "Those of old matches go first": "old_matches_lose_their_pictures_first_and_the_running_one_never",
    "`tableside serve --camera 0 --speak` says everything": "what_is_told_is_said",
    "Everyone keeps their points": "in_every_game_whoever_stays_keeps_their_points_or_the_change_is_refused",
    "every throw found, none invented, every hold right": "every_throw_is_found_and_every_hold_right",
    "nothing announced was ever lost": "a_killed_table_has_all_it_had_announced",
    "costs 4 % of a core": "a_still_table_in_full_hd_takes_a_tenth_of_a_core_at_most",
    "the **host's PIN**": "lan_listens_everywhere_and_says_so",
    "a device that enters it plays for that player": "a_device_does_what_is_its_own_and_no_more",
    "players act in their own turn only": "a_player_may_be_limited_to_the_own_turn",
    "`--pin 2468`": "a_pin_is_asked_for_as_soon_as_others_can_come",
    "Starting with another `--pin` signs every device out": "another_pin_ends_the_sessions_of_the_one_before",
    "# Use a phone as the camera": "throws_before_a_phone_are_read_and_scored",
    "comes back by itself and shows what is there now": "a_server_that_went_and_came_back",
    "that decide in the same moment the second is told": "of_two_tablets_the_second_is_told",
    "Fifty devices hear of an event within a fifth of a second":
        "fifty_devices_hear_of_an_event_within_a_fifth_of_a_second",
    "a list of those that were tried: [security](../security.md)": "the_list_of_attacks_names_these_tests",
    "Every event is on disk before anyone hears of it": "every_event_is_on_disk_when_it_is_told",
    "start a match like it: the same game, players, options, dice and camera":
        "the_same_as_last_time_is_a_new_match_like_it",
    "tableside matches import FILE # take one in": "matches_are_listed_exported_and_taken_in",
    "the table as it stood after any event": "the_table_stands_as_it_did_after_each_event",
    "gives each table the same PostgreSQL database and a name": "many_tables_at_once_each_in_its_own_process",
    "A full disk, a read-only folder or a damaged file is said in one line":
        "a_full_disk_is_said_in_one_line_and_loses_nothing",
    "every point has its place in the rules": "every_point_leads_to_the_paragraph_about_it",
    "tableside matches rescue -o FOLDER": "a_damaged_store_is_rescued",
    "and flashes when someone wins": "the_leds_flash_the_winner_of_a_match_that_was_played",
    "never holds up the table": "a_missing_board_is_one_line_and_costs_the_table_nothing",
    "it shows the newest state within two seconds": "after_each_fault_the_board_is_right_within_two_seconds",
    "Every question that a rule document leaves open is a named option":
        "options_have_a_default_they_accept_an_explanation_and_a_ruling",
    "at true size": "print_writes_a_pdf_and_says_what_to_check",
    "the LEDs are drawn in the terminal": "a_table_with_a_virtual_board",
    "give the table a name of its own": "two_tables_on_one_broker_share_nothing",
    "asks which camera, which game and who plays": "from_a_click_to_the_first_scored_throw_with_the_mouse",
    "Tell it in a file of fifty lines": "the_tutorial_makes_a_game_that_is_played",
    "or on a page: sheets, races, pirates": "a_game_is_made_and_begun_by_keyboard_alone",
    "Lines that begin with `#` have no effect": "settings_are_the_defaults_of_options_and_an_option_counts_more",
    "Home Assistant's MQTT integration": "home_assistant_is_told_which_entities_there_are",
}
"""What README and guide promise people, and the test (without `test_`) that holds it from end to end."""


def _plain(text: str) -> str:
    """On one line, in small letters: where a line ends and a sentence begins says nothing."""
    return " ".join(text.split()).casefold()


def test_every_promise_still_stands_there_and_has_its_test():
    text = _plain("\n".join([README, *GUIDE.values()]))
    assert [promise for promise in PROMISES if promise.casefold() not in text] == []
    tests = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    names = set(re.findall(r"^def test_(\w+)", tests, re.MULTILINE))
    assert {promise: name for promise, name in PROMISES.items() if name not in names} == {}


def test_whatever_the_readme_says_it_can_do_is_promised():
    table = README.partition("## What it can do")[2].partition("\n## ")[0]
    rows = [_plain(row) for row in re.findall(r"^\| \*\*.+$", table, re.MULTILINE)]
    assert len(rows) > 5
    assert [row for row in rows if not any(promise.casefold() in row for promise in PROMISES)] == []


def test_the_command_is_made_known_before_it_is_typed():
    first = next(place for place, line in enumerate(TYPED) if line.startswith("tableside "))
    assert ". .venv/bin/activate" in [line.partition("#")[0].strip() for line in TYPED[:first]]


def test_the_command_is_known_in_an_activated_environment():
    activate = Path(sys.prefix) / "bin" / "activate"
    if not (activate.is_file() and activate.with_name("tableside").is_file()):
        pytest.skip("these tests do not run in an environment that make has made")
    typed = f". {activate} && tableside --help"
    said = subprocess.run(["sh", "-c", typed], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "doctor" in said.stdout


def test_debians_missing_part_is_named_before_make():
    assert README.index("python3-venv") < README.index("make demo  ")


def test_proof_measures_what_the_guide_quotes():
    quoted = GUIDE["accuracy"]
    assert f"--pictures {RENDERED} --seed {SEED} " in quoted
    assert f"--pictures {TRACED} --seed {TRACED_SEED} " in quoted
    assert f"--pictures 100 --seed {TRACED_SEED} --no-dice" in quoted
