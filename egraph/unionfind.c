// SPDX-License-Identifier: Apache-2.0
#include "egraph/unionfind.h"

void uf_release(struct uf *u)
{
    vec_release(&u->up);
}

void uf_grow(struct uf *u, uint32_t n)
{
    vec_reserve(&u->up, n);
    while (u->up.len < n) {
        u->up.at[u->up.len] = u->up.len;
        u->up.len++;
    }
}

class_id uf_root(const struct uf *u, uint32_t c)
{
    while (u->up.at[c] != c)
        c = u->up.at[c];
    return (class_id){c};
}

bool uf_merge(struct uf *u, uint32_t a, uint32_t b)
{
    a = uf_find(u, a).v;
    b = uf_find(u, b).v;
    if (a == b)
        return false;
    if (a < b)
        u->up.at[b] = a;
    else
        u->up.at[a] = b;
    return true;
}

bool uf_check(const struct uf *u, struct err *e)
{
    for (uint32_t i = 0; i < u->up.len; i++)
        if (u->up.at[i] > i)
            return err_set(e, ERR_CHECK, "union-find: up[%u] = %u breaks I1", i,
                           u->up.at[i]);
    return true;
}
