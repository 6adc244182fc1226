"""A rule library twice as large, with a database that says of the second half what it says of
the first.

    double_library.py RANKWRIGHT LIBRARY DATABASE NEW_LIBRARY NEW_DATABASE

DATABASE is of the rules of LIBRARY. Each rule but definitions gets a twin that asks for one size
of 7919 besides: another text with another hash. The verdicts of the twins are those of the rules.
They are true, since a twin says less; nobody proves them, so the databases are for tests alone.
"""
import os
import re
import shutil
import sqlite3
import subprocess
import sys

rankwright, library, database, new_library, new_database = sys.argv[1:]


def twin_of(text):
    name = re.search(r"\brule (\w+)", text)
    a_map = re.search(r"\bmap (\w+)[^;]*? on [^;]*;", text)
    if not name or not a_map or "define" in text:
        return ""
    asks = f" where {a_map.group(1)} == 7919;"
    text = text[:a_map.end()] + asks + text[a_map.end():]
    return re.sub(r"\brule (\w+)", r"rule \1_twin", text, count=1)


shutil.copytree(library, new_library)
for folder, _, names in os.walk(library):
    for name in names:
        if not name.endswith(".rw"):
            continue
        with open(os.path.join(folder, name)) as file:
            rules = re.split(r"(?m)^(?=(?:///.*\n)*rule )", file.read())
        twins = "".join(map(twin_of, rules))
        if twins:
            path = os.path.join(new_library, os.path.relpath(folder, library))
            with open(os.path.join(path, name[:-3] + "_twin.rw"), "w") as file:
                file.write(twins)

shutil.copyfile(database, new_database)
os.chmod(new_database, 0o644)
environment = dict(os.environ, RANKWRIGHT_LIBRARY=new_library, RANKWRIGHT_LIBRARY_DATABASE="")
# Stores the twins; the prover has no time for them.
subprocess.run([rankwright, "prove", new_library, "--db", new_database, "--timeout", "0.001",
                "--no-search"], env=environment, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL, check=False)
connection = sqlite3.connect(new_database)
connection.execute("CREATE TEMP TABLE pair AS SELECT a.hash AS old, b.hash AS new FROM rule a "
                   "JOIN rule b ON b.name = a.name || '_twin'")
for table in ("obligation", "counterexample", "verdict"):
    connection.execute(f"DELETE FROM {table} WHERE rule IN (SELECT new FROM pair)")
for table in ("verdict", "obligation", "counterexample"):
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.execute("INSERT INTO %s SELECT new, %s FROM %s JOIN pair ON old = rule" %
                       (table, ", ".join(columns[1:]), table))
count = connection.execute("SELECT count(*) FROM pair").fetchone()[0]
connection.commit()
connection.close()
empty = b"func.func @none() { return }"
for command in (["-e", "x"], ["-"]):
    subprocess.run([rankwright, "simplify", *command, "--db", new_database], env=environment,
                   input=empty, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(count, "twins")
