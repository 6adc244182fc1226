"""Simplifies random programs and holds each result against its program.

differential.py RANKWRIGHT DATABASE FIRST COUNT [DIR]: for each seed, in both
float domains, `simplify`, `check`, `eval --compare` on several arguments, on
arguments of special values too (parameters become constants after the
rewrite), side effects counted, the output simplified again, bytes the same
twice.  A failure is minimised and left in DIR.  Status 1 if there was one.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_program as rp  # noqa: E402

LIMITS = ["--nodes", "2500", "--iterations", "8", "--seconds", "600"]
KNOWN = os.environ.get("KNOWN")  # a failure that is not to be reported


def run(*args):
    try:
        r = subprocess.run(args, capture_output=True, text=True, timeout=1200, errors="replace")
        return r.returncode, r.stdout + r.stderr
    except subprocess.TimeoutExpired:
        return 124, "timeout"


def special(text, seed):
    """The program with main's parameters turned into constants."""
    m = re.search(r"func\.func public @main\((.*?)\) -> ", text)
    if not m or not m[1]:
        return None
    rng = random.Random(seed)
    lines = []
    for name, dims, elem in re.findall(r"(%\w+): tensor<((?:\d+x)*)(\w+)>", m[1]):
        d = tuple(int(x) for x in dims.split("x")[:-1])
        p = rp.Program(rng.random())
        vs = [p.value(elem) for _ in range(rp.count(d))]

        def nest(ds, it):
            if not ds:
                return rp.scalar_text(next(it), elem)
            return "[" + ", ".join(nest(ds[1:], it) for _ in range(ds[0])) + "]"
        body = nest(d, iter(vs)) if vs else ""
        lines.append(f"    {name} = stablehlo.constant dense<{body}> : {rp.text((d, elem))}\n")
    head = text[:m.start(1)] + text[m.end(1):]
    at = head.index("{\n", head.index("@main")) + 2
    return head[:at] + "".join(lines) + head[at:]


def effects(text):
    main = text[text.index("@main"):]
    main = main[:main.index("\n  }")]
    return [re.sub(r".*?(custom_call @\w+).*", r"\1", x) for x in main.splitlines()
            if "custom_call" in x and "has_side_effect = false" not in x]


