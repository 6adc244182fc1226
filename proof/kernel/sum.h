// SPDX-License-Identifier: Apache-2.0
// Sums of products of atoms with whole exponents: the normal form's data (normal.c).
#ifndef PROOF_KERNEL_SUM_H
#define PROOF_KERNEL_SUM_H

#include "loops/symbolic/symbolic.h"

// An atom to a whole power.
struct power {
    lterm atom;
    int32_t exponent;
};
struct product {
    uint32_t number;          // of names: a rational, not 0
    lterm exponent;           // exp of it is a factor; 0: none
    VEC(struct power) powers; // sorted by atom
};
// Sorted by compare(), no two with equal factors.
struct sum {
    VEC(struct product) products;
    bool failed; // numbers or sums too large: equal to nothing
};

void sum_release(struct sum *sum);
// Rationals by their names (formula/terms/number.h).
bool sum_fold_numbers(struct symbolic *s, const char *op, uint32_t a, uint32_t b, uint32_t *out);
uint32_t sum_number_name(struct symbolic *s, const char *text);
struct product sum_product_copy(const struct product *p);
// p times the atom to the exponent.
void sum_raise(struct product *p, lterm atom, int32_t exponent);
// Takes over the product.
void sum_add_product(struct symbolic *s, struct sum *sum, struct product *p);
// With the same number.
bool sum_has_product(const struct sum *sum, const struct product *p);
void sum_add_number(struct symbolic *s, struct sum *sum, const char *text);
void sum_add_atom(struct symbolic *s, struct sum *sum, lterm atom, int32_t exponent);
void sum_add_scaled(struct symbolic *s, struct sum *to, const struct sum *from, const char *factor);
void sum_drop_product(struct sum *sum, uint32_t i);

#endif
