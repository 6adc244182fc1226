"""One hundred texts that would run, or break a page, if they were not escaped.

payloads.py DATABASE: puts them into every text of the database that pages show, over
and over: names, comments, origins, reasons, methods, details, remarks, runs, records.
payloads.py --count: prints how many there are.
"""
import sqlite3
import sys

RUN = ["alert(1)", "fetch('//x.test')", "document.title='!'"]
WRAPS = [
    "<script>{0}</script>", "</script><script>{0}</script>", "<img src=x onerror={0}>",
    "<svg onload={0}>", "<svg><script>{0}</script></svg>", "\"><script>{0}</script>",
    "'><img src=x onerror={0}>", "\" onmouseover=\"{0}", "' onfocus='{0}' autofocus='",
    "</title><script>{0}</script>", "</style><script>{0}</script>", "<iframe srcdoc='<script>{0}</script>'>",
    "<a href=\"javascript:{0}\">x</a>", "javascript:{0}", "<math><mi xlink:href=\"javascript:{0}\">x</mi></math>",
    "<math><mtext><script>{0}</script></mtext></math>", "<base href=//x.test>{0}", "<meta http-equiv=refresh content=0;url=javascript:{0}>",
    "<object data=javascript:{0}>", "<details open ontoggle={0}>", "<form action=javascript:{0}><button>x",
    "--><script>{0}</script>", "]]><script>{0}</script>", "<!--<script>{0}</script>",
    "<body onload={0}>", "<style>@import 'javascript:{0}'</style>", "<link rel=stylesheet href=javascript:{0}>",
    "</textarea><script>{0}</script>", "</pre></details><script>{0}</script>", "<template><script>{0}</script></template>",
    "&lt;script&gt;{0}&lt;/script&gt;",
]
PAYLOADS = [wrap.format(run) for wrap in WRAPS for run in RUN] + [
    "%3Cscript%3Ealert(1)%3C/script%3E", "\u202e\u2066<b>x</b>\u2069", "a\u2028b\u2029c", "\u200b\u200e<u>",
    "../../../etc/passwd", "..", "x' OR '1'='1",
]
assert len(PAYLOADS) == len(set(PAYLOADS)) == 100

# Of each table: the columns that pages show.
TEXTS = {
    "rule": ["name", "family", "doc"], "origin": ["origin"], "operator": ["op"],
    "precondition": ["text", "roles"], "run": ["started", "command", "verifier", "solver"],
    "verdict": ["bound_why", "solver"],
    "obligation": ["ranks", "detail", "reason"], "remark": ["text"],
    "record": ["created"],
}


def plant(path):
    base = sqlite3.connect(path)
    base.execute("PRAGMA foreign_keys = OFF")
    n = 0
    for (hash_,) in base.execute("SELECT hash FROM rule ORDER BY hash LIMIT 60").fetchall():
        base.execute("INSERT OR IGNORE INTO remark VALUES (?, 0, '')", (hash_,))
        base.execute("INSERT OR IGNORE INTO record VALUES (?, '', 'real', 1)", (hash_,))
        base.execute("INSERT OR IGNORE INTO use VALUES (?, ?, 1)", (hash_, hash_))
    for table, columns in TEXTS.items():
        key = "rowid"
        for row, in base.execute(f"SELECT {key} FROM {table} ORDER BY {key}").fetchall():
            for column in columns:
                base.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {key} = ?",
                             (PAYLOADS[n % 100] + (str(n) if column == "name" else ""), row))
                n += 1
    for hash_, family, name in base.execute("SELECT hash, family, name FROM rule").fetchall():
        base.execute("UPDATE current SET family = ?, name = ? WHERE hash = ?", (family, name, hash_))
    base.commit()
    return n


if __name__ == "__main__":
    print(len(PAYLOADS) if sys.argv[1] == "--count" else plant(sys.argv[1]))