class Tester:
    def __init__(self, rankwright, db, work):
        self.rw, self.db, self.work = rankwright, db, work

    def path(self, name):
        return os.path.join(self.work, name)

    def compare(self, a, b, tolerance, functions):
        for f in functions:
            for seed in range(2 if f == "main" else 1):
                rc, out = run(self.rw, "eval", a, "--compare", b, "--function", f, "--seed", str(seed), "--tolerance", tolerance)
                if rc:
                    return f"eval --compare @{f} seed {seed}: {rc} {out[:300]}"
        return None

    def special(self, p, text, tolerance):
        out = open(self.path("o")).read()
        for k in range(3):
            s, t = special(text, k), special(out, k)
            if s is None or t is None:
                return None
            open(self.path("sp"), "w").write(s)
            open(self.path("so"), "w").write(t)
            rc, msg = run(self.rw, "eval", self.path("sp"), "--compare", self.path("so"), "--tolerance", tolerance)
            if rc:
                return f"special {k}: {rc} {msg[:300]}"
        return None

    def fails(self, text, domain, tolerance, deep=True):
        """Why the program fails, or None."""
        p, o, r = self.path("p"), self.path("o"), self.path("r")
        open(p, "w").write(text)
        rc, msg = run(self.rw, "eval", p)
        if rc:
            return None if rc == 65 else f"eval: {rc} {msg[-300:]}"
        for f in (o, r):
            if os.path.exists(f):
                os.remove(f)
        opts = ["--db", self.db, "--domain", domain] + LIMITS
        rc, msg = run(self.rw, "simplify", p, "-o", o, "--proof", r, *opts)
        if rc not in (0, 2) or not os.path.exists(o):
            return f"simplify: {rc} {msg[-300:]}"
        self.uses += int((re.search(r"(\d+) rule uses", msg) or [0, "0"])[1])
        rc, msg = run(self.rw, "check", r, "--db", self.db)
        if rc:
            return f"check: {rc} {msg[-300:]}"
        # Private functions that are called nowhere any more are left out.
        functions = ["main"] + re.findall(r"@(helper\d+)\(%arg0", open(o).read())
        left_out = set(re.findall(r"@(helper\d+)\(%arg0", text)) - set(functions)
        for name in left_out:
            if f"func.func private @{name}(" not in text or f"@{name}" in open(o).read():
                return f"@{name} is missing"
        why = self.compare(p, o, tolerance, functions)
        if not why and domain == "float":
            why = self.special(p, text, tolerance)
        if why:
            return why
        if effects(text) != effects(open(o).read()):
            return "side effects differ"
        if not deep:
            return None
        first = open(o).read()
        rc, msg = run(self.rw, "simplify", p, "-o", self.path("o2"), "--proof", self.path("r2"), *opts)
        if first != open(self.path("o2")).read() or open(r).read() != open(self.path("r2")).read():
            return "not deterministic"
        rc, msg = run(self.rw, "simplify", o, "-o", self.path("o3"), *opts)
        if rc not in (0, 2):
            return f"simplify again: {rc} {msg[-300:]}"
        return self.compare(p, self.path("o3"), tolerance, ["main"])

    def minimise(self, text, domain, tolerance, why):
        """Drops results and lines as long as the same kind of failure stays."""
        kind = why.split(":")[0][:12]
        same = lambda t: (self.fails(t, domain, tolerance, deep="again" in why or "determ" in why) or "").startswith(kind)
        again = True
        while again:
            again = False
            lines = text.split("\n")
            for i in range(len(lines) - 1, -1, -1):
                cut = "\n".join(lines[:i] + lines[i + 1:])
                m = re.match(r"\s*return (.*) : (.*)$", lines[i])
                tries = [cut] if " = stablehlo" in lines[i] and not lines[i].endswith(("{", "({")) else []
                m2 = re.match(r"\s*(%\w+) = .*-> (\S+)$|\s*(%\w+) = .* : (\S+)$", lines[i])
                if m2 and tries:   # a value becomes a parameter
                    name, ty = (m2[1], m2[2]) if m2[1] else (m2[3], m2[4])
                    t = re.sub(r"@main\((.*?)\)", lambda q: f"@main({q[1]}{', ' if q[1] else ''}{name}: {ty})", cut, count=1)
                    tries.append(t)
                if m:
                    vs, ts = m[1].split(", "), m[2].split(", ")
                    for k in range(len(vs)):
                        if len(vs) > 1:
                            line = f"    return {', '.join(vs[:k] + vs[k+1:])} : {', '.join(ts[:k] + ts[k+1:])}"
                            t = "\n".join(lines[:i] + [line] + lines[i + 1:])
                            tries.append(re.sub(r"(@main\(.*?\)) -> \(.*?\) \{", rf"\1 -> ({', '.join(ts[:k] + ts[k+1:])}) {{", t, count=1))
                for t in tries:
                    if same(t):
                        text, again = t, True
                        break
                if again:
                    break
        return text


def main():
    rankwright, db, first, n = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    keep = sys.argv[5] if len(sys.argv) > 5 else tempfile.mkdtemp()
    os.makedirs(keep, exist_ok=True)
    bad = wrong = uses = 0
    with tempfile.TemporaryDirectory() as work:
        t = Tester(rankwright, db, work)
        for seed in range(first, first + n):
            for domain, real, tolerance in (("float", False, "0"), ("real", True, "1e-6")):
                if domain == "real" and seed % 3:
                    continue
                t.uses = 0
                text = rp.program(seed, real)
                if real and ("x7FF0" in text or "xFFF0" in text):
                    continue  # infinities are no real numbers: they may differ
                open(t.path("p"), "w").write(text)
                rc, msg = run(rankwright, "eval", t.path("p"))
                if rc == 65:
                    bad += 1
                    if bad <= 3:
                        print(f"seed {seed} {domain}: not read: {msg[:300]}", flush=True)
                    continue
                why = t.fails(text, domain, tolerance, deep=seed % 4 == 0)
                uses += t.uses
                if why and KNOWN and KNOWN in why:
                    continue
                if why:
                    wrong += 1
                    print(f"FAIL seed {seed} {domain}: {why}", flush=True)
                    if wrong <= 12:
                        small = t.minimise(text, domain, tolerance, why)
                        open(os.path.join(keep, f"{seed}-{domain}.mlir"), "w").write(small)
                        print(small, flush=True)
    print(f"{n} seeds: {wrong} failures, {bad} not read, {uses} uses of rules")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
