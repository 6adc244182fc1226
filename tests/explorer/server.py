# The explorer's server under use and under attack.
#   server.py RANKWRIGHT [DATABASE] [--slow]
import html.parser
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import payloads  # noqa: E402
import positions  # noqa: E402
from client import Server  # noqa: E402

SLOW = "--slow" in sys.argv

RULE = """rule %s {
  axes x;
  map n, s, e, p, t, f, q on x;
  tensor A[x: n] : any;
  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)
    => slice(A, start=s+t*p, limit=s+f*p, stride=p*q);
}
"""
CONVOLUTION = """rule my_convolution%d {
  axis b, f, o;
  axes s;
  map nb on b;
  map nf on f;
  map no on o;
  map n, w, pl, ph, pi, l, h, d, r, t on s;
  tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;
  where n >= 1, pl >= 0, ph >= 0;
  conv(pad(A, 0, low={s: pl}, high={s: ph}, interior={s: pi}), K, feature={f}, spatial={s},
       stride=t, low=l, high=h, dilation=d, kernel_dilation=r)
    => conv(A, K, feature={f}, spatial={s}, stride=t, low=l+d*pl, high=h+d*ph, dilation=d+d*pi,
            kernel_dilation=r);
}"""
failures = []
LIBRARY = len(sys.argv) > 2 and not sys.argv[2].startswith("--")


def check(what, ok, shown=""):
    if not ok:
        failures.append(what)
        print(f"FAIL {what}: {str(shown)[:600]}")


def test_token(server):
    own = server.token
    for name, token in {"no token": "", "short": own[:-1], "long": own + "0",
                        "other": "0" * 32, "upper case": own.upper() + "A"}.items():
        status, _, text = server.ask("", raw=f"/{token}/play/rules")
        check(f"token: {name}", status == 403 and "Playground" not in text, (status, text))
    status, _, text = server.ask("", raw="/")
    check("token: the root", status == 403 and own not in text, (status, text))
    check("token: right", server.ask("play/rules")[0] == 200)


def test_host_and_origin(server):
    own = f"127.0.0.1:{server.port}"
    for host, wanted in {own: 200, f"localhost:{server.port}": 200, "evil.example": 403,
                         f"evil.example:{server.port}": 403, f"{own}.evil.example": 403,
                         "127.0.0.1": 403, f"[::1]:{server.port}": 403}.items():
        status, _, _ = server.ask("play/rules", headers={"Host": host})
        check(f"Host: {host}", status == wanted, status)
    fields = {"task": "check", "text": "x"}
    for origin, wanted in {f"http://{own}": 200, "null": 403, "http://evil.example": 403,
                           f"https://{own}": 403, f"http://{own}.evil.example": 403,
                           "http://127.0.0.1:1": 403}.items():
        status, _, _ = server.ask("play/rules", "POST", fields, {"Origin": origin})
        check(f"Origin: {origin}", status == wanted, status)
    for site, wanted in {"same-origin": 200, "cross-site": 403, "same-site": 403}.items():
        status, _, _ = server.ask("play/rules", "POST", fields, {"Sec-Fetch-Site": site})
        check(f"Sec-Fetch-Site: {site}", status == wanted, status)


def test_methods(server):
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "get"]:
        status, headers, _ = server.ask("play/rules", method)
        check(f"method {method}", status == 405 and "Access-Control-Allow-Origin" not in headers, status)
    status, headers, text = server.ask("play/rules", "HEAD")
    check("method HEAD", status == 200 and text == "", status)
    for path in ["rules", "play/nothing", ""]:
        status, _, _ = server.ask(path, "POST", {"task": "prove", "text": "x"})
        check(f"POST to {path!r}", status == 400, status)
    status, _, _ = server.ask("play/rules", "POST", body="x", headers={"Content-Type": "text/plain"})
    check("POST of plain text", status == 415, status)


def test_headers(server):
    for path in ["play/rules", "nothing", "static/explorer.css"]:
        _, headers, _ = server.ask(path)
        policy = headers.get("Content-Security-Policy", "")
        check(f"policy of {path}", "default-src 'none'" in policy and "unsafe" not in policy
              and "frame-ancestors 'none'" in policy, policy)
        check(f"nosniff of {path}", headers.get("X-Content-Type-Options") == "nosniff", headers)
        check(f"referrer of {path}", headers.get("Referrer-Policy") == "same-origin", headers)


