// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/rewriter.h"

#include "api/rules/rules.h"
#include "base/clock.h"
#include "base/hash.h"

struct rw_rewriter *rw_rewriter_new(struct rw_database *database, const struct rw_rules *only,
                                    const struct rw_rules *assumed)
{
    struct rw_rewriter *rewriter = mem_alloc(sizeof *rewriter);
    rewriter->database = database;
    rewriter->only = only ? &only->set : NULL;
    rewriter->assumed = assumed ? &assumed->set : NULL;
    ruleset_init(&rewriter->set);
    formula_rules_init(&rewriter->formulas);
    return rewriter;
}

static void clear_programs(struct rw_rewriter *rewriter)
{
    vec_release(&rewriter->used);
    vec_release(&rewriter->rules);
    proved_rules_release(&rewriter->proved);
    outline_rows_release(&rewriter->outlines);
    ruleset_release(&rewriter->set);
    ruleset_init(&rewriter->set);
}

void rw_rewriter_free(struct rw_rewriter *rewriter)
{
    if (rewriter == NULL)
        return;
    clear_programs(rewriter);
    ruleset_release(&rewriter->set);
    formula_rules_release(&rewriter->formulas);
    mem_free(rewriter);
}

bool rewriter_context(const struct rw_rewriter *rewriter, struct rw_context **out, struct err *err)
{
    if (rewriter->database == NULL)
        return err_set(err, ERR_USAGE, "expected a rewriter with a database, found one without");
    *out = rewriter->database->context;
    return true;
}

// The engine runs the canonical text of a rule, as the database has it.
static bool parse(struct rw_rewriter *rewriter, struct used_rule used, struct rule_status status,
                  uint32_t number, struct err *err)
{
    struct err why = {0};
    const struct rule *rule = ruleset_add_canonical(
        &rewriter->set, used.canonical, rewriter->rules.at[number].hash, used.name, &why);
    if (rule == NULL)
        return err_set(err, ERR_DB, "rule %s of the database does not parse: %s", used.name,
                       why.msg);
    rewriter->used.at[number] = used;
    rewriter->rules.at[number].use = (struct rule_use){.rule = rule, .status = status};
    return true;
}

bool rewriter_read(struct rw_rewriter *rewriter, uint32_t n, const uint32_t *number,
                   struct err *err)
{
    struct proved_rules *proved = &rewriter->proved;
    struct u32_vec unread = {0};
    VEC(const char *) hash = {0};
    for (uint32_t i = 0; i < n; i++) {
        const struct program_rule *rule = &rewriter->rules.at[number[i]];
        if (rule->read)
            continue;
        vec_push(&unread, number[i]);
        vec_push(&hash, rule->hash);
    }
    uint32_t from = proved->at.len;
    bool ok =
        unread.len == 0 || db_read_proved(rewriter->database->db, unread.len, hash.at, proved, err);
    for (uint32_t i = 0; ok && i < unread.len; i++) {
        const struct proved_rule *row = &proved->at.at[from + i];
        struct rule_status status = {.proved = row->proved, .uninterpreted = row->uninterpreted};
        struct used_rule used = {.name = row->name, .canonical = row->canonical};
        if (status.proved)
            ok = parse(rewriter, used, status, unread.at[i], err);
    }
    for (uint32_t i = 0; ok && i < unread.len; i++)
        rewriter->rules.at[unread.at[i]].read = true;
    vec_release(&unread);
    vec_release(&hash);
    return ok;
}

bool rewriter_misfit(struct rw_rewriter *rewriter, uint32_t number, struct err *err)
{
    struct err why = {0};
    if (db_writable(rewriter->database->db))
        (void)db_forget_outlines(rewriter->database->db, &why);
    return err_at(err, ERR_DB, rewriter->database->path, 0, 0, "the outline of rule %s is damaged",
                  rewriter->used.at[number].name);
}

static void add_number(struct rw_rewriter *rewriter, struct program_rule rule)
{
    vec_push(&rewriter->rules, rule);
    vec_push(&rewriter->used, (struct used_rule){0});
}

// The names of operators in their order, on which the sets of an outline depend, and the version.
static void put_version(struct buf *out)
{
    uint64_t names = 1;
    for (uint32_t op = 0; op < N_OPS; op++)
        names = hash_bytes(op_name((enum op)op), strlen(op_name((enum op)op)), names);
    buf_printf(out, OUTLINE_VERSION " %016llx", (unsigned long long)names);
}

// One column keeps what the rule makes.
static uint32_t makes_number(const struct pattern_outline *outline)
{
    return outline->makes | outline->more << 2;
}

static struct pattern_outline outline_of(const struct outline_row *row)
{
    return (struct pattern_outline){row->roots, row->needs, row->depth,
                                    (enum outline_makes)(row->makes & 3), row->makes >> 2};
}

