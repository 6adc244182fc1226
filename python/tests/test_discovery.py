# SPDX-License-Identifier: Apache-2.0
"""Wider rules, repairs, derivations, faults and new rules; what they find is proved again, and interruptions keep it."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import rankwright

NARROW = "rule narrow { axes x; map n on x; tensor A[x: n] : any; where n == 4; reverse(reverse(A, {x}), {x}) => A; }"
WRONG = "rule wrong { axes x; map n on x; tensor A[x: n] : num; claims int; A - 0 => 0 - A; }"
BASE = """
rule comm { axes x; map n on x; type T : num; tensor A[x: n] : T, B[x: n] : T; claims real; A + B => B + A; }
rule zero { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; A + 0 => A; }
"""
GOALS = """
rule follows { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; 0 + A => A; }
rule does_not { axes x; map n on x; type T : num; tensor A[x: n] : T; claims real; A * 1 => A; }
"""


def test_wider_rules_are_proved_and_kept(alone):
    seen = []
    found = rankwright.generalize(NARROW, show=seen.append)
    assert [finding.kind for finding in seen] == [finding.kind for finding in found] == ["wider"]
    assert found.changed == 1 and found.proofs > 0 and not found.ended
    assert rankwright.prove(found.new, database=alone).proved
    assert rankwright.query_rule("narrow_general", database=alone)


def test_a_false_rule_is_refused_with_its_reason():
    found = rankwright.generalize(WRONG)
    assert found[0].kind == "refused" and "not proved" in found[0].text
    assert found.text == "" and len(found.new) == 0


def test_every_repair_is_proved():
    found = rankwright.repair(WRONG)
    assert found[0].kind == "repaired"
    assert len(found.new) == len(found[0].data["repairs"]) > 0
    assert rankwright.prove(found.new, database=rankwright.Database()).proved


def test_derivations_have_records_that_check():
    found = rankwright.derive(GOALS, BASE, records=True)
    assert [finding.kind for finding in found] == ["derived", "not derived"]
    assert found[0].records
    for record in found[0].records:
        assert rankwright.check(record, assume=BASE).valid
        assert not rankwright.check(record).valid  # nobody proved the base


def test_an_unproved_base_derives_nothing(alone):
    assert rankwright.derive(GOALS, BASE, database=alone)[0].kind == "not derived"
    rankwright.prove(BASE, database=alone)
    assert rankwright.derive(GOALS, BASE, database=alone)[0].kind == "derived"


def test_faults():
    found = rankwright.lint(BASE)
    assert any(finding.rules == ["comm"] for finding in found.of_kind("inverse"))


def test_tensor_rules_are_found():
    found = rankwright.discover("reverse", most=2, tensors=1, classes=1)
    assert len(found) > 0 and rankwright.prove(found.new, database=rankwright.Database()).proved


@pytest.mark.parametrize("call, argument", [
    (lambda: rankwright.discover("and,nor", domains="bool"), "ops"),
    (lambda: rankwright.discover("add", domains="float"), "domains"),
])
def test_wrong_arguments(call, argument):
    with pytest.raises(rankwright.UsageError) as caught:
        call()
    assert caught.value.file == argument


def test_an_exception_of_show_ends_the_work_and_comes_out():
    def show(finding):
        raise KeyError(finding.kind)

    with pytest.raises(KeyError):
        rankwright.derive(GOALS, BASE, show=show)
    assert len(rankwright.derive(GOALS, BASE)) == 2


def test_other_threads_run_meanwhile():
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    rankwright.repair(WRONG)
    done.set()
    thread.join()
    assert len(ticks) > 3


def test_ctrl_c_stops_and_shows_what_was_found():
    code = ("import rankwright; print('go', flush=True); "
            "rankwright.discover('add,mul,sub', domains='real', most=4, show=lambda f: print(f.kind, flush=True))")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(3)  # of work that takes minutes
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode != 0 and "KeyboardInterrupt" in err
