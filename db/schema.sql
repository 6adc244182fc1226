-- SPDX-License-Identifier: Apache-2.0
-- The rule database.  PRAGMA user_version is the number of the last section
-- that was applied; opening a database applies the sections it lacks, each in
-- one transaction.  A new version of the schema is a new section at the end.

-- version 1: rules, verdicts, obligations, counterexamples, runs
CREATE TABLE rule (
    hash       TEXT PRIMARY KEY,          -- SHA-256 of the canonical text
    name       TEXT NOT NULL,
    family     TEXT NOT NULL,             -- file it came from, without .rw
    source     TEXT NOT NULL,             -- as written, reprinted
    canonical  TEXT NOT NULL,
    doc        TEXT NOT NULL,
    claims     INTEGER NOT NULL,          -- mask of domains, bit = enum domain
    added      TEXT NOT NULL              -- UTC time
) STRICT;
CREATE INDEX rule_name ON rule(name);
CREATE TABLE current (                    -- the text a name stands for now
    name       TEXT PRIMARY KEY,
    hash       TEXT NOT NULL REFERENCES rule(hash)
) STRICT;
CREATE TABLE origin (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    origin     TEXT NOT NULL,
    PRIMARY KEY (rule, origin)
) STRICT;
CREATE TABLE operator (                   -- operators of either side
    rule       TEXT NOT NULL REFERENCES rule(hash),
    op         TEXT NOT NULL,
    PRIMARY KEY (rule, op)
) STRICT;
CREATE TABLE precondition (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    seq        INTEGER NOT NULL,
    text       TEXT NOT NULL,             -- as written
    roles      TEXT NOT NULL,             -- what its maps are used for on the
                                          -- left side: " size stride "
    PRIMARY KEY (rule, seq)
) STRICT;
CREATE TABLE run (
    id         INTEGER PRIMARY KEY,
    started    TEXT NOT NULL,
    finished   TEXT,
    command    TEXT NOT NULL,
    verifier   TEXT NOT NULL,
    semantics  TEXT NOT NULL,
    solver     TEXT NOT NULL
) STRICT;
CREATE TABLE verdict (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    domain     TEXT NOT NULL,
    verdict    TEXT NOT NULL CHECK (verdict IN ('proved','refuted','unknown')),
    rung       TEXT NOT NULL,
    reason     TEXT NOT NULL,
    method     TEXT NOT NULL,
    bound      TEXT NOT NULL,             -- JSON {class: rank}
    bound_why  TEXT NOT NULL,
    instances  INTEGER NOT NULL,
    obligations INTEGER NOT NULL,
    solver     TEXT NOT NULL,
    seconds    REAL NOT NULL,
    verifier   TEXT NOT NULL,             -- versions that gave the verdict
    semantics  TEXT NOT NULL,
    run        INTEGER NOT NULL REFERENCES run(id),
    PRIMARY KEY (rule, domain)
) STRICT;
CREATE TABLE obligation (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    domain     TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    ranks      TEXT NOT NULL,
    detail     TEXT NOT NULL,
    verdict    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    seconds    REAL NOT NULL,
    effort     INTEGER NOT NULL,
    PRIMARY KEY (rule, domain, seq)
) STRICT;
CREATE TABLE counterexample (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    domain     TEXT NOT NULL,
    json       TEXT NOT NULL,
    PRIMARY KEY (rule, domain)
) STRICT;
CREATE TABLE remark (
    rule       TEXT NOT NULL REFERENCES rule(hash),
    seq        INTEGER NOT NULL,
    text       TEXT NOT NULL,
    PRIMARY KEY (rule, seq)
) STRICT;

-- version 2: proof records and the rules they used
CREATE TABLE record (
    id         TEXT PRIMARY KEY,          -- SHA-256 of the record's text
    created    TEXT NOT NULL,
    domain     TEXT NOT NULL,
    steps      INTEGER NOT NULL
) STRICT;
CREATE TABLE use (
    record     TEXT NOT NULL REFERENCES record(id),
    rule       TEXT NOT NULL,
    count      INTEGER NOT NULL,
    PRIMARY KEY (record, rule)
) STRICT;
CREATE INDEX use_rule ON use(rule);

-- version 3: what holds in float of rules that are not exact there
ALTER TABLE verdict ADD COLUMN grade TEXT NOT NULL DEFAULT 'none';

-- version 4: whole libraries
CREATE TABLE complete (library TEXT PRIMARY KEY) STRICT;

-- version 5: rules as they are written on named terms (formula/rules/named.h); kept
-- because making them takes longer than most formulas
CREATE TABLE named (
    rule       TEXT PRIMARY KEY REFERENCES rule(hash),
    version    TEXT NOT NULL,             -- of who wrote it
    domain     TEXT NOT NULL,             -- must be proved there; '': none
    defines    INTEGER NOT NULL,          -- it is the definition of a function
    forward    TEXT NOT NULL,             -- lines, or nothing
    backward   TEXT NOT NULL
) STRICT;

-- version 6: a name belongs to the file that the rule came from
CREATE TABLE standing (
    family     TEXT NOT NULL,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL REFERENCES rule(hash),
    PRIMARY KEY (family, name)
) STRICT;
INSERT INTO standing SELECT r.family, c.name, c.hash FROM current c JOIN rule r USING (hash);
DROP TABLE current;
CREATE TABLE current (                    -- the text a name of a family stands for now
    family     TEXT NOT NULL,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL REFERENCES rule(hash),
    PRIMARY KEY (family, name)
) STRICT;
CREATE INDEX current_hash ON current(hash);
INSERT INTO current SELECT * FROM standing;
DROP TABLE standing;

-- version 7: what the engine knows of a rule before it reads the rule (db/outline.h)
CREATE TABLE outline (
    rule       TEXT PRIMARY KEY REFERENCES rule(hash),
    version    TEXT NOT NULL,             -- of who wrote it
    roots      INTEGER NOT NULL,          -- sets of operators
    needs      INTEGER NOT NULL,
    depth      INTEGER NOT NULL,
    simplifies INTEGER NOT NULL,
    seal       INTEGER NOT NULL           -- checksum of all that and the rule's hash
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_order ON rule(family, name, hash);
CREATE INDEX verdict_proved ON verdict(rule, verifier, semantics) WHERE verdict = 'proved';