def test_paths(server):
    for path in ["../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/etc/passwd", "static/../Makefile",
                 "static/%2e%2e%2fMakefile", "static//etc/passwd", "/etc/passwd", "static/explorer.css%00.js",
                 "play/rules/../../Makefile", "\\..\\..\\Makefile", "static/..%5c..%5cMakefile", "%ff%fe", "a" * 4000]:
        status, _, text = server.ask(path)
        check(f"path {path[:40]}", status in (400, 404) and "root:" not in text and "LAYERS" not in text,
              (status, text))


def test_bodies(server):
    with socket.create_connection(("127.0.0.1", server.port), 30) as stream:
        stream.sendall(f"POST /{server.token}/play/rules HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                       f"Content-Length: {1 << 40}\r\n\r\n".encode())
        check("a body of a TiB", b" 413 " in stream.recv(4096).split(b"\r\n")[0])
    with socket.create_connection(("127.0.0.1", server.port), 30) as stream:
        stream.sendall(f"POST /{server.token}/play/rules HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                       "Content-Type: application/x-www-form-urlencoded\r\n"
                       "Transfer-Encoding: chunked\r\n\r\n".encode())
        sent, chunk = 0, b"10000\r\n" + b"a" * 65536 + b"\r\n"
        try:
            while sent < 64 << 20:
                stream.sendall(chunk)
                sent += 65536
        except OSError:
            pass
        check("a body without an end", sent < 32 << 20, sent)
    status, _, text = server.ask("play/rules", "POST", {"task": "check", "text": "a\0b"})
    check("a NUL in a field", status == 400, (status, text))
    status, _, text = server.ask("play/rules", "POST", {f"f{i}": "x" for i in range(100)})
    check("a hundred fields", status == 400, (status, text))
    status, _, _ = server.ask("play/rules", headers={"X-Long": "a" * (1 << 17)})
    check("a head of 128 KiB", status in (431, 413, 400), status)
    check("memory after large bodies", server.memory() < 200 << 20, server.memory())


def test_prove(server):
    status, _, text = server.ask("play/rules", "POST", {"task": "prove", "text": RULE % "wrong"})
    check("a page with verdicts", status == 200 and text.count("refuted") >= 5 and "<h1" in text, text[-500:])
    status, _, text = server.ask("play/rules", "POST", {"task": "check", "text": "x"})
    check("errors as JSON", status == 200 and text.startswith("[{"), text)
    status, _, text = server.ask("play/rules", "POST", {"task": "lint", "text": (RULE % "b").replace("\n", "\r\n")})
    check("lines that end with CR LF", "?" not in text.split("<textarea")[1].split("</textarea>")[0], text)
    lines = server.live("play/rules", {"task": "prove", "text": RULE % "wrong"})
    check("lines with verdicts", "refuted" in lines[-1].get("html", ""), lines)
    check("lines of progress", any("progress" in line or "waiting" in line for line in lines[:-1]), lines)
    # Within the proof of one rule, if it takes as long as people need to read.
    begin = time.monotonic()
    lines = server.live("play/rules", {"task": "prove", "text": CONVOLUTION % 0})
    check("lines of obligations", time.monotonic() - begin < 3 or
          any("obligations" in line.get("progress", "") for line in lines), lines[:-1])
    lines = server.live("play/rules", {"task": "check", "text": "rule a {\n  axes x\n}"})
    check("errors with their place", lines[-1].get("json", [{}])[0].get("line") == 3, lines)


PROGRAM = """func.func @main(%image: tensor<32x48xf32>) -> tensor<8x24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reverse %image, dims = [1] : tensor<32x48xf32>
  %1 = stablehlo.pad %0, %zero, low = [2, 2], high = [2, 2], interior = [0, 0]
       : (tensor<32x48xf32>, tensor<f32>) -> tensor<36x52xf32>
  %2 = stablehlo.slice %1 [2:34, 2:50] : (tensor<36x52xf32>) -> tensor<32x48xf32>
  %3 = stablehlo.reverse %2, dims = [1] : tensor<32x48xf32>
  %4 = stablehlo.slice %3 [8:24:2, 0:48:2] : (tensor<32x48xf32>) -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}
"""
NARROW = """rule my_slices {
  axes x;
  map n, s, e, t, f on x;
  tensor A[x: n] : any;
  slice(slice(A, start=s, limit=e), start=t, limit=f) => slice(A, start=s+t, limit=s+f);
}
"""


def answer_of(text):
    return text.split('id="answer"')[1]


def test_files(server):
    """The obligations of a rule are a file that a job makes."""
    for path in ["smt2/slice/no_such_rule.smt2", "smt2/.smt2", "smt2/slice.smt2", "smt2/../rules.smt2"]:
        check(f"no file {path}", server.ask(path)[0] in (404, 503), path)
    if not LIBRARY:
        return
    status, headers, text = server.ask("smt2/slice/slice_of_slice.smt2")
    check("obligations", status == 200 and "(check-sat)" in text and
          headers.get("Content-Disposition") == "attachment", (status, headers, text[:200]))
    check("nothing of the job is left", not server.children())


def test_programs(server):
    """Steps lead to lines; each operation of the result says what came near; the e-graph around a class."""
    if not LIBRARY:
        return
    _, _, text = server.ask("play/programs", "POST", {"task": "simplify", "text": PROGRAM})
    names = set(re.findall(r' id="([^"]+)"', text))
    links = set(re.findall(r'href="#((?:before|after|line)-\d+)"', answer_of(text)))
    check("steps lead to lines", {"before-6", "before-7"} <= links, links)
    check("every link has its place", links <= names, links - names)
    _, _, text = server.ask("play/programs", "POST", {"task": "missed", "text": PROGRAM})
    line = re.search(r"<details><summary><code><i>2</i>(.*?)</details>", answer_of(text), re.S)
    check("why not", line and "stablehlo.slice" in line[1] and "slice_of_everything" in line[1] and
          "<code>ceildiv(e - s, p) == n</code>" in line[1], text[-3000:])
    _, _, text = server.ask("play/programs", "POST", {"task": "egraph", "text": PROGRAM, "around": "c1"})
    check("around a class", "<svg" in text and "neighbourhood of class c1" in text or "graphviz" in text, text[-500:])
    _, _, text = server.ask("play/programs", "POST", {"task": "egraph", "text": PROGRAM, "around": "nothing"})
    check("around no class", "no class nothing" in answer_of(text), text[-500:])


def test_learn(server):
    """A rule from an example, with its picture and programs that differ; a wrong pair."""
    page = server.ask("play/learn")[2]
    before, after = [html.unescape(text).lstrip("\n") for text in re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)[:2]]
    text = answer_of(server.ask("play/learn", "POST", {"task": "learn", "text": before, "after": after})[2])
    check("a rule", "holds for all ranks and sizes" in text and "rule learned" in text, text[:2000])
    check("its picture", 'id="picture"' in text and "data-picture" in text, text[-3000:])
    check("where it fails", "Without <code>" in text, text[-3000:])
    both = answer_of(server.ask("play/learn", "POST", {"task": "learn", "text": before + after})[2])
    check("two functions of one text", "holds for all ranks and sizes" in both, both[:2000])
    page = server.ask("play/learn?example=wrong")[2]
    before, after = [html.unescape(text).lstrip("\n") for text in re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)[:2]]
    text = answer_of(server.ask("play/learn", "POST", {"task": "learn", "text": before, "after": after})[2])
    check("a wrong pair", "not equal" in text and "func.func public @main()" in text, text[:2000])
    text = answer_of(server.ask("play/learn", "POST", {"task": "learn", "text": "", "after": after})[2])
    check("no program", "no program before" in text, text[:500])
    text = answer_of(server.ask("play/learn", "POST", {"task": "learn", "text": before, "after": "func.func @"})[2])
    check("a program that is none", "error" in text, text[:500])


