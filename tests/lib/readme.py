"""Runs the session of README.md and compares what it prints.

readme.py RANKWRIGHT README WORK: `$ cat FILE` blocks become files in WORK,
`$ rankwright ...` blocks are run there and their standard output must be the
text that follows.
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


def main():
    rankwright, readme, work = sys.argv[1:4]
    text = open(readme).read()
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
                print(f"$ {command}\nprinted\n{run.stdout}{run.stderr}\nREADME has\n{body}")
    print(f"{ran} of {shown} commands of the README, {failed} differ")
    sys.exit(failed != 0 or ran != shown or ran < 12)


main()
