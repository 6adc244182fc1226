// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/selection.h"
#include <ctype.h>
#include <stdlib.h>

const char *const facet_keys[] = {
#define X(key, label) #key,
    SELECTION_FACETS(X)
#undef X
};
const char *const facet_labels[] = {
#define X(key, label) label,
    SELECTION_FACETS(X)
#undef X
};
const char *const selection_sorts[] = {"family",      "name", "proved", "seconds",
                                       "obligations", "uses", NULL};

static void add_words(struct selection *selection, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, " \t\n");
        if (n > 0) {
            char *word = arena_strndup(&selection->mem, text, n);
            for (size_t i = 0; i < n; i++)
                word[i] = (char)tolower((unsigned char)word[i]);
            vec_push(&selection->words, word);
        }
        text += n + (text[n] != 0);
    }
}

void selection_read(struct selection *selection, const struct query_pairs *pairs)
{
    *selection = (struct selection){.text = "", .sort = selection_sorts[0]};
    for (unsigned facet = 0; facet < N_FACETS; facet++) {
        const char *value;
        for (unsigned i = 0; (value = query_value(pairs, facet_keys[facet], i)) != NULL; i++)
            if (*value && selection->n[facet] < SELECTION_VALUES)
                selection->value[facet][selection->n[facet]++] = value;
    }
    const char *text = query_value(pairs, "q", 0), *sort = query_value(pairs, "sort", 0);
    selection->text = text ? text : "";
    add_words(selection, selection->text);
    for (const char *const *key = selection_sorts; sort && *key; key++)
        if (strcmp(*key, sort) == 0)
            selection->sort = *key;
}

void selection_release(struct selection *selection)
{
    vec_release(&selection->words);
    arena_release(&selection->mem);
}

static void reason_value(const struct rw_verdict *verdict,
                         void (*value)(void *user, const char *text), void *user)
{
    struct buf reason = {0};
    if (verdict->decision == RW_UNKNOWN) {
        library_reason(verdict, &reason);
        value(user, buf_text(&reason));
    }
    buf_release(&reason);
}

void facet_values(const struct library_rule *rule, enum facet facet,
                  void (*value)(void *user, const char *text), void *user)
{
    const struct rw_rule *view = rule->rule;
    const text_list *list = facet == FACET_op ? &rule->operators : &rule->roles;
    switch (facet) {
    case FACET_op:
    case FACET_precondition:
        for (uint32_t i = 0; i < list->len; i++)
            value(user, list->at[i]);
        if (facet == FACET_precondition)
            value(user, view->n_preconditions > 0 ? "any" : "none");
        return;
    case FACET_domain:
    case FACET_verdict:
    case FACET_reason:
        for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
            if (rule->in[domain] && facet == FACET_domain)
                value(user, rw_domain_name(domain));
            else if (rule->in[domain] && facet == FACET_verdict)
                value(user, rw_decision_name(rule->in[domain]->decision));
            else if (rule->in[domain])
                reason_value(rule->in[domain], value, user);
        return;
    case FACET_family:
        value(user, view->family);
        return;
    case FACET_origin:
        for (size_t i = 0; i < view->n_origins; i++) { // "xla-221", "tensorright slice/rule07"
            char list_name[64];
            size_t n = strcspn(view->origins[i], " -/");
            snprintf(list_name, sizeof list_name, "%.*s", (int)(n < 60 ? n : 60), view->origins[i]);
            value(user, list_name);
        }
        if (view->n_origins == 0)
            value(user, "none");
        return;
    case FACET_layer:
        if (view->layer[0])
            value(user, view->layer);
        return;
    case N_FACETS:
        return;
    }
}

struct wanted_value {
    const char *text;
    bool found;
};
static void look(void *user, const char *text)
{
    struct wanted_value *wanted = user;
    wanted->found = wanted->found || strcmp(wanted->text, text) == 0;
}

static bool has_value(const struct library_rule *rule, enum facet facet, const char *text)
{
    struct wanted_value wanted = {text, false};
    facet_values(rule, facet, look, &wanted);
    // A whole origin, too.
    for (size_t i = 0; facet == FACET_origin && i < rule->rule->n_origins; i++)
        look(&wanted, rule->rule->origins[i]);
    return wanted.found;
}

// Domain and verdict are about one verdict.
static bool verdict_passes(const struct selection *selection, const struct library_rule *rule,
                           enum facet but)
{
    const char *of_domain = but != FACET_domain && selection->n[FACET_domain]
                                ? selection->value[FACET_domain][0]
                                : NULL;
    const char *of_verdict = but != FACET_verdict && selection->n[FACET_verdict]
                                 ? selection->value[FACET_verdict][0]
                                 : NULL;
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
        if (rule->in[domain] &&
            (of_domain == NULL || strcmp(of_domain, rw_domain_name(domain)) == 0) &&
            (of_verdict == NULL ||
             strcmp(of_verdict, rw_decision_name(rule->in[domain]->decision)) == 0))
            return true;
    return of_domain == NULL && of_verdict == NULL;
}

bool selection_accepts(const struct selection *selection, const struct library_rule *rule,
                       enum facet but)
{
    for (uint32_t i = 0; i < selection->words.len; i++)
        if (strstr(rule->words, selection->words.at[i]) == NULL)
            return false;
    for (unsigned facet = 0; facet < N_FACETS; facet++)
        for (unsigned i = 0; facet != but && i < selection->n[facet]; i++)
            if (facet != FACET_domain && facet != FACET_verdict &&
                !has_value(rule, facet, selection->value[facet][i]))
                return false;
    return verdict_passes(selection, rule, but);
}

struct weighed {
    uint32_t rule;
    double weight; // the greatest first
    const char *name;
};

static double weight_of(const struct library_rule *rule, const char *sort)
{
    double seconds = 0, obligations = 0, proved = 0;
    for (unsigned domain = 0; domain < LIBRARY_DOMAINS; domain++)
        if (rule->in[domain]) {
            seconds += rule->in[domain]->seconds;
            obligations += (double)rule->in[domain]->obligation_count;
            proved += rule->in[domain]->decision == RW_PROVED;
        }
    return strcmp(sort, "seconds") == 0       ? seconds
           : strcmp(sort, "obligations") == 0 ? obligations
           : strcmp(sort, "proved") == 0      ? proved
           : strcmp(sort, "uses") == 0        ? (double)rule->rule->uses
                                              : 0;
}

static int by_weight(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : x->rule < y->rule ? -1 : 1;
}

void selection_rules(const struct selection *selection, const struct library *library,
                     struct u32_vec *out)
{
    VEC(struct weighed) found = {0};
    bool by_name = strcmp(selection->sort, "name") == 0;
    for (uint32_t i = 0; i < library->rules.len; i++) {
        const struct library_rule *rule = &library->rules.at[i];
        if (selection_accepts(selection, rule, N_FACETS)) {
            struct weighed one = {i, weight_of(rule, selection->sort),
                                  by_name ? rule->rule->name : ""};
            vec_push(&found, one);
        }
    }
    if (found.len > 0)
        qsort(found.at, found.len, sizeof *found.at, by_weight);
    for (uint32_t i = 0; i < found.len; i++)
        vec_push(out, found.at[i].rule);
    vec_release(&found);
}
