// SPDX-License-Identifier: Apache-2.0
// Two sketches, what was learned of the slots of the right one and the
// preconditions, as the text of a rule.
#ifndef DISCOVER_SKETCH_TEXT_H
#define DISCOVER_SKETCH_TEXT_H

#include "discover/limits.h"
#include "discover/sketch/sketch.h"

enum class_form { CLASS_AXES, CLASS_NOT_EMPTY, CLASS_AXIS };
enum general {
    GENERAL_NOT,
    GENERAL_OP,    // the binary operators are any, one for each
    GENERAL_MONOID // reducers and binary operators of one kind are any monoid
};
struct rule_sketch {
    struct sketch lhs, rhs;
    char *slot[SKETCH_SLOTS];    // of the right side, in L's names
    char *where[SKETCH_CLASSES]; // "" or NULL: none
    enum class_form form[SKETCH_CLASSES];
    bool spectator; // all tensors have one more class
    enum general general;
};

// The names of what is known of the left side on a class: sizes and slots.
struct known_names {
    uint32_t n;
    struct {
        char name[8];
        bool size;
        uint8_t which; // size root, as in sketch_sizes, or slot
    } at[SKETCH_SLOTS + 16];
};
void known_on(const struct sketch *lhs, unsigned cls, struct known_names *known);
// What is computed from those, and worth comparing: sizes of slices and
// paddings, the distance of elements in a padding, and where the last element
// that a slice with strides takes ends (these come last).
struct computed {
    char text[240];
    uint8_t node;
    bool distance; // interior + 1, else the size
    bool end;      // of what a slice takes
    uint8_t slot;  // of the interior or stride
};
uint32_t computed_on(const struct sketch *lhs, unsigned cls, uint32_t most, struct computed *out);
// Which slots of a sketch are on the class.
uint32_t slots_on(const struct sketch *sketch, unsigned cls, uint8_t slot[SKETCH_SLOTS]);

// "slice_of_pad", from the operators of the left side.
void rule_sketch_name(const struct rule_sketch *pair, struct buf *out);
void rule_sketch_text(const struct rule_sketch *pair, const char *name, const char *doc,
                      const char *origin, unsigned claims, struct buf *out);

#endif
