"""How long the pages of a server take, one after the other: prints milliseconds, and judges nothing.

    times.py RANKWRIGHT DATABASE SITE    SITE: what `rankwright site` wrote, whose pages are asked for
"""
import os
import sys
import time
import urllib.parse

from client import Server

REQUESTS_OF_THE_LIST = 100


def main():
    program, database, site = sys.argv[1:]
    server = Server(program, database)
    connection = server.connect()

    def ask(path):
        """Milliseconds to the first byte and to the last one."""
        start = time.perf_counter()
        connection.request("GET", f"/{server.token}/{urllib.parse.quote(path)}")
        answer = connection.getresponse()
        first = time.perf_counter()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: status {answer.status}")
        return (first - start) * 1e3, (time.perf_counter() - start) * 1e3

    def tell(what, times):
        times.sort()
        at = [times[int(len(times) * part)] for part in (0.5, 0.9, 0.99)]
        print(f"{what}: median {at[0]:.1f} ms, 90 % {at[1]:.1f}, 99 % {at[2]:.1f}, most {times[-1]:.1f}")

    pages = []
    for folder, _, names in os.walk(site):
        for name in names:
            page = os.path.relpath(os.path.join(folder, name), site).removesuffix(".html")
            if name.endswith(".html") and page != "index":  # which is the server's address itself
                pages.append(page)
    ask("rules")
    tell(f"first byte of the list, {REQUESTS_OF_THE_LIST} times", [ask("rules")[0] for _ in range(REQUESTS_OF_THE_LIST)])
    tell(f"{len(pages)} pages", [ask(page)[1] for page in sorted(pages)])
    print("load of the machine: %.1f" % os.getloadavg()[0])
    server.stop()


main()
