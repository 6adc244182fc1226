// SPDX-License-Identifier: Apache-2.0
// Hints for operands that have the wrong classes, ranks or kinds of elements.
#include "rules/language/tokens/hints.h"

#include <string.h>

// ---- classes

bool hint_rank(struct parser *parser, uint64_t found)
{
    return found == 0 && parser_hint(parser, "a tensor of rank 0 has one element, and no part of "
                                             "it can be taken: write the tensor itself");
}

void hint_alike(struct parser *parser, uint64_t classes)
{
    const struct axis_class *class[2] = {NULL, NULL};
    for (uint32_t c = 0; c < parser->classes.len; c++)
        if (classes >> c & 1 && class[1] == NULL)
            class[class[0] != NULL] = &parser->classes.at[c];
    if (class[1] == NULL)
        return;
    if (class[0] -> single == class[1] -> single)
        parser_hint(parser,
                    "if their axes are pairs, one of each, declare `%s %s like %s`; a condition on "
                    "all axes together cannot be stated",
                    class[1] -> single ? "axis" : "axes", class[1] -> name, class[0] -> name);
    else
        parser_hint(parser, "one of them is a single `axis`, the other has any rank: a condition "
                            "on both could not hold axis by axis");
}

bool hint_classes(struct parser *parser, uint64_t expected, uint64_t found)
{
    uint64_t lacks = expected & ~found, more = found & ~expected;
    uint32_t c = 0, d = 0;
    if (lacks == 0)
        return false;
    while (!(lacks >> c & 1))
        c++;
    while (more != 0 && !(more >> d & 1))
        d++;
    if (more == 0)
        return parser_hint(parser, "`broadcast(B, {%s: size})` adds axes that an operand lacks",
                           parser->classes.at[c].name);
    if (parser->classes.at[c].like == parser->classes.at[d].like)
        return parser_hint(parser, "`relabel(B, {%s -> %s})` renames the axes",
                           parser->classes.at[d].name, parser->classes.at[c].name);
    return false;
}

// ---- kinds

bool hint_kind(struct parser *parser, const char *what, unsigned expected, unsigned found)
{
    if (strcmp(what, "`^`") == 0)
        return parser_hint(parser, "`^` is the exclusive or; a power is `pow(A, B)`");
    if (expected == KIND_BOOL)
        return parser_hint(parser, "a comparison has truth values: `A != 0`");
    if (found == KIND_BOOL)
        return parser_hint(parser, "`select(P, 1, 0)` makes numbers of truth values");
    return parser_hint(parser, "`convert(A, T)` gives elements another type");
}
