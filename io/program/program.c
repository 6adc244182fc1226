// SPDX-License-Identifier: Apache-2.0
#include "io/program/program.h"

#include "base/text/sniff.h"
#include "io/hlo/hlo.h"
#include "io/stablehlo/stablehlo.h"

bool program_text_read(const char *text, size_t n, const char *file, struct program *out,
                       struct err *err)
{
    return text_is_hlo(text, n) ? hlo_read(text, n, file, out, err)
                                : stablehlo_read(text, n, file, out, err);
}

bool program_text_read_output(const char *text, size_t n, const char *file,
                              const struct output_of *output_of, struct program *out,
                              struct err *err)
{
    return text_is_hlo(text, n) ? hlo_read_output(text, n, file, out, err)
                                : stablehlo_read_output(text, n, file, output_of, out, err);
}

void program_text_print(const struct program *program, struct buf *out)
{
    struct u32_vec regions = {0};
    program_text_print_regions(program, out, &regions);
    vec_release(&regions);
}

void program_text_print_regions(const struct program *program, struct buf *out,
                                struct u32_vec *regions)
{
    switch (program->format) {
    case PROGRAM_STABLEHLO:
        stablehlo_print_regions(program, out, regions);
        break;
    case PROGRAM_HLO:
        hlo_print_regions(program, out, regions);
        break;
    }
}
