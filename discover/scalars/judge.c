// SPDX-License-Identifier: Apache-2.0
// Candidates as rules, and their verdicts.
#include "discover/scalars/core.h"
#include "discover/limits.h"

#include "base/clock.h"

// The first verdict is asked with a small limit.

static const char *kind(enum domain domain)
{
    return domain == DOMAIN_BOOL ? "bool" : domain == DOMAIN_REAL ? "float" : "int";
}

void scalar_equation_text(const struct scalar_discovery *discovery, const struct equation *equation,
                          const char *name, struct buf *out)
{
    uint8_t number[SCALAR_MAX_VARS];
    struct buf where = {0}, sides = {0};
    memset(number, 0xff, sizeof number);
    scalar_tree_text(discovery, &equation->l, number, &sides);
    buf_puts(&sides, " => ");
    scalar_tree_text(discovery, &equation->r, number, &sides);
    for (uint32_t k = 0; k < equation->n_nonzero; k++) {
        buf_puts(&where, "  where all(");
        scalar_tree_text(discovery, &equation->nonzero[k], number, &where);
        buf_puts(&where, " != 0);\n");
    }
    buf_printf(out, "rule %s {\n  claims %s;\n  axes x;\n  map n on x;\n", name,
               domain_text(discovery->options->domain));
    const char *sep = "  tensor ";
    for (uint32_t v = 0; v < discovery->options->n_vars; v++) {
        bool used = false;
        for (uint32_t k = 0; k < discovery->options->n_vars; k++)
            used |= number[k] == v;
        if (!used)
            break;
        buf_printf(out, "%s%c[x: n] : %s", sep, (int)('A' + v), kind(discovery->options->domain));
        sep = ", ";
    }
    buf_printf(out, ";\n%s  %s;\n}\n", buf_text(&where), buf_text(&sides));
    buf_release(&where);
    buf_release(&sides);
}

// For words: the proof failed at one width, while other widths are still easy.
static bool is_small_width(const char *reason)
{
    static const char *const widths[] = {"2:", "4:", "8:", "16:"};
    reason += *reason == 'u';
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (*reason == 'i' && strncmp(reason + 1, widths[i], strlen(widths[i])) == 0)
            return true;
    return false;
}

enum judgement scalar_proves(struct scalar_discovery *discovery, const char *text, bool thorough,
                             bool search)
{
    struct err err = {0};
    double begin = clock_wall();
    struct report rep = {0};
    enum judgement j = JUDGED_UNKNOWN;
    const struct rule *rule = ruleset_add(&discovery->rules, text, "a candidate", &err);
    struct prove_options options = {.domains = 1u << discovery->options->domain,
                                    .seed = discovery->options->seed,
                                    .rlimit =
                                        thorough ? discovery->options->rlimit : SCALAR_FIRST_RLIMIT,
                                    .no_search = !search};
    if (rule != NULL && prove_rule(rule, &options, &rep) && rep.domains.len == 1) {
        enum verdict verdict = rep.domains.at[0].verdict;
        discovery->stuck = is_small_width(rep.domains.at[0].reason);
        j = verdict == VERDICT_PROVED    ? JUDGED_TRUE
            : verdict == VERDICT_REFUTED ? JUDGED_FALSE
                                         : JUDGED_UNKNOWN;
    }
    report_release(&rep);
    discovery->out->stats.proving += clock_wall() - begin;
    return j;
}

// Further inputs are cheaper than a proof that fails.  They are skipped if the
// caller chose the number of inputs.
enum judgement scalar_judge(struct scalar_discovery *discovery, const struct equation *equation,
                            bool again)
{
    if (discovery->in.small)
        return scalar_agree_always(discovery, &equation->l, &equation->r) ? JUDGED_TRUE
                                                                          : JUDGED_FALSE;
    bool few = discovery->options->samples > 0;
    if (!few && !again &&
        !scalar_agree_elsewhere(discovery, &equation->l, &equation->r, equation->n_nonzero,
                                equation->nonzero, SCALAR_OTHER_INPUTS))
        return JUDGED_FALSE;
    struct buf text = {0};
    scalar_equation_text(discovery, equation, "_", &text);
    enum judgement j = scalar_proves(discovery, buf_text(&text), few || again, few);
    buf_release(&text);
    return j;
}
