"""Is a page of a formula whole?  page.py PAGE [--maths N] [--links N] ...

Elements are balanced, every link leads to an element, no id stands twice,
nothing comes from elsewhere, MathML elements have the children they need.
"""
import argparse
import html.parser
import pathlib
import re
import sys

VOID = {"meta", "link"}
CHILDREN = {"mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "munder": 2}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.wrong = [], [], [], []
        self.maths = self.marks = 0

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if self.open:
            self.open[-1][1] += 1
        if tag not in VOID:
            self.open.append([tag, 0])
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "a":
            self.links.append(a.get("href", ""))
        if tag in ("script", "img", "iframe", "object", "embed"):
            self.wrong.append(f"a {tag}")
        for name in ("src", "srcset", "action"):
            if name in a:
                self.wrong.append(f"{name}={a[name]}")
        if tag == "link" and not a.get("href", "").startswith("data:"):
            self.wrong.append("a link to a file")
        self.maths += tag == "math"
        self.marks += a.get("class") == "changed"

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes nothing")
            return
        _, n = self.open.pop()
        if n != CHILDREN.get(tag, n):
            self.wrong.append(f"{tag} with {n} children")


a = argparse.ArgumentParser()
a.add_argument("page", type=pathlib.Path)
a.add_argument("--maths", type=int)
a.add_argument("--links", type=int)
a.add_argument("--marks", type=int)
a.add_argument("--rules", nargs="*", default=[])
a = a.parse_args()
text = a.page.read_text(encoding="utf-8")
p = Page()
p.feed(text)
p.close()
wrong = p.wrong + [f"<{t}> stays open" for t, _ in p.open]
wrong += [f"a link to nowhere: {x}" for x in p.links
          if not x.startswith("#") or x[1:] not in p.ids]
wrong += [f"id twice: {x}" for x in set(p.ids) if p.ids.count(x) > 1]
if re.search(r"https?://|@import|url\(", text):
    wrong.append("something from elsewhere")
for what in ("maths", "links", "marks"):
    want = getattr(a, what)
    have = len(p.links) if what == "links" else getattr(p, what)
    if want is not None and have != want:
        wrong.append(f"{have} {what}, not {want}")
for rule in a.rules:
    if f"<h3>{rule}</h3>" not in text:
        wrong.append(f"no section of {rule}")
for w in wrong:
    print(w, file=sys.stderr)
sys.exit(1 if wrong else 0)
