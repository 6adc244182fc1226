"""Merges made in any order, in any grouping, again and again: the databases
must hold the same.  Sources are made of a worker's lines: parts of them, with
other verdicts, times, names, families and doc comments, contradictions among
them.

    merge_orders.py RANKWRIGHT LINES FOLDER SEED ROUNDS
"""
import json, os, random, sqlite3, subprocess, sys

rankwright, lines, folder, seed, rounds = sys.argv[1:]
rng = random.Random(int(seed))
lines = [json.loads(l) for l in open(lines)]
lines = [o for o in lines if o["domain"]]
# False rules whose counterexamples a short search does not find: only of these a false proof is
# stored, and contradicts a refutation.
deep = [o for o in lines if o["rule"].startswith("square_of_") and o["verdict"] == "refuted"]
false = [o for o in lines if o["verdict"] == "refuted"][:10] + deep * 5
proof = next(o for o in lines if o["verdict"] == "proved")["report"]["domains"][0]["obligations"]
rules = sorted({o["rule"] for o in lines})
counts = {"disagree": 0, "renamed": 0, "unknown": 0, "proved": 0}

TABLES = {
    "rule": "hash, name, family, source, canonical, doc, claims",
    "current": "name, hash", "origin": "rule, origin", "operator": "rule, op",
    "precondition": "rule, seq, text, roles",
    "verdict": "rule, domain, verdict, rung, reason, method, bound, bound_why,"
               " instances, obligations, solver, seconds, verifier, semantics,"
               " grade",
    "obligation": "rule, domain, seq, kind, ranks, detail, verdict, reason,"
                  " effort",
    "counterexample": "rule, domain, json", "remark": "rule, seq, text",
}


def content(db):
    con = sqlite3.connect(db)
    out = {t: sorted(con.execute(f"select {c} from {t}"))
           for t, c in TABLES.items()}
    # what `query --json` and the other readers see
    out["query"] = subprocess.run(
        [rankwright, "query", "--json", "--db", db],
        capture_output=True, text=True, check=True).stdout.split("\n")
    for check in ("pragma integrity_check", "pragma foreign_key_check"):
        assert con.execute(check).fetchall() in ([("ok",)], []), check
    con.close()
    return out


def merge(db, sources):
    p = subprocess.run([rankwright, "merge", "--db", db] + sources,
                       capture_output=True, text=True)
    assert p.returncode in (0, 70), (p.returncode, p.stderr)
    return p


def with_domain(o, **change):
    o["report"]["domains"][0].update(change)
    for k in ("verdict", "reason", "rung", "grade", "seconds"):
        o[k] = o["report"]["domains"][0][k]


def vary(o):
    """Another source's line about the same rule and domain."""
    original, o = o, json.loads(json.dumps(o))
    d = o["report"]["domains"][0]
    what = rng.randrange(8)
    if rng.randrange(3) == 0:
        o["report"]["remarks"] = rng.sample(["one", "two", "three"],
                                            rng.randrange(4))
    if what == 0:
        with_domain(o, verdict="unknown", rung="none", grade="none",
                    counterexample=None,
                    reason=rng.choice(["time", "memory", "not confirmed: x",
                                       "the worker died (signal 9)"]))
        counts["unknown"] += 1
    elif what == 1:
        with_domain(o, seconds=rng.choice([0.25, 1.0, 2.0]))
    elif what == 2 and d["verdict"] == "proved":
        with_domain(o, rung=rng.choice(["uninterpreted", "arithmetic"]))
    elif what == 3 and d["verdict"] == "proved":
        with_domain(o, method="another", solver="z3 9")
    elif what == 4:
        with_domain(o, reason="a remark")
    elif what == 5:
        o["family"] = rng.choice(["alpha", "omega", o["family"]])
        o["text"] = rng.choice(["/// A comment.\n", ""]) + o["text"]
    elif what == 6:
        other = rng.choice(rules)
        o["text"] = o["text"].replace("rule " + o["rule"] + " ",
                                      "rule " + other + " ", 1)
        o["rule"] = other
        counts["renamed"] += 1
    elif what == 7 and original in deep:
        with_domain(o, verdict="proved", rung="arithmetic", obligations=proof,
                    counterexample=None)
        counts["proved"] += 1
    return o


def source(name, n):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        for _ in range(n):
            some = false if rng.randrange(4) == 0 else lines
            f.write(json.dumps(vary(rng.choice(some))) + "\n")
    return path


for r in range(int(rounds)):
    sources = [source(f"s{r}.{i}", rng.randrange(1, 40)) for i in range(5)]
    as_db = [os.path.join(folder, f"s{r}.{i}.db") for i in range(5)]
    for db, s in zip(as_db, sources):
        merge(db, [s])
    want = None
    for k in range(5):
        db = os.path.join(folder, f"o{r}.{k}.db")
        mixed = [rng.choice(p) for p in zip(sources, as_db)]
        rng.shuffle(mixed)
        if k == 1:  # two steps, each source twice
            half = os.path.join(folder, f"h{r}.db")
            merge(half, mixed[:3] + mixed[:1])
            mixed = mixed[2:] + [half] + mixed
        p = merge(db, mixed)
        got = content(db)
        again = merge(db, mixed)
        assert content(db) == got, "merging again changes something"
        assert again.returncode == p.returncode
        disagree = [v for v in got["verdict"] if v[4].startswith("internal")]
        assert bool(disagree) == (p.returncode == 70), (disagree, p)
        counts["disagree"] += len(disagree)
        want = want or got
        for t in want:
            assert got[t] == want[t], (r, k, t, [
                x for x in got[t] if x not in want[t]][:3], [
                x for x in want[t] if x not in got[t]][:3])
print(counts)
assert all(counts.values()), f"something was never tried: {counts}"
