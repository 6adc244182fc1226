// SPDX-License-Identifier: Apache-2.0
// The rule that was found with less of the pair freed.  Nodes stay what they are when more is freed,
// but maps may get other names: a text of that rule is taken over word by word.
#include "discover/examples/search.h"
#include "tensor/eval/eval.h"
#include <ctype.h>

// ---- names

// The map of a place of the left side; NULL: it has none.
static const char *name_at(struct pair *pair, uint32_t node, uint32_t cls, int attr)
{
    const char *size = attr == ATTR_SIZE ? pair_size(pair, node, cls) : NULL;
    if (size != NULL && size[0] != '\0' && strcspn(size, " +-*(") == strlen(size))
        return size;
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        if (slot->node == node && slot->cls == cls && slot->attr == attr)
            return slot->map;
    }
    return NULL;
}

static struct slot_text place_of(struct search *search, uint32_t node, uint32_t cls, int attr,
                                 const char *text)
{
    struct arena *mem = &search->learner->set.mem;
    return (struct slot_text){node, attr, arena_strdup(mem, search->pair->classes.at[cls].name),
                              arena_strdup(mem, text)};
}

static void keep_names(struct search *search)
{
    struct pair *pair = search->pair;
    struct found_before *found = &search->found;
    uint32_t most = pair->nodes.len * pair->classes.len * (N_ATTRS + 1) + 1;
    struct slot_text *names = ARENA_NEW(&search->learner->set.mem, struct slot_text, most);
    for (uint32_t at = 0; at < pair->nodes.len; at++)
        for (uint32_t c = 0; c < pair->classes.len && !pair->nodes.at[at].right; c++)
            for (int k = ATTR_SIZE; k < N_ATTRS && node_has_class(pair, at, c); k++) {
                const char *name = name_at(pair, at, c, k);
                if (name != NULL)
                    names[found->n_names++] = place_of(search, at, c, k, name);
            }
    found->names = names;
}

// What the map is called today; NULL: no place that had it has one.
static const char *new_name(struct search *search, const char *name, size_t n)
{
    struct pair *pair = search->pair;
    for (uint32_t i = 0; i < search->before.n_names; i++) {
        const struct slot_text *was = &search->before.names[i];
        uint32_t cls = example_class(pair, was->cls);
        if (strlen(was->text) != n || memcmp(was->text, name, n) != 0 || cls == NONE)
            continue;
        const char *is = name_at(pair, was->node, cls, was->attr);
        if (is != NULL)
            return is;
    }
    return NULL;
}

const char *before_text(struct search *search, const char *text)
{
    struct buf out = {0};
    while (*text != '\0') {
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
        const char *name = n > 0 ? new_name(search, text, n) : NULL;
        if (name != NULL)
            buf_puts(&out, name);
        else
            buf_printf(&out, "%.*s", (int)(n ? n : 1), text);
        text += n ? n : 1;
    }
    const char *all = arena_strdup(&search->pair->mem, buf_text(&out));
    buf_release(&out);
    return all;
}

// ---- what is kept

static void keep_literals(struct search *search)
{
    struct pair *pair = search->pair;
    struct found_before *found = &search->found;
    struct constant *literals =
        ARENA_NEW(&search->learner->set.mem, struct constant, pair->constants.len + 1);
    for (uint32_t i = 0; i < pair->constants.len; i++)
        if (!pair->constants.at[i].right && search->choice.constant[i] == CONSTANT_LITERAL)
            literals[found->n_literals++] = (struct constant){.elem = pair->constants.at[i].elem,
                                                              .value = pair->constants.at[i].value};
    found->literals = literals;
}

void before_keep(struct search *search, const struct rule *rule, unsigned proved)
{
    struct pair *pair = search->pair;
    struct arena *mem = &search->learner->set.mem;
    struct slot_text *at = ARENA_NEW(mem, struct slot_text, pair->slots.len + 1);
    struct coincidence *assumed = ARENA_NEW(mem, struct coincidence, search->assumed.len + 1);
    search->found =
        (struct found_before){.rule = rule, .proved = proved, .at = at, .assumed = assumed};
    for (uint32_t i = 0; i < search->assumed.len; i++) {
        assumed[i] = search->assumed.at[i];
        assumed[i].map = arena_strdup(mem, assumed[i].map);
        assumed[i].text = arena_strdup(mem, assumed[i].text);
    }
    search->found.n_assumed = search->assumed.len;
    search->found.kinds = search->choice.kinds;
    keep_literals(search);
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        if (slot->right && search->choice.slot[i] != NULL)
            at[search->found.n++] =
                place_of(search, slot->node, slot->cls, slot->attr, search->choice.slot[i]);
    }
    keep_names(search);
}

// ---- what is taken

static void take_ranks(struct search *search)
{
    const struct rule *rule = search->before.rule;
    struct pair *pair = search->pair;
    for (uint32_t k = 0; k < rule->n_classes; k++) {
        uint32_t c = example_class(pair, rule->classes[k].name);
        if (c != NONE && c != pair->more)
            pair->classes.at[c].least = rule->classes[k].least_rank;
    }
}

void before_take(struct search *search)
{
    struct pair *pair = search->pair;
    take_ranks(search);
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        for (uint32_t k = 0; k < search->before.n && example_is_unknown(search, i); k++) {
            const struct slot_text *known = &search->before.at[k];
            if (known->node == slot->node && known->attr == slot->attr &&
                strcmp(known->cls, pair->classes.at[slot->cls].name) == 0)
                search->choice.slot[i] = before_text(search, known->text);
        }
    }
    search_open_classes(search);
}

// ---- parts of both programs

// What the attribute is in the program before, where the same operation stands; NULL: nowhere.
static const char *text_of_same(const struct pair *pair, const struct int_slot *slot)
{
    const char *text = NULL;
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *left = &pair->slots.at[i];
        if (!left->right && !left->pinned && !left->index && left->cls == slot->cls &&
            left->attr == slot->attr &&
            pair->nodes.at[left->node].term.v == pair->nodes.at[slot->node].term.v && text == NULL)
            text = left->text;
    }
    return text;
}

bool shared_take(struct search *search)
{
    struct pair *pair = search->pair;
    bool some = false;
    for (uint32_t i = 0; i < pair->slots.len; i++)
        if (example_is_unknown(search, i)) {
            search->choice.slot[i] = text_of_same(pair, &pair->slots.at[i]);
            some = some || search->choice.slot[i] != NULL;
        }
    search_open_classes(search);
    return some;
}

const struct coincidence *before_assumed(struct search *search, const char *map)
{
    for (uint32_t i = 0; i < search->before.n_assumed; i++)
        if (strcmp(before_text(search, search->before.assumed[i].map), map) == 0)
            return &search->before.assumed[i];
    return NULL;
}

bool before_literal(const struct search *search, const struct constant *constant)
{
    for (uint32_t i = 0; i < search->before.n_literals; i++)
        if (search->before.literals[i].elem == constant->elem &&
            scalar_same(constant->elem, search->before.literals[i].value, constant->value))
            return true;
    return false;
}
