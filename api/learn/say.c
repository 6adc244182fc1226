// SPDX-License-Identifier: Apache-2.0
// What was learned, for people who never read the rule language.
#include "api/learn/learn.h"

#include "api/rules/json.h"
#include "discover/learn/draft.h"

enum { MOST_LINES = 32 };

// ---- a side of the rule as a program with named sizes

static bool is_line(const struct pat *pattern)
{
    return pattern->kind == PAT_OP || pattern->kind == PAT_OPVAR || pattern->kind == PAT_RELABEL ||
           pattern->kind == PAT_SPLAT;
}

static void put_sizes(const struct rule *rule, const struct pat *pattern, struct buf *out)
{
    buf_puts(out, "[");
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        buf_printf(out, "%s%s: ", i ? ", " : "", rule->classes[pattern->sizes[i].cls].name);
        iexp_print(rule, pattern->sizes[i].size, out);
    }
    buf_puts(out, "]");
}

// Prints the operations below the node, a line each, operands first.  What has a line is a
// variable from there on.
static void put_lines(struct draft *draft, uint32_t root, uint32_t *n, const char *indent,
                      struct buf *out)
{
    for (uint32_t i = 0; i <= root; i++) {
        struct pat *pattern = &draft->pats[i];
        struct buf name = {0}, text = {0};
        if (!is_line(pattern) || !draft_below(&draft->r, root, i) || *n >= MOST_LINES)
            continue;
        if (pattern->kind == PAT_SPLAT && i != root)
            continue; // stands in the line of its user
        buf_printf(&name, "%%%u", *n);
        pat_print(&draft->r, i, &text);
        buf_printf(out, "%s%s = %s : ", indent, buf_text(&name), buf_text(&text));
        put_sizes(&draft->r, pattern, out);
        buf_putc(out, '\n');
        uint32_t v = draft->r.n_tensors++;
        draft->tensors[v] = (struct tensor_var){.name = arena_strdup(&draft->mem, buf_text(&name)),
                                                .type = pattern->type,
                                                .n_sizes = pattern->n_sizes,
                                                .sizes = pattern->sizes};
        pattern->kind = PAT_TENSOR;
        pattern->var = v;
        pattern->n_args = 0;
        (*n)++;
        buf_release(&name);
        buf_release(&text);
    }
}

static void put_side(const struct rule *rule, bool right, const char *indent, struct buf *out)
{
    struct draft draft;
    uint32_t n = 0, root = right ? rule->rhs : rule->lhs;
    draft_init(&draft, rule);
    put_lines(&draft, root, &n, indent, out);
    if (n == 0) {
        buf_puts(out, indent);
        pat_print(rule, root, out);
        buf_putc(out, '\n');
    }
    draft_release(&draft);
}

// ---- in words

static void put_classes(const struct rule *rule, struct buf *out)
{
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        const struct axis_class *cls = &rule->classes[c];
        buf_printf(out, "  %s stands for %s\n", cls->name,
                   cls->block            ? "any dimensions in a row, taken as one"
                   : cls->single         ? "one dimension"
                   : cls->least_rank > 0 ? "one dimension or more"
                                         : "any dimensions, also none");
    }
}

static const char *breaks(const struct rw_learned *learned, const char *condition)
{
    const struct generalization *general = &learned->found.general;
    for (uint32_t i = 0; i < general->needs.len; i++)
        if (strcmp(general->needs.at[i].condition, condition) == 0)
            return general->needs.at[i].breaks;
    return NULL;
}

void learned_where(const struct rule *rule, uint32_t w, struct buf *out)
{
    if (rule->wheres[w].cond != NULL) {
        cond_print(rule, rule->wheres[w].cond, out);
        return;
    }
    buf_puts(out, "all(");
    pat_print(rule, rule->wheres[w].pat, out);
    buf_putc(out, ')');
}

static void put_wheres(const struct rw_learned *learned, struct buf *out)
{
    const struct rule *rule = learned->found.rule;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        struct buf text = {0};
        learned_where(rule, w, &text);
        const char *at = breaks(learned, buf_text(&text));
        if (rule->wheres[w].cond != NULL)
            buf_printf(out, "It needs %s along each of these dimensions.", buf_text(&text));
        else
            buf_printf(out, "It needs %s, at every element.", buf_text(&text));
        if (at != NULL && rule->wheres[w].cond == NULL)
            buf_puts(out, " Without that the programs differ."); // its elements stand elsewhere
        else if (at != NULL)
            buf_printf(out, " Without that the programs differ, as at %s.", at);
        buf_putc(out, '\n');
        buf_release(&text);
    }
    for (uint32_t i = 0; i < rule->n_wider; i++)
        buf_printf(out, "It needs a type %s that has every value of %s.\n",
                   rule->types[rule->wider[i].wide].name, rule->types[rule->wider[i].narrow].name);
}

