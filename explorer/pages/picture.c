// SPDX-License-Identifier: Apache-2.0
// A rule as data for explorer/static/picture.js, which draws it on small arrays: which element
// of a side comes from which elements of the operands.
//
//   {"classes": [{"name", "least", "like", "single", "joined"}], "maps": [{"name", "cls", "def"}],
//    "tensors": [{"name", "sizes": [[cls, expr], ..]}], "scalars": ["v"],
//    "wheres": [{"cls", "cond", "text"}], "nodes": [..], "lhs": 4, "rhs": 6}
//
// An expression is a number, ["map", m] or [operator, a, b]; a condition [operator, a, b].
// A node is ["tensor", k], ["scalar", k], ["literal", text], ["splat", node, sizes],
// ["map", operator, [nodes], text] element by element, or a move of elements with its
// attributes.  A rule with any other node has no picture.
#include "explorer/pages/rule.h"
#include "rules/attributes.h"
#include "rules/describe/describe.h"
#include <jansson.h>

static json_t *expression(const struct iexp *expr)
{
    static const char *const names[] = {
        [IE_ADD] = "+",   [IE_SUB] = "-",     [IE_MUL] = "*",   [IE_NEG] = "neg", [IE_DIV] = "div",
        [IE_MOD] = "mod", [IE_CDIV] = "cdiv", [IE_MIN] = "min", [IE_MAX] = "max", [IE_ABS] = "abs"};
    if (expr->op == IE_CONST)
        return json_integer(expr->k);
    if (expr->op == IE_MAP)
        return json_pack("[s, i]", "map", (int)expr->map);
    json_t *out = json_pack("[s, o]", names[expr->op], expression(expr->a));
    if (expr->b)
        json_array_append_new(out, expression(expr->b));
    return out;
}

static json_t *condition(const struct cond *cond)
{
    switch (cond->op) {
    case COND_LE:
        return json_pack("[s, o, o]", "<=", expression(cond->a), expression(cond->b));
    case COND_LT:
        return json_pack("[s, o, o]", "<", expression(cond->a), expression(cond->b));
    case COND_EQ:
        return json_pack("[s, o, o]", "==", expression(cond->a), expression(cond->b));
    case COND_NE:
        return json_pack("[s, o, o]", "!=", expression(cond->a), expression(cond->b));
    case COND_AND:
        return json_pack("[s, o, o]", "and", condition(cond->l), condition(cond->r));
    case COND_OR:
        return json_pack("[s, o, o]", "or", condition(cond->l), condition(cond->r));
    case COND_NOT:
        return json_pack("[s, o]", "not", condition(cond->l));
    }
    return json_null();
}

static json_t *sizes(uint32_t n, const struct axis_size *size)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(out, json_pack("[i, o]", (int)size[i].cls, expression(size[i].size)));
    return out;
}

static json_t *class_set(uint64_t classes)
{
    json_t *out = json_array();
    for (int c = 0; c < 64; c++)
        if (classes >> c & 1)
            json_array_append_new(out, json_integer(c));
    return out;
}

static json_t *arguments(const struct pat *pattern)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < pattern->n_args; i++)
        json_array_append_new(out, json_integer(pattern->args[i]));
    return out;
}

// {"start": {"0": expr}}
static json_t *attributes(const struct pat *pattern)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(pattern->op, &n);
    json_t *out = json_object();
    for (uint32_t k = 0; k < n; k++) {
        json_t *by_class = json_object();
        for (uint32_t i = 0; i < pattern->n_attrs; i++) {
            char cls[16];
            snprintf(cls, sizeof cls, "%u", pattern->attrs[i].cls);
            if (pattern->attrs[i].expr[k])
                json_object_set_new(by_class, cls, expression(pattern->attrs[i].expr[k]));
        }
        json_object_set_new(out, form[k].name, by_class);
    }
    return out;
}

static json_t *relabels(const struct pat *pattern)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        json_array_append_new(
            out, json_pack("[i, i]", (int)pattern->relabels[i].from, (int)pattern->relabels[i].to));
    return out;
}

static json_t *groups(const struct pat *pattern)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < pattern->n_groups; i++) {
        const struct reshape_group *group = &pattern->groups[i];
        json_t *from = json_array();
        for (uint32_t k = 0; k < group->n_from; k++)
            json_array_append_new(from, json_integer(group->from[k]));
        json_array_append_new(out, json_pack("[o, o]", from, sizes(group->n_to, group->to)));
    }
    return out;
}

// NULL: no node of a picture.
static json_t *operation(const struct pat *pattern)
{
    const char *name = op_name(pattern->op);
    if (op_is_elementwise(pattern->op))
        return json_pack("[s, s, o]", "map", name, arguments(pattern));
    switch (pattern->op) {
    case OP_SLICE:
    case OP_PAD:
    case OP_BROADCAST_IN_DIM:
        return json_pack("[s, o, o]", name, arguments(pattern), attributes(pattern));
    case OP_REVERSE:
    case OP_CONCATENATE:
        return json_pack("[s, o, o]", name, arguments(pattern), class_set(pattern->classes));
    case OP_RESHAPE:
        return json_pack("[s, o, o]", name, arguments(pattern), groups(pattern));
    case OP_REDUCE:
        return pattern->n_args > 1
                   ? NULL
                   : json_pack("[s, o, o, s]", name, arguments(pattern),
                               class_set(pattern->classes),
                               pattern->opvar == NONE ? op_name(pattern->reducer) : "reduce");
    default:
        return NULL;
    }
}

