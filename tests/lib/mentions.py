"""Checks that files which pages and comments mention exist.

mentions.py FILE...: in a page every name such as `egraph/match/axes.c`, in a source
file every one in a comment; a name may leave out leading folders.  The files that
exist are those below the current folder.
"""
import os
import re
import sys

NAME = re.compile(r"(?<![\w/.<*${}-])((?:[\w-]+/)*[\w-]+\.(?:[ch]|sh|py))\b(?!\()")
# LAYER/limits.h: any file of this form.
PLACEHOLDER = re.compile(r"(^|/)[A-Z]+[/.]")
# Headers of libraries, and names in examples.
FOREIGN = {"z3.h", "sqlite3.h", "gmp.h", "mpfr.h", "limits.c", "uses.c", "t.c", "u.c"}


def endings():
    found = set()
    for folder, _, names in os.walk("."):
        parts = [] if folder == "." else folder[2:].split(os.sep)
        if parts[:1] in (["build"], [".git"]):
            continue
        for name in names:
            path = parts + [name]
            found.update("/".join(path[i:]) for i in range(len(path)))
    return found


def mentions(file):
    comments = not file.endswith(".md")
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if comments:
                start = re.search(r"//|^ *#(?!\s*include)", line)
                line = line[start.start():] if start else ""
            for name in NAME.findall(line):
                if not PLACEHOLDER.search(name):
                    yield number, name


def main():
    exist = endings() | FOREIGN
    count = missing = 0
    for file in sys.argv[1:]:
        for number, name in mentions(file):
            count += 1
            if name not in exist:
                print(f"{file}:{number}: no file {name}")
                missing += 1
    print(f"{count} mentions, {missing} of files that do not exist")
    sys.exit(missing != 0 or count == 0)


main()
