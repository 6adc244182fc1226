"""Runs the sessions of README.md and other pages and compares what they print.

readme.py RANKWRIGHT WORK PAGE...: `$ cat FILE` blocks become files in WORK,
`$ rankwright ...` blocks are run there and their standard output must be the
text that follows.  All pages share WORK, so a page may go on from the one before.
"""
import os
import re
import shlex
import subprocess
import sys


def blocks(text):
    """(command, text below it) of every indented `$` line."""
    command, body = None, []
    for line in text.splitlines() + ["end"]:
        if line.startswith("    $ ") or not (line.startswith("    ") or line == ""):
            if command:
                yield command, "\n".join(body).rstrip("\n") + "\n"
            command, body = (line[6:] if line.startswith("    $ ") else None), []
        elif command:
            body.append(line[4:])


def session(rankwright, work, page):
    """Runs one page: the number of commands that it shows, ran, and differ."""
    text = open(page).read()
    # However they are set, all commands that are shown are run.
    shown = len(re.findall(r"^\s*\$ rankwright\b", text, re.M))
    ran = failed = 0
    for command, body in blocks(text):
        words = shlex.split(command)
        if words[0] == "cat":
            open(os.path.join(work, words[1]), "w").write(body)
        elif words[0] == "rankwright":
            run = subprocess.run([rankwright] + words[1:], cwd=work,
                                 capture_output=True, text=True)
            ran += 1
            if run.stdout.strip() != body.strip():
                failed += 1
                print(f"$ {command}\nprinted\n{run.stdout}{run.stderr}\n{page} has\n{body}")
    print(f"{page}: {ran} of {shown} commands, {failed} differ")
    return shown, ran, failed


def main():
    rankwright, work, *pages = sys.argv[1:]
    counts = [session(rankwright, work, page) for page in pages]
    shown, ran, failed = map(sum, zip(*counts))
    few = any(page[1] < 5 for page in counts)
    sys.exit(failed != 0 or ran != shown or few)


main()
