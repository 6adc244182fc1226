# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, on the example of a project that keeps its rewrites in .rw files."""

import pathlib
import shutil
import subprocess
import sys

import pytest

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "rewrites"


def run(folder, *arguments):
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
                          cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.fixture
def project(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "project")
    return tmp_path / "project"


def test_the_example_passes_and_keeps_its_verdicts(project):
    found = run(project, "-vv")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "reverse_twice PASSED" in found.stdout and "4 passed" in found.stdout
    assert (project / ".rankwright" / "rules.db").stat().st_size > 0


def test_a_false_rule_fails_with_its_counterexample(project):
    with open(project / "rewrites" / "shapes.rw", "a") as file:
        file.write("rule wrong { axes x; map n on x; tensor A[x: n] : num; A + 1 => A; claims int; }\n")
    found = run(project)
    assert found.returncode == 1
    assert "1 failed, 4 passed" in found.stdout
    assert "wrong, int: refuted, " in found.stdout and "left 1, right 0" in found.stdout


def test_an_unreadable_file_is_an_error_with_its_place(project):
    (project / "rewrites" / "bad.rw").write_text("rule bad {\n  axes x\n}\n")
    found = run(project)
    assert found.returncode != 0
    assert "bad.rw:" in found.stdout and "expected" in found.stdout


def test_rules_elsewhere_are_left_alone(project):
    (project / "tests" / "other.rw").write_text("rule bad {\n")
    assert run(project).returncode == 0


def test_domains_of_the_project(project):
    text = (project / "pyproject.toml").read_text()
    (project / "pyproject.toml").write_text(text + 'rankwright_domains = ["float"]\n')
    (project / "rewrites" / "sums.rw").write_text(
        "rule zero { axes x; map n on x; type T : num; tensor A[x: n] : T; claims int; A + 0 => A; }\n")
    found = run(project, "rewrites")
    assert found.returncode == 1 and "zero, float: " in found.stdout
