# A server of the explorer for tests, and raw requests to it.
import http.client
import json
import os
import re
import select
import signal
import subprocess
import urllib.parse


class Server:
    def __init__(self, program, database="", words=()):
        if database:
            words = ["--db", database, *words]
        self.process = subprocess.Popen([program, "serve", *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        ready, _, _ = select.select([self.process.stdout], [], [], 30)
        line = self.process.stdout.readline() if ready else ""
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", line)
        if not match:
            self.process.kill()
            raise SystemExit(f"no address: {line!r} {self.process.stderr.read()}")
        self.port, self.token = int(match[1]), match[2]

    def connect(self, timeout=120):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, method="GET", fields=None, headers=None, token=None, body=None, raw=None):
        """Status, headers and body of an answer; `raw` is a whole address."""
        headers = dict(headers or {})
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection = self.connect()
        try:
            address = raw if raw is not None else f"/{token or self.token}/{path}"
            connection.request(method, address, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def live(self, path, fields):
        """The lines of an answer to a script."""
        status, _, text = self.ask(path, "POST", fields, {"X-Rankwright": "live"})
        assert status == 200, (status, text)
        return [json.loads(line) for line in text.splitlines()]

    def children(self):
        """Processes that the server has started, and theirs."""
        found, left = [], [self.process.pid]
        while left:
            for task in os.listdir(f"/proc/{left[0]}/task") if os.path.isdir(f"/proc/{left[0]}") else []:
                try:
                    with open(f"/proc/{left[0]}/task/{task}/children") as file:
                        more = [int(word) for word in file.read().split()]
                except OSError:
                    more = []
                found += more
                left += more
            left.pop(0)
        return found

    def memory(self):
        """Peak resident bytes of the server."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) << 10

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors
