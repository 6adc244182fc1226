// SPDX-License-Identifier: Apache-2.0
#include "cli/formula/rules.h"

#include "cli/proving/proving.h"
#include "cli/proving/statuses.h"

#include "formula/rules/named.h"

void formula_rules_init(struct formula_rules *r)
{
    memset(r, 0, sizeof *r);
    ruleset_init(&r->set);
    ruleset_init(&r->assumed);
}

void formula_rules_release(struct formula_rules *r)
{
    fdefines_release(&r->defs);
    vec_release(&r->rules);
    named_rows_release(&r->stored);
    ruleset_release(&r->set);
    ruleset_release(&r->assumed);
}

static const char *lines(const struct rule *r, bool backward, struct arena *mem)
{
    struct buf text = {0};
    struct err why = {0};
    const char *out = "";
    if (named_rule(r, LIFT_RULE_NAME, backward, &text, &why))
        out = arena_strdup(mem, buf_text(&text));
    buf_release(&text);
    return out;
}

// What a rule says of named terms.
static void write_named(const struct rule *r, struct arena *mem,
                        struct named_row *out)
{
    enum domain d;
    out->known = true;
    out->domain = out->forward = out->backward = "";
    out->defines = rule_defines(r);
    if (!named_domain(r, &d))
        return;
    out->forward = lines(r, false, mem);
    out->backward = lines(r, true, mem);
    if (out->defines || *out->forward != 0 || *out->backward != 0)
        out->domain = domain_text(d);
}

static const struct rule *parsed(struct formula_rules *r,
                                 const struct named_row *row, struct err *e)
{
    struct err why = {0};
    const struct rule *x =
        ruleset_add_canonical(&r->set, row->canonical, row->name, &why);
    if (x == NULL)
        err_set(e, ERR_DB, "rule %s of the database does not parse: %s",
                row->name, why.msg);
    return x;
}

// Rows that are not known are made, and kept if that is possible.
static bool complete(struct formula_rules *r, struct db *db, bool *new,
                     struct err *e)
{
    VEC(struct named_row) made = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->stored.at.len; i++) {
        struct named_row *row = &r->stored.at.at[i];
        if (row->known)
            continue;
        const struct rule *x = parsed(r, row, e);
        ok = x != NULL;
        if (!ok)
            continue;
        write_named(x, &r->stored.mem, row);
        vec_push(&made, *row);
    }
    *new = made.len > 0 && db_writable(db);
    // It is only a copy: where it cannot be kept, it is made again.
    struct err why = {0};
    if (ok && *new)
        *new = db_keep_named(db, NAMED_VERSION, made.len, made.at, &why);
    vec_release(&made);
    return ok;
}

static void add(struct formula_rules *r, const struct named_row *row,
                bool assumed)
{
    struct simplify_rule x = {.hash = row->hash,
                          .name = row->name,
                          .canonical = row->canonical,
                          .forward = row->forward,
                          .backward = row->backward,
                          .defines = row->defines,
                          .assumed = assumed};
    vec_push(&r->rules, x);
}

static bool load_stored(struct formula_rules *r, struct wanted_rules *w,
                        struct db *db, struct err *e)
{
    bool new = false;
    bool ok = db_named_rules(db, NAMED_VERSION, &r->stored, e) &&
              complete(r, db, &new, e);
    if (ok && new) { // now each is there only if it is proved in its domain
        named_rows_release(&r->stored);
        ok = db_named_rules(db, NAMED_VERSION, &r->stored, e);
    }
    for (uint32_t i = 0; ok && i < r->stored.at.len; i++) {
        const struct named_row *row = &r->stored.at.at[i];
        if (is_wanted(w, row->hash) && *row->domain != 0)
            add(r, row, false);
    }
    return ok;
}

static bool load_assumed(struct formula_rules *r, const char *files,
                         struct err *e)
{
    if (!files)
        return true;
    if (!load_rules(&r->assumed, files, e))
        return false;
    for (uint32_t i = 0; i < r->assumed.rules.len; i++) {
        const struct rule *x = r->assumed.rules.at[i];
        struct named_row row = {
            .hash = x->hash, .name = x->name, .canonical = x->canonical};
        bool there = false;
        for (uint32_t k = 0; k < r->rules.len && !there; k++)
            there = strcmp(r->rules.at[k].hash, x->hash) == 0;
        write_named(x, &r->stored.mem, &row);
        if (!there && *row.domain != 0)
            add(r, &row, true);
    }
    return true;
}

static bool define_functions(struct formula_rules *r, struct err *e)
{
    VEC(const struct rule *) defining = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->rules.len; i++) {
        const struct simplify_rule *x = &r->rules.at[i];
        struct named_row row = {.canonical = x->canonical, .name = x->name};
        const struct rule *d = x->defines ? parsed(r, &row, e) : NULL;
        ok = !x->defines || d != NULL;
        if (d != NULL)
            vec_push(&defining, d);
    }
    ok = ok && fdefines_of(&r->defs, defining.len, defining.at, e);
    vec_release(&defining);
    return ok;
}

bool formula_rules_load(struct formula_rules *r, const struct command_line *c,
                        struct db *db, struct err *e)
{
    struct wanted_rules w;
    bool ok = wanted_load(&w, c->value[OPTION_rules], e) &&
              load_stored(r, &w, db, e) &&
              load_assumed(r, c->value[OPTION_assume], e) &&
              define_functions(r, e);
    if (ok)
        wanted_remark(&w, 1U << DOMAIN_REAL | 1U << DOMAIN_BOOL,
                      " over the reals", &r->assumed);
    wanted_release(&w);
    return ok;
}
