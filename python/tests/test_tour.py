# SPDX-License-Identifier: Apache-2.0
"""docs/tour.ipynb runs from its first cell to its last, and shows what the file shows."""

import pathlib
import re

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("jax")

TOUR = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tour.ipynb"


def printed(cell):
    """What a cell prints or shows as text, without numbers, which releases of JAX and machines may change."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "")
             for output in cell.outputs if output.get("name") != "stderr"]
    return re.sub(r"[0-9.]+", "N", "\n".join(texts)).split()


def test_tour(tmp_path):
    kept = nbformat.read(TOUR, as_version=4)
    book = nbformat.read(TOUR, as_version=4)
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    theirs = {"jax", "jnp"}  # and what comes of it: releases of JAX make other programs of a function
    for old, new in zip(kept.cells, book.cells):
        if new.cell_type == "code" and theirs & set(re.findall(r"\w+", new.source)):
            theirs |= set(re.findall(r"^(\w+) = ", new.source, re.M))
        elif new.cell_type == "code":
            assert printed(old) == printed(new), new.source
