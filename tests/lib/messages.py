"""Runs the cases of a file of tests/messages and compares what the program says.

A case is a line `#### ARGUMENTS`, the text that a user wrote, a line `----`, and what is
expected on standard error, behind it the exit status.  FILE among the arguments is a file
with the text (FILE.rw: of that name), TEXT the text itself, DATABASE a database with the
proved library.  With --write as the last
argument, the answers of today become the expected ones: read the difference before
committing it.
"""

import os
import subprocess
import sys
import tempfile


def cases(path):
    """Pairs of a head and the lines behind it."""
    with open(path, encoding="utf-8") as file:
        found = []
        for line in file:
            if line.startswith("#### "):
                found.append((line[5:].rstrip("\n"), []))
            elif found:
                found[-1][1].append(line)
    return found


def answer(program, head, text, folder):
    """What the program writes to standard error, and its status."""
    words = []
    for word in head.split():
        if word == "TEXT":
            word = text.rstrip("\n")
        elif word == "DATABASE":
            word = os.environ["messages_database"]
        elif word == "FILE" or word.startswith("FILE."):
            word = "text" + word[4:]
            with open(os.path.join(folder, word), "w", encoding="utf-8", newline="") as file:
                file.write(text)
        words.append(word)
    done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False, timeout=600)
    said = [line for line in done.stderr.decode("utf-8").splitlines(keepends=True)
            if "rules of the library have no current verdict" not in line]  # of the database
    return "".join(said) + f"status {done.returncode}\n"


def main():
    program, path = os.path.abspath(sys.argv[1]), sys.argv[2]
    write = sys.argv[-1] == "--write"
    wrong, out = 0, []
    for head, lines in cases(path):
        cut = lines.index("----\n") if "----\n" in lines else len(lines)
        text, expected = "".join(lines[:cut]), "".join(lines[cut + 1:]).rstrip("\n") + "\n"
        with tempfile.TemporaryDirectory() as folder:
            said = answer(program, head, text, folder)
        out.append(f"#### {head}\n{text}----\n{said}\n")
        if said != expected and not write:
            wrong += 1
            print(f"FAIL: {path}: {head}\n{text}found:\n{said}expected:\n{expected}")
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(out))
    if wrong or not out:
        sys.exit(f"{path}: {wrong} of {len(out)} messages differ")


main()
