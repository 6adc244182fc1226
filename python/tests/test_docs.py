# SPDX-License-Identifier: Apache-2.0
"""Every example in the package runs, and every public name has one."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest

import rankwright

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


@pytest.mark.parametrize("name", sorted(rankwright.__all__))
def test_public_names_have_examples(name):
    value = getattr(rankwright, name)
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return
    if inspect.isclass(value) and issubclass(value, (rankwright.Error, Warning)) and value is not rankwright.Error:
        assert value.__doc__
        return
    examples = [value.__doc__ or ""]
    if inspect.isclass(value):
        examples += [member.__doc__ or "" for key, member in vars(value).items() if not key.startswith("_")]
    assert any(">>>" in text for text in examples), "%s has no example" % name


ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not have_jax(), reason="JAX is not installed")
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {})
    assert "slice" in capsys.readouterr().out
