// SPDX-License-Identifier: Apache-2.0
#include "proof/emit/walk.h"

bool emit_value_has(const struct emit_value *value, enum notation notation)
{
    return notation == NOTATION_TEXT || (value->text == NULL && value->source->notations);
}

void emit_value_print(const struct emit_value *value, enum notation notation, bool lets,
                      struct buf *out)
{
    if (value->text != NULL)
        buf_puts(out, value->text);
    else
        value->source->print(value->source, value, notation, lets, out);
}

const char *walk_keep(struct arena *mem, struct buf *text)
{
    const char *kept = arena_strdup(mem, buf_text(text));
    buf_release(text);
    return kept;
}

const char *emit_rule_name(const struct emit_rule *rule)
{
    const char *known = rule->shown->notes.name;
    return known != NULL ? known : rule->name;
}

enum emit_claim emit_rule_claim(const struct emit_rule *rule)
{
    const char *known = rule->shown->notes.name;
    return known == NULL                    ? CLAIM_UNKNOWN
           : strcmp(known, rule->name) == 0 ? CLAIM_SAME
                                            : CLAIM_OTHER;
}

void emit_step_name(const struct emit_step *step, struct buf *out)
{
    const char *behind = step->name;
    if (step->rule != NULL) {
        size_t n = strlen(step->rule->name);
        buf_puts(out, emit_rule_name(step->rule));
        behind = strncmp(behind, step->rule->name, n) == 0 ? behind + n : "";
    }
    buf_puts(out, behind);
}

void walk_rules_init(struct walk_rules *rules, uint32_t n)
{
    vec_reserve(&rules->at, n);
}

bool walk_rules_add(struct walk_rules *rules, struct emit_rule rule,
                    const struct emit_request *request, struct arena *mem, struct err *err)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < rules->at.len; i++) {
        const struct emit_rule *other = &rules->at.at[i];
        if (rule.shown == NULL && strcmp(other->hash, rule.hash) == 0)
            rule.shown = other;
        shown += other->shown == other;
    }
    bool first = rule.shown == NULL;
    rule.number = first ? shown : rule.shown->number;
    if (first && rule.assumed)
        rule.notes.verdict = "assumed, not proved";
    else if (first && request->notes != NULL &&
             !request->notes(request->notes_ctx, rule.hash, mem, &rule.notes, err))
        return false;
    vec_push(&rules->at, rule);
    if (first)
        vec_last(&rules->at).shown = &vec_last(&rules->at);
    return true;
}

static bool for_readers(const struct record_emitter *format)
{
    return format->begin || format->definition || format->constant || format->condition ||
           format->rule || format->step || format->goal;
}

static bool walk_members(const struct record_walker *walker, void *walk, struct emission *emission)
{
    bool ok = true;
    for (uint32_t i = 0; ok; i++) {
        const char *key = NULL;
        json_t *value = walker->member(walk, i, &key);
        if (key == NULL)
            break;
        ok = emission->format->member(emission, i, key, value);
        json_decref(value);
    }
    return ok;
}

static bool walk_part(const struct record_walker *walker, void *walk, enum record_part part,
                      struct emission *emission)
{
    const struct record_emitter *format = emission->format;
    uint32_t n = walker->count(walk, part);
    emission->shown = 0;
    bool ok = !format->open || format->open(emission, part, walker->key[part], n);
    for (uint32_t i = 0; ok && i < n; i++) {
        if (format->element != NULL && part != PART_STEPS) {
            json_t *value = walker->element(walk, part, i);
            ok = format->element(emission, part, i, value);
            json_decref(value);
        }
        if (ok && emission->head != NULL)
            ok = walker->entry(walk, emission, part, i);
    }
    return ok && (!format->close || format->close(emission, part, n));
}

bool record_walk(const struct record_walker *walker, void *walk,
                 const struct record_emitter *format, const struct emit_request *request,
                 struct buf *out, struct err *err)
{
    struct emission emission = {
        .format = format, .kind = walker->kind, .out = out, .ctx = request->ctx, .err = err};
    bool ok = true;
    if (for_readers(format)) {
        ok = walker->read(walk, format, request, err);
        emission.head = walker->head(walk);
    }
    ok = ok && (!format->begin || format->begin(&emission));
    ok = ok && (!format->member || walk_members(walker, walk, &emission));
    for (uint32_t i = 0; ok && i < format->n_parts; i++)
        if (walker->key[format->order[i]] != NULL)
            ok = walk_part(walker, walk, format->order[i], &emission);
    return ok && (!format->end || format->end(&emission));
}
