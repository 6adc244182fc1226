// SPDX-License-Identifier: Apache-2.0
// One search writes a rule several times: with the attributes of the rule before, with those of the
// left side, and with those it solved for.  Points are labelled once.
#include "discover/examples/search.h"

bool search_is_hopeless(const struct search *search, const char *hash)
{
    bool freed = search->before.rule != NULL; // right points may be rarer then
    for (uint32_t i = 0; i < search->hopeless.len; i++)
        if (search->hopeless.at[i].freed == freed && strcmp(search->hopeless.at[i].hash, hash) == 0)
            return true;
    return false;
}

void search_gives_up(struct search *search, const char *hash)
{
    struct hopeless_rule one = {hash, search->before.rule != NULL};
    vec_push(&search->hopeless, one);
}
