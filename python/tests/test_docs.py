# SPDX-License-Identifier: Apache-2.0
"""Every example in the package runs, and every public name has one."""

import doctest
import functools
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest

import rankwright
import rankwright.testing

MODULES = sorted(m.name for m in pkgutil.iter_modules(rankwright.__path__)
                 if not m.ispkg and m.name not in ("_native", "_dispatch", "__main__"))


def have_jax():
    try:
        import jax  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples(name):
    if name.startswith("jax") and not have_jax():
        pytest.skip("JAX is not installed")
    module = importlib.import_module("rankwright" + ("." + name if name else ""))
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    out = []
    for test in finder.find(module, module.__name__, globs={}):
        runner.run(test, out=out.append)
    assert runner.failures == 0, "".join(out)


def examples():
    """The examples that `test_examples` runs: their texts by the name of what they stand at."""
    found = {}
    for name in ["", *MODULES]:
        if name.startswith("jax") and not have_jax():
            continue
        module = importlib.import_module("rankwright" + ("." + name if name else ""))
        for test in doctest.DocTestFinder(exclude_empty=True).find(module, module.__name__, globs={}):
            found[test.name] = "".join(example.source for example in test.examples)
    return found


EXAMPLES = examples()
PUBLIC = {**{name: getattr(rankwright, name) for name in rankwright.__all__},
          **{"testing." + name: getattr(rankwright.testing, name) for name in rankwright.testing.__all__}}


def shown(pattern):
    return any(re.search(pattern, text) for text in EXAMPLES.values())


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_names_have_examples(name):
    value = PUBLIC[name]
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        assert shown(r"\brankwright\.%s\b" % name), "%s has no example" % name
        return
    whole = "%s.%s" % (value.__module__, value.__qualname__)
    assert any(text for at, text in EXAMPLES.items() if at == whole or at.startswith(whole + ".")), \
        "%s has no example" % name
    if not inspect.isclass(value):
        return
    members = {key for kind in inspect.getmro(value) if kind.__module__.startswith("rankwright.")
               for key, member in vars(kind).items() if not key.startswith("_")
               and (callable(member) or isinstance(member, (property, classmethod, functools.cached_property)))}
    unseen = [key for key in sorted(members) if not shown(r"\.%s\b" % key)]
    assert not unseen, "no example shows %s of %s" % (", ".join(unseen), name)


ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not have_jax(), reason="JAX is not installed")
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})
    assert "slice" in capsys.readouterr().out