static json_t *node(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    struct buf text = {0};
    json_t *out = NULL;
    switch (pattern->kind) {
    case PAT_TENSOR:
        return json_pack("[s, i]", "tensor", (int)pattern->var);
    case PAT_SCALAR:
        return json_pack("[s, i]", "scalar", (int)pattern->var);
    case PAT_LITERAL:
        pat_print(rule, pat, &text);
        out = json_pack("[s, s]", "literal", buf_text(&text));
        break;
    case PAT_SPLAT:
        return json_pack("[s, o, o]", "splat", arguments(pattern),
                         sizes(pattern->n_sizes, pattern->sizes));
    case PAT_OP:
        return operation(pattern);
    case PAT_OPVAR:
        return json_pack("[s, s, o]", "map", rule->opvars[pattern->var].name, arguments(pattern));
    case PAT_RELABEL:
        return json_pack("[s, o, o]", "relabel", arguments(pattern), relabels(pattern));
    case PAT_CALL:
        return NULL;
    }
    buf_release(&text);
    return out;
}

static json_t *classes(const struct rule *rule)
{
    json_t *out = json_array();
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        const struct axis_class *cls = &rule->classes[c];
        bool joined = cls->block;
        for (uint32_t k = 0; k < rule->n_classes; k++)
            joined = joined || (k != c && rule->classes[k].joint == cls->joint);
        json_array_append_new(out, json_pack("{s:s, s:i, s:i, s:b, s:b}", "name", cls->name,
                                             "least", (int)cls->least_rank, "like", (int)cls->like,
                                             "single", (int)cls->single, "joined", (int)joined));
    }
    return out;
}

static json_t *maps(const struct rule *rule)
{
    json_t *out = json_array();
    for (uint32_t m = 0; m < rule->n_maps; m++)
        json_array_append_new(
            out,
            json_pack("{s:s, s:i, s:o}", "name", rule->maps[m].name, "cls", (int)rule->maps[m].cls,
                      "def", rule->maps[m].def ? expression(rule->maps[m].def) : json_null()));
    return out;
}

static json_t *conditions(const struct rule *rule)
{
    json_t *out = json_array();
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        struct buf text = {0};
        where_print(rule, w, &text);
        json_array_append_new(
            out, json_pack("{s:i, s:o, s:s}", "cls",
                           rule->wheres[w].cond ? (int)rule->wheres[w].family : -1, "cond",
                           rule->wheres[w].cond ? condition(rule->wheres[w].cond) : json_null(),
                           "text", buf_text(&text)));
        buf_release(&text);
    }
    return out;
}

static json_t *variables(const struct rule *rule)
{
    json_t *out = json_array();
    for (uint32_t t = 0; t < rule->n_tensors; t++)
        json_array_append_new(out,
                              json_pack("{s:s, s:o}", "name", rule->tensors[t].name, "sizes",
                                        sizes(rule->tensors[t].n_sizes, rule->tensors[t].sizes)));
    return out;
}

static json_t *scalars(const struct rule *rule)
{
    json_t *out = json_array();
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        json_array_append_new(out, json_string(rule->scalars[i].name));
    return out;
}

// The nodes of both sides; conditions on elements have nodes of their own, which are null.
static json_t *nodes(const struct rule *rule)
{
    json_t *out = json_array();
    bool *used = mem_alloc(rule->n_pats + 1);
    bool drawn = true;
    used[rule->lhs] = used[rule->rhs] = true;
    for (uint32_t i = rule->n_pats; i-- > 0;)
        for (uint32_t k = 0; used[i] && k < rule->pats[i].n_args; k++)
            used[rule->pats[i].args[k]] = true;
    for (uint32_t i = 0; i < rule->n_pats && drawn; i++) {
        json_t *one = used[i] ? node(rule, i) : json_null();
        drawn = one != NULL;
        if (drawn)
            json_array_append_new(out, one);
    }
    mem_free(used);
    if (drawn)
        return out;
    json_decref(out);
    return NULL;
}

// The operands are moved, and not only computed with.
static bool moves(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_RELABEL ||
            (rule->pats[i].kind == PAT_OP && !op_is_elementwise(rule->pats[i].op)))
            return rule->n_classes > 0;
    return false;
}

char *picture_json(const struct rule *rule)
{
    json_t *drawn = moves(rule) ? nodes(rule) : NULL;
    for (uint32_t m = 0; drawn && m < rule->n_maps; m++)
        if (rule->maps[m].index) {
            json_decref(drawn);
            drawn = NULL;
        }
    if (drawn == NULL)
        return NULL;
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i}", "classes", classes(rule), "maps",
                  maps(rule), "tensors", variables(rule), "scalars", scalars(rule), "wheres",
                  conditions(rule), "nodes", drawn, "lhs", (int)rule->lhs, "rhs", (int)rule->rhs);
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

void picture_section(const struct rule *rule, struct buf *out)
{
    char *text = picture_json(rule);
    if (text)
        markup_in("<section id=\"picture\" class=\"with-script\" aria-label=\"Picture\" "
                  "data-picture=\"",
                  text, "\"></section>\n", out);
    free(text);
}

void put_picture(const struct rule_page *page)
{
    picture_section(page->parsed, page->out);
}
