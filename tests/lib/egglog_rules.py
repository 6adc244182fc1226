"""Gives the rules of `rankwright export --format egglog` to egglog, one after the other.

egglog_rules.py RULES [PROGRAM]: fails if egglog refuses one of the rules or a command of
the program.  Prints how many rules it took.
"""
import re
import sys

from egglog.bindings import EGraph

rules = open(sys.argv[1]).read()
programs = [open(path).read() for path in sys.argv[2:]]
egraph = EGraph()
parts = re.split(r"\n(?=; \S+ [0-9a-f]{12}\n)", rules)
for part in parts + programs:
    egraph.run_program(*egraph.parse_program(part))
print(len(parts) - 1)
