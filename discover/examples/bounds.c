// SPDX-License-Identifier: Apache-2.0
// Starts that are clamped, as those of dynamic slices, and preconditions under which none is.
#include "discover/examples/cover.h"
#include "discover/examples/search.h"

// The rule where no start of the left side is clamped, as people think of it: what holds where some
// are is seldom said by few terms.  NULL: it has no such start.
static const struct rule *with_bounds(struct search *search, const struct rule *rule)
{
    struct pair *pair = search->pair;
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        const struct node *node = &pair->nodes.at[slot->node];
        bool update = node->op == OP_DYNAMIC_UPDATE_SLICE;
        if (slot->right || slot->index || slot->attr != 0 || slot->map == NULL ||
            (!update && node->op != OP_DYNAMIC_SLICE))
            continue;
        const char *whole = pair_size(pair, node->args[0], slot->cls);
        const char *part = pair_size(pair, update ? node->args[1] : slot->node, slot->cls);
        if (whole == NULL || part == NULL)
            continue;
        draft_where(&draft, assumed_text(search, pair_text(pair, "0 <= %s", slot->map)));
        draft_where(&draft, assumed_text(search, pair_text(pair, "%s + (%s) <= %s", slot->map, part,
                                                           whole)));
    }
    const struct rule *inside =
        draft.extra.len > 0 ? draft_rule(&draft, &search->learner->set, &err) : NULL;
    draft_release(&draft);
    return inside;
}

// Does a precondition say "or", as those of clamped starts do?
static bool has_choice(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond != NULL && rule->wheres[w].cond->op == COND_OR)
            return true;
    return false;
}

const struct rule *settle_rule(struct search *search, const struct rule *rule, unsigned *proved)
{
    unsigned also = 0;
    const struct rule *out = settle_once(search, rule, proved), *inside = NULL;
    if (!search->as_before && !search->dropping && !search->again && !search->near &&
        (out == NULL || has_choice(out)))
        inside = with_bounds(search, rule);
    if (inside != NULL)
        inside = settle_once(search, inside, &also);
    if (inside == NULL ||
        (out != NULL && ((*proved & ~also) != 0 ||
                         covers_all(rule_coverage(out, inside, also, search->learner->seed)))))
        return out;
    *proved = also;
    return inside;
}