static const char *domain_words(enum domain domain)
{
    static const char *const words[] = {
        [DOMAIN_BOOL] = "truth values",
        [DOMAIN_INT] = "integers that do not overflow",
        [DOMAIN_WORD] = "machine integers, which wrap",
        [DOMAIN_REAL] = "real numbers",
        [DOMAIN_FLOAT] = "floats, bit for bit",
    };
    return words[domain];
}

static const char *example_text(const struct domain_report *report, struct buf *out)
{
    json_t *root = report->counterexample ? json_loads(report->counterexample, 0, NULL) : NULL;
    const char *text = json_string_value(json_object_get(root, "text"));
    buf_puts(out, text ? text : "");
    json_decref(root);
    return buf_text(out);
}

static bool has_monoid(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        if (rule->opvars[i].kind == OPVAR_MONOID)
            return true;
    return false;
}

// The verdict in floats of the pair's own operators; NULL: that of the rule is theirs.
static const struct domain_report *own_floats(const struct rw_learned *learned)
{
    const struct report *own = &learned->found.own;
    for (uint32_t i = 0; i < own->domains.len; i++)
        if (own->domains.at[i].domain == DOMAIN_FLOAT)
            return &own->domains.at[i];
    return NULL;
}

static void put_own(const struct rw_learned *learned, struct buf *out)
{
    const struct domain_report *own = own_floats(learned);
    struct buf at = {0};
    if (own != NULL && own->verdict == VERDICT_PROVED)
        buf_puts(out, "; also with the pair's own operators");
    else if (own != NULL && own->verdict == VERDICT_REFUTED)
        buf_printf(out, ";\n  %-30s with the pair's own operators false: %s", "",
                   example_text(own, &at));
    else if (own != NULL)
        buf_printf(out, ";\n  %-30s with the pair's own operators not decided: %s", "",
                   own->reason);
    buf_release(&at);
}

static void put_domains(const struct rw_learned *learned, struct buf *out)
{
    const struct report *report = &learned->found.report;
    for (uint32_t i = 0; i < report->domains.len; i++) {
        const struct domain_report *one = &report->domains.at[i];
        struct buf at = {0};
        buf_printf(out, "  %-30s ", domain_words(one->domain));
        bool monoid = one->domain == DOMAIN_FLOAT && has_monoid(learned->found.rule);
        if (one->verdict == VERDICT_PROVED) {
            buf_puts(out, monoid ? "proved of maximum and minimum, which do not round" : "proved");
            if (monoid)
                put_own(learned, out);
            buf_putc(out, '\n');
        } else if (one->verdict == VERDICT_REFUTED)
            buf_printf(out, "false: %s\n", example_text(one, &at));
        else
            buf_printf(out, "not decided: %s\n", one->reason);
        buf_release(&at);
    }
}

// The shapes that the rule is about.
static const char *shapes_of(const struct rule *rule)
{
    bool ranks = false;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        ranks = ranks || !rule->classes[c].single;
    return ranks              ? "for all ranks and sizes"
           : rule->n_maps > 0 ? "for all sizes, at these ranks"
                              : "at these shapes";
}

// A list that is joined has as many parts as in the pair.
static uint32_t longest_list(const struct rule *rule)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP && rule->pats[i].op == OP_CONCATENATE &&
            rule->pats[i].n_args > n)
            n = rule->pats[i].n_args;
    return n;
}

// The elements of the rule's types on which it holds, if these are not all.
static void put_proved(const struct report *report, struct buf *out)
{
    static const char *const words[] = {[DOMAIN_BOOL] = "truth values",
                                        [DOMAIN_INT] = "integers without overflow",
                                        [DOMAIN_WORD] = "machine integers",
                                        [DOMAIN_REAL] = "real numbers",
                                        [DOMAIN_FLOAT] = "floats"};
    uint32_t n = 0, proved = 0;
    for (uint32_t i = 0; i < report->domains.len; i++)
        proved += report->domains.at[i].verdict == VERDICT_PROVED;
    for (uint32_t i = 0; i < report->domains.len && proved < report->domains.len; i++) {
        if (report->domains.at[i].verdict != VERDICT_PROVED)
            continue;
        buf_puts(out, n == 0 ? ", over " : n + 1 == proved ? " and " : ", ");
        buf_puts(out, words[report->domains.at[i].domain]);
        n++;
    }
}

static void put_headline(const struct rw_learned *learned, struct buf *out)
{
    const struct rule *rule = learned->found.rule;
    uint32_t list = longest_list(rule);
    bool different = learned->answer.word == RW_LEARN_DIFFERENT;
    buf_puts(out, different ? "\nNear to it is a rule that holds "
                  : learned->compared.worst > DIFFERENCE_SUMS
                      ? "Where that does not count they are an example of a rule that holds "
                      : "The programs are an example of a rule that holds ");
    buf_puts(out, shapes_of(rule));
    if (list > 2)
        buf_printf(out, ", for %u parts that are joined", list);
    put_proved(&learned->found.report, out);
    buf_puts(out, different ? ", where it says.\n" : ".\n");
}

