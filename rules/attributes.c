// SPDX-License-Identifier: Apache-2.0
#include "rules/attributes.h"

#define FORMS(list) (*n = sizeof(list) / sizeof *(list), list)

const struct attribute_form *attribute_forms(enum op op, uint32_t *n)
{
    static const struct attribute_form slice[] = {
        {"start", "s", 0}, {"limit", "e", ATTRIBUTE_OF_OPERAND}, {"stride", "p", 1}};
    static const struct attribute_form pad[] = {
        {"low", "l", 0}, {"high", "h", 0}, {"interior", "i", 0}};
    static const struct attribute_form broadcast[] = {{"size", "m", ATTRIBUTE_OF_OPERAND}};
    static const struct attribute_form dynamic_slice[] = {{"start", "s", 0},
                                                          {"size", "m", ATTRIBUTE_OF_OPERAND}};
    static const struct attribute_form dynamic_update[] = {{"start", "s", 0}};
    static const struct attribute_form window[] = {
        {"size", "w", 1}, {"stride", "p", 1},   {"low", "l", 0},
        {"high", "h", 0}, {"dilation", "d", 1}, {"window_dilation", "r", 1}};
    static const struct attribute_form convolution[] = {{"stride", "p", 1},
                                                        {"low", "l", 0},
                                                        {"high", "h", 0},
                                                        {"dilation", "d", 1},
                                                        {"kernel_dilation", "r", 1}};
    switch (op) {
    case OP_SLICE:
        return FORMS(slice);
    case OP_PAD:
        return FORMS(pad);
    case OP_BROADCAST_IN_DIM:
        return FORMS(broadcast);
    case OP_DYNAMIC_SLICE:
        return FORMS(dynamic_slice);
    case OP_DYNAMIC_UPDATE_SLICE:
        return FORMS(dynamic_update);
    case OP_REDUCE_WINDOW:
        return FORMS(window);
    case OP_CONVOLUTION:
        return FORMS(convolution);
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    *n = 0;
    return NULL;
}

const struct iexp *attribute_given(const struct pat *pattern, uint32_t cls, uint32_t k)
{
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        if (pattern->attrs[i].cls == cls)
            return pattern->attrs[i].expr[k];
    return NULL;
}