def test_relatives(server):
    """More general rules and special cases; none where there is none."""
    if not LIBRARY:
        return
    _, _, text = server.ask("play/rules", "POST", {"task": "relatives", "text": NARROW})
    general = answer_of(text).split("More general")
    check("a more general rule", len(general) == 2 and "slice/slice_of_slice<" in general[1].split("</ul>")[0], text[-1500:])
    _, _, text = server.ask("play/rules", "POST", {"task": "relatives", "text": RULE % "alone"})
    check("a false rule is no special case", "More general" not in answer_of(text) and
          "was not derived" in answer_of(text), text[-1500:])


def running(server, seconds=5):
    """Waits until the server has a process of a job."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not server.children():
        time.sleep(0.01)
    return server.children()


# A job of many seconds, as a browser without scripts asks for it.
def start_long(server):
    rules = "\n".join(CONVOLUTION % i for i in range(20))
    connection = server.connect()
    connection.request("POST", f"/{server.token}/play/rules",
                       urllib.parse.urlencode({"task": "prove", "text": rules}),
                       {"Content-Type": "application/x-www-form-urlencoded"})
    return connection


def test_leaving(server):
    for shut in [False, True]:
        connection = start_long(server)
        check("a job runs", running(server))
        if shut:
            connection.sock.shutdown(socket.SHUT_WR)
        else:
            connection.close()
        end = time.monotonic() + 3
        while time.monotonic() < end and server.children():
            time.sleep(0.01)
        check("a job ends when its client leaves", not server.children())
        connection.close()


def test_killed(server):
    for number in [signal.SIGKILL, signal.SIGABRT]:
        connection = start_long(server)
        check("a job runs", running(server))
        os.kill(server.children()[0], number)
        answer = connection.getresponse()
        text = answer.read().decode()
        check(f"a killed job is answered ({number})", answer.status == 200 and
              f"signal {int(number)}" in text and "my_convolution" in text, text[-600:])
        check("nothing of a killed job is left", not server.children())
        connection.close()


# Elements and attributes that the answers and their pages have.  What is in quotes or in text
# cannot run; a payload that came through as markup would show up here.
class Markup(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.wrong = []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if tag in ("iframe", "object", "embed", "base", "style", "template", "body", "meta", "img") and \
                not (tag in ("meta", "body") and "onload" not in names and "http-equiv" not in names):
            self.wrong.append(tag)
        if tag == "script" and not re.fullmatch(r"(\.\./)*static/[a-z-]+\.js", dict(attributes).get("src", "")):
            self.wrong.append("script")
        self.wrong += [f"{tag} {name}" for name in names
                       if name.startswith("on") or name in ("style", "autofocus", "srcdoc", "xlink:href")]
        for name, value in attributes:
            if name in ("href", "src", "action", "data") and (value or "").strip().lower().startswith(
                    ("javascript:", "//", "http:", "https:")):
                self.wrong.append(f"{tag} {name}={value}")


def test_injection(server):
    one = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.reverse %a, dims = [0] : tensor<4xf32>\n" \
          "  %1 = stablehlo.reverse %0, dims = [0] : tensor<4xf32> {mhlo.x = \"{0}\"}\n  return %1 : tensor<4xf32>\n} // {0}"
    rule = "/// {0}\nrule my_rule {\n  origin \"{0}\";\n  axes x;\n  map n on x;\n  tensor A[x: n] : num;\n  add(A, 1) => A;\n}\n"
    record = '{"format": "rankwright proof record", "version": 4, "input": "{0}", "output": "{0}", "rules": [{"name": "{0}", "hash": "{0}"}]}'
    texts = {"play/rules": [("prove", "{0}"), ("prove", rule), ("lint", rule)],
             "play/programs": [("simplify", "{0}"), ("simplify", one)], "play/formulas": [("formula", "{0}"), ("formula", "x + {0}")], "play/learn": [("learn", "{0}")],
             "play/kernels": [("lift", "{0}")], "play/records": [("record", "{0}"), ("record", record)]}
    for i, payload in enumerate(payloads.PAYLOADS):
        for k, (path, forms) in enumerate(texts.items()):
            # Every payload goes through every page, and with --slow through every form of it.
            for task, form in forms if SLOW else [forms[i % len(forms)]]:
                fields = {"task": task, "text": form.replace("{0}", payload), "given": payload, "grid": payload,
                          "reading": payload, "cost": payload, "client": payload, payload: "x"}
                _, headers, text = server.ask(path, "POST", fields)
                parser = Markup()
                if headers.get("Content-Type", "").startswith("text/html"):
                    parser.feed(text)
                check(f"payload {i} through {path}", not parser.wrong, (payload, parser.wrong))
        query = urllib.parse.urlencode({"text": payload, "example": payload, "rule": payload, "given": payload})
        parser = Markup()
        parser.feed(server.ask(f"play/formulas?{query}")[2])
        check(f"payload {i} through a query", not parser.wrong, (payload, parser.wrong))


def judge(what, status, text):
    """An answer without markup of a payload, of a job that did not die."""
    parser = Markup()
    parser.feed(text)
    check(what, status in (200, 400, 404) and not parser.wrong and "by signal" not in text, (status, parser.wrong))


def test_positions(server):
    """Payloads where a text is read without an error: quoted names, attributes, comments, labels of pictures."""
    for k, (path, task, form) in enumerate(positions.FORMS):
        for payload in payloads.PAYLOADS[0 if SLOW else k % 17::1 if SLOW else 17]:
            text = positions.filled(form, payload)
            fields = {"task": task, "text": text, "after": text, "assume": payload, "expect": payload, "around": payload}
            status, _, answer = server.ask(path, "POST", fields)
            judge(f"payload {payload!r} in {task} of {path}", status, answer)


def test_records(server):
    """A record in which one name or text after the other is a payload."""
    if not LIBRARY:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flip.mlir")
        with open(path, "w") as file:
            file.write(PROGRAM)
        subprocess.run([sys.argv[1], "simplify", path, "--db", sys.argv[2], "--proof", path + ".json"], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path + ".json") as file:
            record = json.load(file)
    count = 0
    while True:
        bent = positions.bent(record, payloads.PAYLOADS[count * 7 % 100], count)
        if bent is None:
            break
        status, _, text = server.ask("play/records", "POST", {"task": "record", "text": json.dumps(bent)})
        judge(f"place {count} of a record", status, text)
        count += 1 if SLOW else 5
    check("places of a record", count > 50, count)


def test_lists(server):
    """Filters, orders, names and paths of the pages that read."""
    for i, payload in enumerate(payloads.PAYLOADS):
        quoted = urllib.parse.quote(payload, safe="")
        names = ["q", "op", "domain", "verdict", "family", "precondition", "origin", "layer", "reason", "sort", payload]
        query = urllib.parse.urlencode([(name, payload) for name in names])
        for path in [f"rules?{query}", f"rule/{quoted}/{quoted}", f"operator/{quoted}", f"{quoted}", f"static/{quoted}",
                     f"smt2/{quoted}/{quoted}.smt2", f"play/{quoted}", f"play/rules?example={quoted}&rule={quoted}"]:
            status, _, text = server.ask(path)
            parser = Markup()
            parser.feed(text)
            check(f"payload {i} in {path[:20]}", status in (200, 400, 404, 503) and not parser.wrong,
                  (payload, status, parser.wrong))


TASKS = {"play/rules": ["prove", "check", "repair", "generalize", "lint", "known", "relatives", "words"],
         "play/programs": ["simplify", "missed", "egraph"], "play/formulas": ["formula"], "play/learn": ["learn"],
         "play/kernels": ["lift"], "play/records": ["record"]}


def test_wrong_forms(server):
    """Nothing, blanks, half of something, the task of another page: each is answered, and no job dies."""
    texts = [None, "", " \n\t\r\n ", "{", "\"", "(" * 20000, "\ufeff", "\U0001f600" * 50, "a" * 200000, "-- \\", "%0 = ",
             "rule", "HloModule", "module {", "[]", "[" * 50000, "{\"format\": \"rankwright proof record\"}", "x" + "+x" * 5000]
    for path, tasks in TASKS.items():
        for task in tasks:
            for k, text in enumerate(texts):
                fields = {"task": task} if text is None else {"task": task, "text": text, "after": text}
                status, _, answer = server.ask(path, "POST", fields)
                judge(f"text {k} for {task}", status, answer)
        for other in ["nothing", "smt2", "", *(task for page in TASKS if page != path for task in TASKS[page])]:
            status, _, answer = server.ask(path, "POST", {"task": other, "text": "x"})
            judge(f"{other!r} of {path}", status, answer)
        status, _, answer = server.ask(path, "POST", {"text": "x"})
        judge(f"no task of {path}", status, answer)
    # Files, parts without names, parts that never end.
    parts = "--limit\r\nContent-Disposition: form-data%s\r\n\r\n%s\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=limit"}
    for name, body in {"a file": parts % ('; name="task"', "check") + parts % ('; name="text"; filename="a.rw"', "x") + "--limit--\r\n",
                       "a file of a bad name": parts % ('; name="text"; filename="../<b>.rw"', "x") + parts % ('; name="task"', "lint") + "--limit--\r\n",
                       "a part without a name": parts % ("", "x") + "--limit--\r\n", "no end": parts % ('; name="task"', "lint"),
                       "no parts": "--limit--\r\n", "another boundary": "--c\r\n\r\n"}.items():
        status, _, answer = server.ask("play/rules", "POST", body=body, headers=kind)
        judge(name, status, answer)


def slow_crowd(server):
    """50 clients that prove: every one is answered, memory stays bounded."""
    wrong = []

    def prove(number):
        for turn in range(3):
            lines = server.live("play/rules", {"task": "prove", "text": CONVOLUTION % number, "client": f"c{number}"})
            if "proved" not in lines[-1].get("html", ""):
                wrong.append(lines[-1])
    threads = [threading.Thread(target=prove, args=(i,)) for i in range(50)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    slowest = 0
    while any(thread.is_alive() for thread in threads):
        begin = time.monotonic()
        server.ask("play/rules")
        slowest = max(slowest, time.monotonic() - begin)
        time.sleep(0.2)
    print("50 clients, 3 proofs each: %.1f s; a page meanwhile in %.0f ms at most; %.0f MB" %
          (time.monotonic() - start, slowest * 1e3, server.memory() / 1e6))
    check("50 clients that prove", not wrong, wrong[:2])
    check("memory with 50 clients", server.memory() < 200 << 20, server.memory())
    check("a page beside 50 clients", slowest < 1, slowest)


def slow_connections(server):
    """10,000 connections that say nothing, or half of a request; a page is served beside them."""
    held, opened = [], 0
    head = f"POST /{server.token}/play/rules HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()
    for i in range(10000):
        try:
            stream = socket.create_connection(("127.0.0.1", server.port), 2)
            opened += 1
            if i % 2:
                stream.sendall(head)
            held.append(stream)
        except OSError:
            pass
        if len(held) > 900:
            held.pop(0).close()
        if i % 1000 == 999:
            begin = time.monotonic()
            check(f"a page beside {i + 1} connections", server.ask("play/rules")[0] == 200)
            check("in a second", time.monotonic() - begin < 1, time.monotonic() - begin)
    print(f"{opened} connections opened; {server.memory() / 1e6:.0f} MB")
    check("10,000 connections", opened > 9000, opened)
    for stream in held:
        stream.close()


def slow_requests(server):
    """A byte a second: cut after the time that a request may take."""
    head = f"GET /{server.token}/play/rules HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX: ".encode()
    begin = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), 2) as stream:
        stream.sendall(head)
        try:
            while time.monotonic() - begin < 60:
                stream.sendall(b"a")
                time.sleep(0.5)
        except OSError:
            pass
    check("a request that never ends", time.monotonic() - begin < 30, time.monotonic() - begin)


def slow_time(server):
    server.ask("play/rules")
    times = []
    for _ in range(20):
        begin = time.monotonic()
        server.ask("play/rules")
        times.append(time.monotonic() - begin)
    check("a page in 50 ms", sorted(times)[10] < 0.05, times)


def main():
    program, database = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    server = Server(program, database if not database.startswith("--") else "")
    kinds = ("test_", "slow_") if SLOW else ("test_",)
    tests = [value for name, value in globals().items() if name.startswith(kinds)]
    for test in tests:
        test(server)
        check(f"alive after {test.__name__}", server.process.poll() is None)
    status, errors = server.stop()
    check("ends in order", status in (0, 143, -15), (status, errors))
    print("explorer: %d failures" % len(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
