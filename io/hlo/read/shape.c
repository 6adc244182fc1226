// SPDX-License-Identifier: Apache-2.0
// Shapes: f32[2,3]{1,0}, tuples of them, and element types that no term has.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include <inttypes.h>

// The sizes of [..] at *at; *other: some size is no constant.
static bool read_sizes(struct hlo_reader *reader, uint32_t *at, struct i64_vec *sizes, bool *other)
{
    uint32_t close = reader->tok.at[*at].match;
    vec_clear(sizes);
    *other = false;
    for (++*at; *at < close;) {
        int64_t size = 0;
        bool bounded = hlo_accept(reader, at, H_UP_TO);
        if (hlo_is(reader, *at, "?"))
            ++*at;
        else if (!hlo_int(reader, at, &size))
            return false;
        else if (!bounded) {
            if (size < 0)
                return hlo_fail(reader, *at - 1, "expected a size, found a negative number");
            vec_push(sizes, size);
            if (*at < close && !hlo_expect(reader, at, ',', "','"))
                return false;
            continue;
        }
        *other = true;
        if (*at < close && !hlo_expect(reader, at, ',', "','"))
            return false;
    }
    *at = close + 1;
    return true;
}

// The layout without blanks, where these part no words.
static sym_id keep_layout(struct hlo_reader *reader, uint32_t from, uint32_t to)
{
    struct buf text = {0};
    for (uint32_t at = from; at < to; at++) {
        if (at > from && hlo_is_name(reader, at - 1) && hlo_is_name(reader, at))
            buf_putc(&text, ' ');
        hlo_emit(reader, at, at + 1, &text);
    }
    sym_id layout = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
    return layout;
}

// The layout at *at, "" if it is the default one of that rank.
static sym_id read_layout(struct hlo_reader *reader, uint32_t *at, uint32_t rank)
{
    struct buf usual = {0};
    uint32_t from = *at;
    if (!hlo_starts_layout(reader, from))
        return sym_make(reader->pool, "");
    *at = reader->tok.at[from].match + 1;
    sym_id layout = keep_layout(reader, from, *at);
    buf_putc(&usual, '{');
    for (uint32_t d = rank; d > 0; d--)
        buf_printf(&usual, "%s%u", d < rank ? "," : "", d - 1);
    buf_putc(&usual, '}');
    if (strcmp(buf_text(&usual), sym_text(reader->pool, layout)) == 0)
        layout = sym_make(reader->pool, "");
    buf_release(&usual);
    return layout;
}

static bool read_array(struct hlo_reader *reader, uint32_t *at, type_id *type, sym_id *layout)
{
    const struct hlo_token *word = &reader->tok.at[*at];
    enum elem elem;
    bool other;
    struct err why = {0};
    struct i64_vec sizes = {0};
    uint32_t from = *at, n_commas = 0;
    if (word->kind != H_WORD || hlo_kind(reader, *at + 1) != '[')
        return hlo_expected(reader, *at, "a shape such as f32[2,3]");
    if (!hlo_element(reader->text + word->at, word->len, &elem))
        return hlo_expected(reader, *at, "an element type such as f32");
    ++*at;
    bool ok = read_sizes(reader, at, &sizes, &other);
    if (ok && !other && elem != ELEM_OTHER) {
        ok = type_tensor(reader->pool, elem, sizes.len, sizes.at, type, &why) ||
             hlo_fail(reader, from, "%s", why.msg);
        n_commas = sizes.len;
    } else if (ok) {
        for (uint32_t k = from + 2; k + 1 < *at; k++)
            n_commas += hlo_kind(reader, k) == ',' || n_commas == 0;
        *type = type_other(reader->pool, sym_text(reader->pool, hlo_keep(reader, from, *at)));
    }
    if (ok)
        *layout = read_layout(reader, at, n_commas);
    vec_release(&sizes);
    return ok;
}

// The elements of the tuple at *at, as text.  Brackets nest IO_HLO_DEPTH deep at most.
static bool put_tuple(struct hlo_reader *reader, uint32_t *at, struct buf *out)
{
    uint32_t close = reader->tok.at[*at].match;
    buf_putc(out, '(');
    for (++*at; *at < close;) {
        type_id type;
        sym_id layout;
        if (hlo_kind(reader, *at) == '(') {
            if (!put_tuple(reader, at, out))
                return false;
        } else if (read_array(reader, at, &type, &layout)) {
            hlo_put_type(reader->pool, type, sym_text(reader->pool, layout), out);
        } else {
            return false;
        }
        if (*at == close)
            break;
        if (!hlo_expect(reader, at, ',', "',' or ')'"))
            return false;
        buf_puts(out, ", ");
    }
    buf_putc(out, ')');
    *at = close + 1;
    return true;
}

bool hlo_shape(struct hlo_reader *reader, uint32_t *at, type_id *type, sym_id *layout)
{
    if (hlo_kind(reader, *at) != '(')
        return read_array(reader, at, type, layout);
    struct buf text = {0};
    bool ok = put_tuple(reader, at, &text);
    *layout = sym_make(reader->pool, "");
    if (ok)
        *type = type_other(reader->pool, buf_text(&text));
    buf_release(&text);
    return ok;
}
