// SPDX-License-Identifier: Apache-2.0
#include "loops/written/place.h"
#include <string.h>

static const char *axis_name(const struct written_place *place, uint32_t d)
{
    return place->all[place->axis ? place->axis[d] : d].name;
}

// index'0, .. of the base of a tensor are the names of its axes.
static void put_base(const struct integers *in, const struct written_place *place, struct buf *out)
{
    struct buf text = {0};
    int_print(in, place->base, &text);
    const char *at = buf_text(&text);
    for (const char *next; place->axis && (next = strstr(at, "index'")) != NULL; at = next + 7) {
        uint32_t d = (uint32_t)(next[6] - '0');
        buf_write(out, at, (size_t)(next - at));
        buf_puts(out, d < place->n ? axis_name(place, d) : "?");
    }
    buf_puts(out, at);
    buf_release(&text);
}

void written_put_place(const struct integers *in, const struct written_place *place,
                       struct buf *out)
{
    int64_t number;
    bool any = false;
    for (uint32_t d = 0; d < place->n; d++) {
        ipoly stride = place->stride[d];
        if (stride == 0)
            continue; // the index stands in the base
        bool one = int_is_constant(in, stride, &number) && number == 1;
        buf_puts(out, any ? " + " : "");
        if (!one) {
            bool sum = int_length(in, stride) > 1;
            buf_puts(out, sum ? "(" : "");
            int_print(in, stride, out);
            buf_puts(out, sum ? ")*" : "*");
        }
        buf_puts(out, axis_name(place, d));
        any = true;
    }
    if (!any || !int_is_constant(in, place->base, &number) || number != 0) {
        buf_puts(out, any ? " + " : "");
        put_base(in, place, out);
    }
}
