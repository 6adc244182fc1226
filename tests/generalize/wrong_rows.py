#!/usr/bin/env python3
"""The rules of tests/wrong that are rows of the list of wrong rewrites, as one
text: those whose origin says "wrong N".  Given numbers, only these rows."""
import re
import sys
import glob

wanted = {int(a) for a in sys.argv[1:]}
for path in sorted(glob.glob("tests/wrong/*.rw")):
    text = open(path, encoding="utf-8").read()
    for block in re.findall(r"(?:^///[^\n]*\n)*^rule \w+ \{\n.*?^\}\n", text, re.M | re.S):
        rows = {int(n) for n in re.findall(r'"wrong (\d+)"', block)}
        if rows and (not wanted or rows & wanted):
            print(block)