static bool find_rules(struct rw_rewriter *rewriter, const char *version, struct err *err)
{
    if (!db_outlines(rewriter->database->db, version, &rewriter->outlines, err))
        return false;
    for (uint32_t i = 0; i < rewriter->outlines.at.len; i++) {
        const struct outline_row *row = &rewriter->outlines.at.at[i];
        struct program_rule rule = {.hash = row->hash, .has_outline = row->known};
        rule.outline = outline_of(row);
        if (rewriter->only == NULL || has_rule(rewriter->only, row->hash))
            add_number(rewriter, rule);
    }
    return true;
}

static bool read_now(struct rw_rewriter *rewriter, struct wanted *wanted, struct err *err)
{
    struct u32_vec number = {0};
    bool all = rewriter->only != NULL || rewriter->assumed != NULL;
    for (uint32_t i = 0; i < rewriter->rules.len; i++)
        if (all || !rewriter->rules.at[i].has_outline)
            vec_push(&number, i);
    bool ok = rewriter_read(rewriter, number.len, number.at, err);
    for (uint32_t i = 0; ok && i < number.len; i++)
        if (rewriter->rules.at[number.at[i]].use.rule != NULL)
            (void)is_wanted(wanted, rewriter->rules.at[number.at[i]].hash);
    vec_release(&number);
    return ok;
}

// Makes missing outlines, and keeps them if possible.
static void complete_outlines(struct rw_rewriter *rewriter, const char *version)
{
    VEC(struct outline_row) made = {0};
    struct arena mem = {0};
    for (uint32_t i = 0; i < rewriter->rules.len; i++) {
        struct program_rule *rule = &rewriter->rules.at[i];
        struct pattern pattern;
        if (rule->has_outline || rule->use.rule == NULL)
            continue;
        pattern_compile(&pattern, rule->use.rule, false, &mem);
        rule->outline = pattern_outline(&pattern);
        rule->has_outline = true;
        struct outline_row row = {rule->hash,          true,
                                  rule->outline.roots, rule->outline.needs,
                                  rule->outline.depth, makes_number(&rule->outline)};
        vec_push(&made, row);
    }
    // An outline is only a summary: one that cannot be kept is made again.
    struct err why = {0};
    if (made.len > 0 && db_writable(rewriter->database->db))
        (void)db_keep_outlines(rewriter->database->db, version, made.len, made.at, &why);
    vec_release(&made);
    arena_release(&mem);
}

static uint32_t number_of(const struct rw_rewriter *rewriter, const char *hash)
{
    uint32_t i = 0;
    while (i < rewriter->rules.len && strcmp(rewriter->rules.at[i].hash, hash) != 0)
        i++;
    return i;
}

// An assumed rule is assumed in every use, even if the database has the rule
// too.
static bool load_assumed(struct rw_rewriter *rewriter, struct err *err)
{
    const struct ruleset *assumed = rewriter->assumed;
    for (uint32_t i = 0; assumed && i < assumed->rules.len; i++) {
        const struct rule *rule = assumed->rules.at[i];
        struct used_rule used = {.name = rule->name, .canonical = rule->canonical, .assumed = true};
        uint32_t number = number_of(rewriter, rule->hash);
        if (number < rewriter->rules.len && rewriter->rules.at[number].use.rule != NULL) {
            rewriter->rules.at[number].use.status = status_assumed();
            rewriter->used.at[number].assumed = true;
            continue;
        }
        add_number(rewriter, (struct program_rule){.hash = rule->hash, .read = true});
        if (!parse(rewriter, used, status_assumed(), rewriter->rules.len - 1, err))
            return false;
    }
    return true;
}

bool rewriter_load_programs(struct rw_rewriter *rewriter, struct err *err)
{
    struct wanted wanted;
    if (rewriter->has_programs)
        return true;
    wanted_init(&wanted, rewriter->only);
    struct buf version = {0};
    put_version(&version);
    bool ok = find_rules(rewriter, buf_text(&version), err) && read_now(rewriter, &wanted, err);
    if (ok)
        complete_outlines(rewriter, buf_text(&version));
    ok = ok && load_assumed(rewriter, err);
    buf_release(&version);
    if (ok)
        wanted_remark(&wanted, (1U << N_DOMAINS) - 1, "", rewriter->assumed,
                      rewriter->database->context);
    else
        clear_programs(rewriter);
    wanted_release(&wanted);
    rewriter->has_programs = ok;
    return ok;
}

bool rewriter_load_formulas(struct rw_rewriter *rewriter, struct err *err)
{
    struct wanted wanted;
    double start = clock_wall();
    if (rewriter->has_formulas)
        return true;
    wanted_init(&wanted, rewriter->only);
    bool ok = formula_rules_load(&rewriter->formulas, &wanted, rewriter->assumed,
                                 rewriter->database->db, err);
    if (ok) {
        wanted_remark(&wanted, 1U << DOMAIN_REAL | 1U << DOMAIN_BOOL, " over the reals",
                      rewriter->assumed, rewriter->database->context);
    } else {
        formula_rules_release(&rewriter->formulas);
        formula_rules_init(&rewriter->formulas);
    }
    wanted_release(&wanted);
    rewriter->load_seconds = clock_wall() - start;
    rewriter->has_formulas = ok;
    return ok;
}
