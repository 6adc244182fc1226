// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/source.h"

struct source *source_new(const char *text, size_t n)
{
    struct source *source = mem_alloc(sizeof *source);
    source->text = text;
    source->n = (uint32_t)n;
    return source;
}

void source_free(struct source *source)
{
    if (source == NULL)
        return;
    vec_release(&source->holes);
    vec_release(&source->statements);
    vec_release(&source->functions);
    vec_release(&source->resources);
    vec_release(&source->copies);
    vec_release(&source->names);
    vec_release(&source->block_function);
    vec_release(&source->value_of);
    mem_free(source);
}
