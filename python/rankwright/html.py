# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows."""

from __future__ import annotations

from html import escape
from typing import Any, Sequence

__all__ = ["rules", "simplified", "formula"]

_STYLE = ("<style>.rw-table td,.rw-table th{text-align:left;vertical-align:top;padding:2px 10px}"
          ".rw-proved{color:#1a7f37}.rw-refuted{color:#cf222e}.rw-unknown{color:#9a6700}"
          ".rw-program{max-height:24em;overflow:auto;white-space:pre;font-family:monospace;font-size:90%}</style>")


def _decision(verdict: Any) -> str:
    return '<span class="rw-%s">%s</span>' % (verdict.decision, verdict.decision)


def rules(found: Sequence[Any]) -> str:
    """A table of rules with their verdicts."""
    from .verdicts import DOMAINS
    rows = []
    for rule in found:
        cells = "".join("<td>%s</td>" % (_decision(rule.verdicts[d]) if d in rule.verdicts else "") for d in DOMAINS)
        details = {v.counterexample.text if v.counterexample else v.reason for v in rule.verdicts.values()
                   if v.counterexample or v.decision == "unknown"}
        rows.append("<tr><td><details><summary>%s</summary><pre>%s</pre></details>%s</td>%s</tr>" % (
            escape(rule.name), escape(rule.source), "".join("<div>%s</div>" % escape(d) for d in sorted(details)),
            cells))
    head = "".join("<th>%s</th>" % domain for domain in DOMAINS)
    return '%s<table class="rw-table"><tr><th>rule</th>%s</tr>%s</table>' % (_STYLE, head, "".join(rows))


def simplified(result: Any) -> str:
    """Before and after, the steps, the rules with their verdicts."""
    from . import errors, queries
    known = []
    for identity in dict.fromkeys(result.rules.values()):
        try:
            known.append(queries.query_rule(identity, database=result._database))
        except errors.Error:  # an assumed rule is not in the database
            continue
    steps = result.explain() if result.steps else ""
    return ('%s<p><b>%d steps</b>, cost (%s) %g &rarr; %g</p><table class="rw-table"><tr><th>before</th><th>after</th>'
            '</tr><tr><td><div class="rw-program">%s</div></td><td><div class="rw-program">%s</div></td></tr></table>'
            '<details><summary>steps</summary><pre>%s</pre></details>%s' % (
                _STYLE, result.steps, escape(result.cost), result.cost_before, result.cost_after,
                escape(result.before), escape(result.text), escape(steps), rules(known) if known else ""))


def formula(result: Any) -> str:
    """The formula, its conditions and its steps."""
    conditions = "".join("<li>%s</li>" % escape(str(c)) for c in result.conditions)
    return "%s%s<details><summary>steps</summary><pre>%s</pre></details>" % (
        result.mathml, "<ul>%s</ul>" % conditions if conditions else "", escape(result.explain()))
