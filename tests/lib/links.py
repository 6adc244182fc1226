"""Checks the links of Markdown pages: files exist, and so do the anchors of pages.

links.py PAGE...: links to other sites are not looked at.  An anchor is the text of
a heading as GitHub writes it: lower case, punctuation dropped, blanks as `-`.
"""
import os
import re
import sys


def outside_code(text):
    """The lines of a page without fenced, indented and inline code."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield re.sub(r"`[^`]*`", "", line) if "](" in line else line


def anchors(page):
    found = set()
    for line in outside_code(open(page).read()):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            name = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            same = sum(a == name or re.fullmatch(re.escape(name) + r"-\d+", a) is not None
                       for a in found)
            found.add(f"{name}-{same}" if same else name)
    return found


def links(page):
    for line in outside_code(open(page).read()):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if not re.match(r"[a-z]+:", target):
                yield target


def main():
    count = broken = 0
    for page in sys.argv[1:]:
        for target in links(page):
            count += 1
            file, _, anchor = target.partition("#")
            path = os.path.join(os.path.dirname(page), file) if file else page
            if not os.path.exists(path):
                print(f"{page}: no file {path}")
                broken += 1
            elif anchor and anchor not in anchors(path):
                print(f"{page}: no heading #{anchor} in {path}")
                broken += 1
    print(f"{count} links, {broken} broken")
    sys.exit(broken != 0 or count < 50)


main()
