// SPDX-License-Identifier: Apache-2.0
// Prints a rule: two sketches, the learned slots of the right side, and
// preconditions.
#ifndef DISCOVER_SKETCH_TEXT_H
#define DISCOVER_SKETCH_TEXT_H

#include "discover/limits.h"
#include "discover/sketch/sketch.h"

enum class_form { CLASS_AXES, CLASS_NOT_EMPTY, CLASS_AXIS };
enum general {
    GENERAL_NOT,
    GENERAL_OP,    // each binary operator stands for any operator
    GENERAL_MONOID // reducers and binary operators of one kind are any monoid
};
struct rule_sketch {
    struct sketch lhs, rhs;
    char *slot[SKETCH_SLOTS];    // by slot of the right side, in names of the left side
    char *where[SKETCH_CLASSES]; // by class; "" or NULL: none
    enum class_form form[SKETCH_CLASSES];
    bool spectator; // all tensors have one further class
    enum general general;
};

// The known values of the left side on a class, sizes and slots, with their
// names.
struct known_names {
    uint32_t n;
    struct {
        char name[8];
        bool size;
        uint8_t which; // size root, as in sketch_sizes, or slot
    } at[SKETCH_SLOTS + 16];
};
void known_on(const struct sketch *lhs, unsigned cls, struct known_names *known);
// Computed values that are worth comparing: sizes of slices and paddings, the
// distance of elements in a padding, and the end of the last element that a
// slice with strides takes (these are last).
struct computed {
    char text[240];
    uint8_t node;
    bool distance; // interior + 1, else the size
    bool end;      // the end of the elements that a slice takes
    uint8_t slot;  // of the interior or stride
};
uint32_t computed_on(const struct sketch *lhs, unsigned cls, uint32_t most, struct computed *out);
// Lists the slots of the sketch on the class.
uint32_t slots_on(const struct sketch *sketch, unsigned cls, uint8_t slot[SKETCH_SLOTS]);

// Prints a name made of the operators of the left side: "slice_of_pad".
void rule_sketch_name(const struct rule_sketch *pair, struct buf *out);
void rule_sketch_text(const struct rule_sketch *pair, const char *name, const char *doc,
                      const char *origin, unsigned claims, struct buf *out);

#endif
