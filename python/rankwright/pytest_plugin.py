# SPDX-License-Identifier: Apache-2.0
"""A plugin for pytest: the rules of a project are tests.

In the project's configuration::

    [tool.pytest.ini_options]
    testpaths = ["tests", "rewrites"]
    rankwright_rules = ["rewrites"]                      # files and folders
    rankwright_database = ".pytest_cache/rankwright.db"  # verdicts that are kept; without it all is proved each time
    rankwright_domains = ["float"]                       # without it the domains that each rule claims

Each rule of a ``.rw`` file there passes if it is proved.  Else the report has the counterexample, or the reason.
The fixture `rankwright_database` gives the database to other tests.
"""

from __future__ import annotations

import pathlib
from typing import Any, Iterator, List, Optional

import pytest

__all__: List[str] = []


def pytest_addoption(parser: Any) -> None:
    parser.addini("rankwright_rules", "files and folders of .rw rules that are tests", type="paths", default=[])
    parser.addini("rankwright_database", "file that keeps the verdicts", default="")
    parser.addini("rankwright_domains", "domains in which all rules must be proved", type="args", default=[])


def pytest_collect_file(file_path: pathlib.Path, parent: Any) -> Optional[Any]:
    if file_path.suffix != ".rw":
        return None
    wanted = [pathlib.Path(path).resolve() for path in parent.config.getini("rankwright_rules")]
    here = file_path.resolve()
    if not any(path == here or path in here.parents for path in wanted):
        return None
    return RulesFile.from_parent(parent, path=file_path)


def _open_database(config: Any) -> Any:
    """One database for the whole run."""
    import rankwright
    if not hasattr(config, "_rankwright_database"):
        name = config.getini("rankwright_database")
        path = pathlib.Path(config.rootpath, name) if name else None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        config._rankwright_database = rankwright.Database(path)
    return config._rankwright_database


def pytest_unconfigure(config: Any) -> None:
    if hasattr(config, "_rankwright_database"):
        del config._rankwright_database


class RulesFile(pytest.File):
    """A file of rules; all are proved together when the first one is run."""

    _report: Any = None

    def collect(self) -> Iterator[Any]:
        import rankwright
        try:
            self.rules = rankwright.Rules.load(self.path)
        except rankwright.Error as error:
            raise self.CollectError(str(error)) from None
        for number, rule in enumerate(self.rules):
            yield RuleItem.from_parent(self, name=rule.name, number=number)

    def report(self) -> Any:
        import rankwright
        if self._report is None:
            self._report = rankwright.prove(self.rules, domains=self.config.getini("rankwright_domains") or None,
                                            database=_open_database(self.config), progress=False)
        return self._report


class NotProved(Exception):
    """A rule is refuted or unknown."""


class RuleItem(pytest.Item):
    """One rule."""

    def __init__(self, *, number: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.number = number

    def runtest(self) -> None:
        from .testing import failure_text
        report = self.parent.report()
        if self.number >= len(report):
            raise NotProved("the proof was interrupted")
        text = failure_text(report[self.number], self.config.getini("rankwright_domains") or None)
        if text:
            raise NotProved(text)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, NotProved):
            return "%s\n\n%s" % (excinfo.value, self.parent.rules[self.number].source)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        text = self.path.read_text(encoding="utf-8", errors="replace")
        place = text.find(self.parent.rules[self.number].source.strip())
        return self.path, text.count("\n", 0, place) if place >= 0 else 0, "rule %s" % self.name


@pytest.fixture(scope="session")
def rankwright_database(request: Any) -> Any:
    """The database of verdicts that the run's rules use."""
    return _open_database(request.config)
