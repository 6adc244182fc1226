# SPDX-License-Identifier: Apache-2.0
"""Assertions for the tests of compilers and kernels.

The pytest plugin of the package (`rankwright.pytest_plugin`) checks whole folders of rules.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

from .databases import Database
from .kernels import Lifted, lift
from .rules import Report, Rule, prove
from .triton_kernels import Signature

__all__ = ["assert_rewrite_proved", "assert_kernel_computes"]


def failure_text(rule: Rule, domains: Optional[Sequence[str]] = None) -> str:
    """Why a rule is not proved in the domains that it claims; ``""``: it is."""
    lines = []
    for domain in rule.claims if domains is None else domains:
        verdict = rule.verdicts.get(domain)
        if verdict is None:
            lines.append("%s: not judged" % domain)
        elif verdict.decision == "refuted":
            lines.append("%s: refuted, %s" % (domain, verdict.counterexample.text if verdict.counterexample
                                              else verdict.reason))
        elif verdict.decision != "proved":
            lines.append("%s: unknown, %s" % (domain, verdict.reason))
    if not lines and not (rule.claims if domains is None else domains):
        lines.append("the rule claims no domain")
    return "\n".join("%s, %s" % (rule.name, line) for line in lines)


def assert_rewrite_proved(rules: Any, *, domains: Optional[Sequence[str]] = None,
                          database: Optional[Database] = None) -> Report:
    """Fails unless every rule is proved in every domain that it claims, or in the given ones.

    Args:
        rules: the text of rules, a path, or parsed rules.
        database: keeps the verdicts, so that the next run proves only what changed.

    >>> from rankwright import testing
    >>> testing.assert_rewrite_proved(
    ...     "rule r { axes x; map n on x; tensor A[x: n] : any; reverse(reverse(A, {x}), {x}) => A; }")
    r: bool proved, float proved, int proved, real proved, word proved
    >>> testing.assert_rewrite_proved("rule r { axes x; map n on x; tensor A[x: n] : num; A + 1 => A; claims int; }")
    Traceback (most recent call last):
    ...
    AssertionError: r, int: refuted, x rank 0; A=0; at []: left 1, right 0
    """
    report = prove(rules, domains=domains, database=database)
    if len(report) == 0:
        raise AssertionError("there is no rule")
    texts = [text for text in (failure_text(rule, domains) for rule in report) if text]
    if texts:
        raise AssertionError("\n".join(texts))
    return report


def assert_kernel_computes(kernel: Any, formula: Any, *, signature: Signature = None, grid: Any = None,
                           constants: Optional[Dict[str, Any]] = None, assume: str = "", output: str = "") -> Lifted:
    """Fails unless a kernel computes a formula, proved for all sizes.

    The arguments are those of `rankwright.lift`.  The message says what differs and at which sizes, or why it is not
    known.

    >>> from rankwright import testing
    >>> text = '''// arguments: %arg0=x:*fp32, %arg1=out:*fp32, %arg2=n:i32
    ... module { tt.func public @twice(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    ...   %0 = tt.get_program_id x : i32
    ...   %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    ...   %2 = tt.load %1 : !tt.ptr<f32>
    ...   %3 = arith.addf %2, %2 : f32
    ...   %4 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    ...   tt.store %4, %3 : !tt.ptr<f32>
    ...   tt.return } }'''
    >>> testing.assert_kernel_computes(text, "x[i] + x[i]", grid="(n,)")
    <Lifted: out proved: tensor x[i]; x[i] + x[i]>
    """
    lifted = lift(kernel, signature, grid, constants, assume=assume, expect=formula, output=output)
    if lifted.expected != "proved":
        found = "\n".join("%s is %s: %s" % (o.array, o.verdict, o.formula or o.reason) for o in lifted)
        raise AssertionError("\n".join(part for part in (lifted.expected_text.strip(), found) if part))
    return lifted
