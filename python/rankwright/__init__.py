# SPDX-License-Identifier: Apache-2.0
"""Rankwright proves rewrite rules on tensor programs for every rank and size, and rewrites with proved rules only.

>>> import rankwright
>>> rankwright.prove("rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")
r: bool proved, float proved, int proved, real proved, word proved
>>> rankwright.formula("exp(a)/(1 + exp(a))").text
'sigmoid(a)'
"""

from __future__ import annotations

from ._library import lib as _lib, text_of as _text_of
from .databases import *  # noqa: F401,F403
from .discovery import *  # noqa: F401,F403
from .errors import *  # noqa: F401,F403
from .evaluation import *  # noqa: F401,F403
from .examples import *  # noqa: F401,F403
from .formulas import *  # noqa: F401,F403
from .jax_jit import *  # noqa: F401,F403
from .kernels import *  # noqa: F401,F403
from .merging import *  # noqa: F401,F403
from .programs import *  # noqa: F401,F403
from .queries import *  # noqa: F401,F403
from .records import *  # noqa: F401,F403
from .rules import *  # noqa: F401,F403
from .sympy_formulas import *  # noqa: F401,F403
from .verdicts import *  # noqa: F401,F403
from . import (databases as _databases, discovery as _discovery, errors as _errors, evaluation as _evaluation,
               examples as _examples, formulas as _formulas, jax_jit as _jax_jit, kernels as _kernels, merging as _merging,
               programs as _programs, queries as _queries, records as _records, rules as _rules,
               sympy_formulas as _sympy_formulas, verdicts as _verdicts)

__version__: str = _text_of(_lib.rw_version())
__all__ = [name for module in (_databases, _discovery, _errors, _evaluation, _examples, _formulas, _jax_jit, _kernels,
                               _merging, _programs, _queries, _records, _rules, _sympy_formulas, _verdicts)
           for name in module.__all__]