static void put_rule(const struct rw_learned *learned, struct buf *out)
{
    const struct rule *rule = learned->found.rule;
    put_headline(learned, out);
    if (learned->found.change != NULL && learned->found.change[0])
        buf_printf(out, "It is not what the pair says: %s.\n", learned->found.change);
    buf_puts(out, "\nbefore\n");
    put_side(rule, false, "  ", out);
    buf_puts(out, "after\n");
    put_side(rule, true, "  ", out);
    buf_puts(out, rule->n_classes ? "where\n" : "");
    put_classes(rule, out);
    buf_putc(out, '\n');
    put_wheres(learned, out);
    buf_puts(out, rule->n_wheres + rule->n_wider ? "\n" : "");
    buf_puts(out, "On\n");
    put_domains(learned, out);
    if (learned->found.match == MATCH_BEFORE)
        buf_puts(out, "\nAt these sizes the rule's right side is another program than the one "
                      "after, which is\nequal to it.\n");
    buf_printf(out, "\nThe rule (%.12s):\n\n%s", rule->hash, learned->answer.rule);
}

// In which sense the programs themselves differ.
static void put_difference(const struct rw_learned *learned, struct buf *out)
{
    const struct compared *compared = &learned->compared;
    if (!compared->known)
        buf_puts(out, "Whether the programs are equal at all is ");
    else if (compared->different)
        buf_puts(out, "The programs are not equal: ");
    else
        buf_puts(out, "The programs are ");
    buf_puts(out, buf_text(&compared->text));
    if (!compared->different)
        buf_putc(out, '\n');
}

void learned_describe(const struct rw_learned *learned, struct buf *out)
{
    const struct rw_learn_answer *answer = &learned->answer;
    if (learned->compared.worst > DIFFERENCE_SUMS || !learned->compared.known)
        put_difference(learned, out);
    if (answer->rule != NULL)
        put_rule(learned, out);
    else if (answer->word == RW_LEARN_DIFFERENT)
        return;
    else if (answer->word == RW_LEARN_LAYOUT)
        buf_puts(out,
                 "The programs are one up to layout: the order of dimensions, and how reshapes "
                 "are cut.\nNo rule is needed: every rule is used up to layout.");
    else
        buf_printf(out, "No rule was proved: %s.", answer->reason);
    if (answer->rule != NULL && answer->word == RW_LEARN_UNKNOWN)
        buf_printf(out, "\nThis is the rule of the first pair alone: %s.\n", answer->reason);
    if (answer->word == RW_LEARN_UNKNOWN && learned->compared.worst <= DIFFERENCE_SUMS &&
        learned->compared.known)
        buf_printf(out, "\nOf the programs themselves: %s", buf_text(&learned->compared.text));
}

// ---- as JSON

static json_t *side_json(const struct rule *rule, bool right)
{
    struct buf text = {0};
    json_t *lines = json_array();
    put_side(rule, right, "", &text);
    for (char *at = text.at, *end; at != NULL && *at; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        json_array_append_new(lines, json_string(at));
    }
    buf_release(&text);
    return lines;
}

json_t *learned_json(const struct rw_learned *learned)
{
    static const char *const words[] = {[RW_LEARN_RULE] = "rule",
                                        [RW_LEARN_LAYOUT] = "layout",
                                        [RW_LEARN_UNKNOWN] = "unknown",
                                        [RW_LEARN_DIFFERENT] = "different"};
    const struct rw_learn_answer *answer = &learned->answer;
    const struct rule *rule = learned->found.rule;
    json_t *needs = json_array(), *domains = json_array();
    for (uint32_t w = 0; rule != NULL && w < rule->n_wheres; w++) {
        struct buf text = {0};
        learned_where(rule, w, &text);
        json_array_append_new(needs, json_pack("{s:s, s:s?}", "condition", buf_text(&text),
                                               "breaks", breaks(learned, buf_text(&text))));
        buf_release(&text);
    }
    for (uint32_t i = 0; rule != NULL && i < learned->found.report.domains.len; i++) {
        const struct domain_report *one = &learned->found.report.domains.at[i];
        struct buf at = {0};
        json_t *domain = json_pack("{s:s, s:s, s:s}", "domain", domain_text(one->domain), "verdict",
                                   verdict_text(one->verdict), "counterexample",
                                   one->verdict == VERDICT_REFUTED ? example_text(one, &at) : "");
        const struct domain_report *own = one->domain == DOMAIN_FLOAT ? own_floats(learned) : NULL;
        if (own != NULL)
            json_object_set_new(domain, "own", json_string(verdict_text(own->verdict)));
        json_array_append_new(domains, domain);
        buf_release(&at);
    }
    return json_pack("{s:s, s:s?, s:s?, s:o, s:o, s:o, s:o, s:b, s:s, s:O}", "answer",
                     words[answer->word], "rule", answer->rule, "hash", answer->hash, "before",
                     rule ? side_json(rule, false) : json_array(), "after",
                     rule ? side_json(rule, true) : json_array(), "needs", needs, "domains",
                     domains, "exact", learned->found.match == MATCH_PAIR, "reason", answer->reason,
                     "comparison", learned->compared.json);
}
