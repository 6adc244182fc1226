// SPDX-License-Identifier: Apache-2.0
#include "proof/program/record.h"

#include "proof/limits.h"

// Nodes that printing a term down to this depth writes, at most `most`.
static uint32_t nodes(const struct terms *terms, term_id id, unsigned depth, uint32_t most)
{
    uint32_t n = 1;
    for (uint32_t i = 0; depth && i < term_at(terms, id)->n_args && n < most; i++)
        n += nodes(terms, term_args(terms, id)[i], depth - 1, most - n);
    return n;
}

void record_term(const struct record *record, term_id term, struct buf *out)
{
    struct buf buf = {0};
    unsigned depth = PROOF_TERM_DEPTH;
    while (depth && nodes(&record->terms, term, depth, PROOF_TERM_SHOWN) == PROOF_TERM_SHOWN)
        depth--;
    term_print(&record->terms, term, depth, &buf);
    if (buf.len > PROOF_TERM_SHOWN)
        buf_printf(out, "%.*s ...", PROOF_TERM_SHOWN, buf_text(&buf));
    else
        buf_puts(out, buf_text(&buf));
    buf_release(&buf);
}
