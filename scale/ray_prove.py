"""Blocks of candidates through workers that run as tasks of Ray.

    ray_prove.py CANDIDATES OUT TASKS BLOCK RANKWRIGHT ADDRESS [OPTION...]

Each task runs `rankwright prove --worker` on its block.  Ray starts a task
again whose process or machine is lost.  Where only the worker inside is lost,
its lines until then count, and what lacks a verdict is for the next round.
"""
import os
import subprocess
import sys

import ray


def blocks(path, size):
    with open(path) as f:
        lines = f.readlines()
    return ["".join(lines[i:i + size]) for i in range(0, len(lines), size)]


@ray.remote(num_cpus=1, max_retries=3)
def prove(command, block):
    p = subprocess.run(command, input=block.encode(), stdout=subprocess.PIPE)
    return p.stdout, p.returncode


def main():
    candidates, out, tasks, block, rankwright, address, *options = sys.argv[1:]
    where = ({"address": address} if address else
             {"num_cpus": int(tasks), "include_dashboard": False})
    ray.init(log_to_driver=True, logging_level="warning", **where)
    command = [rankwright, "prove", "--worker", *options]
    todo = blocks(candidates, int(block))
    running, failed = [], 0
    with open(out + ".jsonl", "ab") as f:
        while todo or running:
            # Not all at once: the queue would hold every candidate twice.
            while todo and len(running) < 4 * int(tasks):
                running.append(prove.remote(command, todo.pop(0)))
            done, running = ray.wait(running)
            for ref in done:
                try:
                    lines, status = ray.get(ref)
                except ray.exceptions.RayError as e:
                    print(f"ray_prove.py: {e}", file=sys.stderr)
                    failed += 1
                    continue
                f.write(lines)
                f.flush()
                os.fsync(f.fileno())
                # Refuted, unknown, no rule: verdicts, not failures.
                failed += status not in (0, 1, 2, 65)
    if failed:
        print(f"ray_prove.py: {failed} blocks were cut short", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
