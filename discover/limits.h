// SPDX-License-Identifier: Apache-2.0
// The limits of discover/, one table.  The code uses the constants.
#ifndef DISCOVER_LIMITS_H
#define DISCOVER_LIMITS_H

#include "base/limit.h"

// clang-format off
#define DISCOVER_LIMITS(X) \
    X(EXAMPLE_NODES, 400, "operations", "of both programs, each use counted; larger programs are no examples of one rule") \
    X(EXAMPLE_DEPTH, 60, "levels", "of operations in a program") \
    X(EXAMPLE_CLASSES, 12, "classes", "a rule with more roles of axes is not one that people read") \
    X(EXAMPLE_UNKNOWNS, 16, "attributes", "of the right side along one class that are solved for together") \
    X(EXAMPLE_ORDERED, 24, "points", "with values ordered as those of the pair") \
    X(EXAMPLE_ORDERED_TRIES, 30, "tries", "until sums of two values compare with a third one as in the pair") \
    X(EXAMPLE_WEIGHT, 8, "times", "as much as another point counts one of these") \
    X(EXAMPLE_POINTS, 44, "points", "that tell expressions apart") \
    X(EXAMPLE_POINT_TRIES, 60000, "tries", "random values until there are enough points") \
    X(EXAMPLE_EXPRESSIONS, 6000, "expressions", "over the integers of the left side") \
    X(EXAMPLE_CANDIDATES, 40, "expressions", "for one attribute, all with the value of the pair") \
    X(EXAMPLE_PLACES, 12000, "expressions", "sums and differences that a minimum or maximum may have") \
    X(EXAMPLE_CLAMPS, 3000, "expressions", "minima and maxima of longer expressions, with a value of the pair") \
    X(EXAMPLE_CLAMP_SIZE, 8, "nodes", "of both sides of a minimum or maximum together") \
    X(EXAMPLE_PLAIN_SIZE, 4, "nodes", "of an expression that may have values far from its operands") \
    X(EXAMPLE_WIDE_CANDIDATES, 2000, "expressions", "for one attribute, if few were not enough") \
    X(EXAMPLE_TUPLES, 96, "tuples", "of values under which the sides agree at one point") \
    X(EXAMPLE_WORK, 12000000, "steps", "tuples of values that are looked at; an instance counts for EXAMPLE_TRY_WORK") \
    X(EXAMPLE_TRY_WORK, 200, "steps", "of one instance") \
    X(EXAMPLE_WIDE_WORK, 8000000, "steps", "the same, if few expressions were not enough") \
    X(EXAMPLE_WIDE_UNKNOWNS, 3, "attributes", "whose many values are still few together") \
    X(EXAMPLE_BEAM, 40, "tuples", "of expressions that the next attribute extends") \
    X(EXAMPLE_SOLUTIONS, 4, "solutions", "of a class that are proved") \
    X(EXAMPLE_CLAMPED, 2, "solutions", "with clamps that come before simpler ones") \
    X(EXAMPLE_TIED, 8, "solutions", "that are right at equally many points and are compared at more") \
    X(EXAMPLE_TIED_POINTS, 200, "points", "at which solutions are compared") \
    X(EXAMPLE_TIED_TRIES, 20000, "tries", "random values until there are enough of these points") \
    X(EXAMPLE_LIMITS, 8, "limits", "of slices, other than the pair's, that have the same result") \
    X(EXAMPLE_BOUNDS, 4, "preconditions", "more than a rule has that speaks of an equality, if they say what it is for") \
    X(EXAMPLE_LABELS, 400, "points", "of a class that a precondition is learned from") \
    X(EXAMPLE_FIRST_LABELS, 100, "points", "at one of which at least the sides must agree before there are more") \
    X(EXAMPLE_WRONG_POINTS, 12, "points", "at which rules were refuted, that the right side is solved at, too") \
    X(EXAMPLE_ORDERED_LABELS, 80, "points", "ordered as the pair that a precondition is learned from, too") \
    X(EXAMPLE_ATTACKS, 400, "instances", "that a rule must pass before a proof") \
    X(EXAMPLE_RARE, 20, "times", "as many points as right ones: then no precondition is looked for") \
    X(EXAMPLE_PROOFS, 60, "proofs", "of rules and domains; then the search ends") \
    X(EXAMPLE_ROUNDS, 5, "rounds", "between a precondition and the counterexamples to it") \
    X(EXAMPLE_CONSTANTS, 4, "constants", "of the program before that may be free; the number of choices doubles with each") \
    X(EXAMPLE_CHOICES, 16, "choices", "of free constants that are tried") \
    X(EXAMPLE_MATCH_NODES, 4000, "nodes", "of the graph in which a rule must rewrite the pair") \
    X(EXAMPLE_MATCH_ROUNDS, 3, "rounds", "in which a rule must rewrite the pair") \
    X(EXAMPLE_COVERED, 12, "instances", "of a rule that a wider one must cover, and twice as many edge cases") \
    X(EXAMPLE_COVER_EFFORT, 3000, "assignments", "values of maps that are looked at for these instances") \
    X(EXAMPLE_DROPS, 12, "coincidences", "that are tried to be dropped") \
    X(EXAMPLE_DROP_SOLUTIONS, 2, "solutions", "that are tried without a coincidence") \
    X(EXAMPLE_WITNESS_TRIES, 1500, "cases", "until the sides agree at one with an axis of each class") \
    X(EXAMPLE_TYPES, 6, "pairs", "of element types one of which may have to hold the other one") \
    X(EXAMPLE_LEVELS, 3, "levels", "of what a pair has in common by chance") \
    X(EXAMPLE_ORDERS, 60, "orders", "of the dimensions of inner operators that a pair may have") \
    X(EXAMPLE_COUNTS, 6, "expressions", "that a number of the right side may count") \
    X(EXAMPLE_NEAR_PROOFS, 30, "proofs", "of true rules near to a pair that is not equal") \
    X(EXAMPLE_SLOTS, 200, "attributes", "of both programs, by class") \
    X(FIT_PROBES, 64, "samples", "an expression is told apart from others by its values at so many samples") \
    X(FIT_PER_SIZE, 6, "expressions", "the best of each size take part in tuples for several unknowns") \
    X(FIT_SIZES, 8, "sizes", "expressions have at most 2 * 8 - 1 nodes") \
    X(FIT_VALUE_BITS, 40, "bits", "larger values count as undefined, so that sums and products fit 64 bits") \
    X(FIT_KEPT, 4000, "expressions", "larger expressions are made of the first ones of each size") \
    X(FIT_SIZE, 5, "nodes", "the default: two operators on three leaves") \
    X(FIT_BEAM, 48, "tuples", "tuples of expressions that the next unknown extends") \
    X(FIT_UNKNOWNS, 16, "unknowns", "no operator has more attributes") \
    X(FIT_WORDS, 64, "words", "64 * 64 good and as many bad samples decide between preconditions") \
    X(FIT_IN_TERM, 3, "literals", "longer disjunctions say nothing a reader would keep") \
    X(FIT_COST, 16, "cost", "costs above count as this one") \
    X(FIT_TERMS, 12, "terms", "longer conjunctions fit samples, not laws") \
    X(FIT_DEFAULT_TERMS, 6, "terms", "the default for preconditions that people read") \
    X(FIT_PAIRS_EXTENDED, 48, "pairs", "only the best pairs get a third literal") \
    X(FIT_PAIRED, 500, "literals", "pairs are made of the simplest literals, since their number is squared") \
    X(SCALAR_MAX_OPS, 32, "operators", "operators that one run looks at") \
    X(SCALAR_MAX_VARS, 6, "variables", "the number of terms grows exponentially with them") \
    X(SCALAR_MAX_CONSTANTS, 16, "constants", "the number of terms grows with them") \
    X(SCALAR_TREE_NODES, 64, "nodes", "a term of the largest size and depth that options allow has fewer") \
    X(SCALAR_RULES, 4096, "rules", "the array is reserved once, because rules must not move") \
    X(SCALAR_TERMS, 2000000, "terms", "memory: about 1 GB") \
    X(SCALAR_MAX_TERM_OPS, 20, "operators", "a term must fit SCALAR_TREE_NODES") \
    X(SCALAR_MAX_DEPTH, 5, "levels", "a term must fit SCALAR_TREE_NODES") \
    X(SCALAR_TABLE_BITS, 20, "bits", "at most 2^20 inputs are looked at one by one") \
    X(SCALAR_DEFAULT_VARS, 3, "variables", "the default: associativity and distributivity need three") \
    X(SCALAR_SMALL, 4000, "equations", "small equations that help to choose others") \
    X(SCALAR_SMALL_OPS, 3, "operators", "both sides together; such an equation is small") \
    X(SCALAR_SYMMETRY_OPS, 6, "operators", "both sides together; larger symmetries follow from small ones") \
    X(SCALAR_FIRST_OF_GROUP, 8, "terms", "only the simplest terms of a group are paired with all others") \
    X(SCALAR_DROP_ROUNDS, 6, "rounds", "a rule that follows from others follows within few rounds") \
    X(SCALAR_DROP_NODES, 3000, "nodes", "a graph for each rule that may be dropped") \
    X(SCALAR_SMALL_NODES, 80, "nodes", "room in the common graph for each small equation") \
    X(SCALAR_DIRECT_OPS, 3, "operators", "equations up to this size are tried one by one") \
    X(SCALAR_LARGE_NODES, 30000, "nodes", "a graph of the large equations") \
    X(SCALAR_MORE_PASSES, 1, "passes", "a second pass over the rules found none to drop") \
    X(SCALAR_FIRST_RLIMIT, 150000, "steps", "most questions are easy; the rest are asked again without this limit") \
    X(SCALAR_OTHER_INPUTS, 400, "inputs", "new inputs that an equation must pass before a proof") \
    X(SCALAR_FEW_INPUTS, 256, "inputs", "types so small are tabulated") \
    X(SCALAR_INPUTS, 24, "inputs", "values of each machine type that tell terms apart") \
    X(SCALAR_REAL_INPUTS, 64, "inputs", "values of the reals that tell terms apart") \
    X(SCALAR_ROUNDS, 1000, "rounds", "other limits end a run") \
    X(LINT_EFFORT, 3000, "assignments", "values of maps that are looked at for instances of a rule") \
    X(LINT_INSTANCES, 4, "instances", "the default; an overlap that few instances miss is rare") \
    X(LINT_STATES, 60, "terms", "the default; terms that are looked at from one start") \
    X(LINT_STEPS, 8, "steps", "the default; loops that people write are shorter") \
    X(LINT_OVERLAP_RULES, 40, "rules", "in larger sets the pairs of rules take too long") \
    X(LINT_GROWTH, 3, "times", "a term that grows beyond so many times the start is left") \
    X(LINT_GROWTH_MORE, 12, "operators", "small starts may grow by so many operators more") \
    X(LINT_PRINT_DEPTH, 8, "levels", "deeper parts of a term are printed as dots") \
    X(LINT_PAIR_PRINT_DEPTH, 6, "levels", "deeper parts of an instance are printed as dots") \
    X(LINT_MATCHES, 64, "matches", "of one rule at one term") \
    X(LINT_MATCH_STEPS, 65536, "steps", "of one match; the terms are small") \
    X(LINT_PART_STEPS, 1000, "steps", "to find one term in another up to renaming") \
    X(LINT_NORMAL_TURNS, 8, "turns", "laws of layouts end after a few turns") \
    X(LINT_SAMPLES_PER_FAMILY, 3, "instances", "each family of classes shows several shapes") \
    X(SKETCH_NODES, 20, "nodes", "both a size of arrays and far above what can be enumerated") \
    X(SKETCH_CLASSES, 4, "classes", "the last is kept for the class that is added to a found rule") \
    X(SKETCH_TENSORS, 4, "tensors", "the number of sketches grows with them") \
    X(SKETCH_SCALARS, 3, "scalars", "the number of sketches grows with them") \
    X(SKETCH_SLOTS, 24, "slots", "attributes of all operators of a sketch") \
    X(SKETCH_ELEMENTS, 1024, "elements", "larger arrays are not evaluated") \
    X(SKETCH_SIZE, 200, "indices", "a padded axis is no longer; larger ones only cost time") \
    X(SEARCH_WAVE, 32, "left sides", "between two rounds of proofs") \
    X(SEARCH_TRIES, 6, "right sides", "of one left side of two operators that are solved for") \
    X(SEARCH_TRIALS, 150, "instances", "most wrong rules fail at one of so few") \
    X(SEARCH_TRIALS_NEEDED, 10, "instances", "a rule with fewer instances is not worth a proof") \
    X(SEARCH_SMALL, 2, "operators", "sides up to this size are looked at completely") \
    X(SEARCH_PINS, 4, "ways", "to leave strides and interiors out") \
    X(SEARCH_OPERATORS, 8, "operators", "no side of a rule has as many") \
    X(SEARCH_PROCESSES, 64, "processes", "more do not help one machine") \
    X(SEARCH_POLL_MS, 500, "ms", "between two reports of progress") \
    X(SEARCH_DERIVE_NODES, 1500, "nodes", "a rule that follows from others does so in a small graph") \
    X(SEARCH_DERIVE_ROUNDS, 4, "rounds", "a rule that follows from others does so within few rounds") \
    X(SEARCH_DERIVE_INSTANCES, 3, "instances", "at which a rule must follow") \
    X(SEARCH_GENERAL, 6, "rules", "more general than one that are looked for") \
    X(SEARCH_SPECIAL, 150, "rules", "that are asked whether they are special cases of one") \
    X(SEARCH_ANSWERS_GIB, 4, "GiB", "the largest file of answers that is read") \
    X(SOLVE_SOLUTIONS, 600, "solutions", "a sample with more of them says too little") \
    X(SOLVE_LARGEST, 12, "indices", "the longest axis that a sample may have") \
    X(SOLVE_POINTS, 1600, "points", "values of known attributes that are looked at") \
    X(SOLVE_TRIES_PER_POINT, 8, "tries", "random values that are no points are dropped") \
    X(SOLVE_LEAST_POINTS, 8, "points", "fewer teach nothing") \
    X(SOLVE_COMPUTED, 6, "columns", "values computed from attributes that expressions may use") \
    X(SOLVE_STEPS, 60000, "evaluations", "to find all solutions of one point") \
    X(SOLVE_LEARNED, 26, "samples", "of either kind to learn attributes from") \
    X(SOLVE_POOR, 6, "samples", "of either kind that say little") \
    X(SOLVE_LATER, 14, "samples", "that an answer was wrong at, added to learn from") \
    X(SOLVE_SLOT_ROUNDS, 3, "rounds", "more do not repair a wrong set of attributes") \
    X(SOLVE_WHERE_ROUNDS, 6, "rounds", "more do not repair a wrong precondition") \
    X(SOLVE_VALUE, 1000, "absolute value", "attributes of small arrays are smaller") \
    X(SOLVE_SAMPLE_TRIES, 700, "points", "that are solved to find samples") \
    X(SOLVE_WHERE_RICH, 58, "samples", "of either kind to learn preconditions from") \
    X(SOLVE_WHERE_POOR, 6, "samples", "of either kind that say little") \
    X(SOLVE_LEAST_COVERED, 4, "samples", "an answer that covers fewer is a coincidence") \
    X(SOLVE_TERMS, 4, "terms", "longer preconditions are not worth a rule") \
    X(TABLE_WORLDS, 6, "worlds", "sets of inputs; the last is of single elements") \
    X(TABLE_FILLINGS, 1500, "fillings", "values of attributes of one right side") \
    X(TABLE_SAMPLES, 300, "samples", "of a left side in one world") \
    X(TABLE_CROWD, 4000, "right sides", "of one value that are compared") \
    X(TABLE_ENTRIES, 400, "values", "of one right side in one world that are kept") \
    X(TRIAL_POINTS, 64, "points", "of a rank class that are kept") \
    X(TRIAL_FIRST, 20000, "tries", "random values until the first points; each counts for 40") \
    X(TRIAL_FIRST_POINTS, 12, "points", "random values end; small steps go on from here") \
    X(TRIAL_DEAR, 40, "tries", "an instance costs as much as so many evaluations of preconditions") \
    X(TRIAL_STEPS, 800, "steps", "small steps from the first points") \
    X(TRIAL_ELEMENTS, 3000, "elements", "larger arrays are not evaluated") \
    X(TRIAL_AXES, 5, "axes", "from here on a class gets one axis at most") \
    X(TRIAL_TRIES_PER_INSTANCE, 8, "tries", "values that give no instance are dropped") \
    X(TRIAL_OPERATOR_TRIES, 60, "tries", "until an operator fits the types of an operator variable") \
    X(TRIAL_MAPS, 64, "maps", "rules with more are not tried") \
    X(TRIAL_CLASSES, 64, "classes", "rules with more are not tried") \
    X(GENERALIZE_PASSES, 2, "passes", "one change makes room for another; a third pass found nothing") \
    X(GENERALIZE_POINTS, 12000, "points", "outside the preconditions at which agreement is looked for") \
    X(GENERALIZE_NEED_ATTACKS, 4000, "instances", "to show that a precondition is needed before a proof says so") \
    X(GENERALIZE_ATTACKS, 600, "instances", "that a wider rule must pass before it is proved") \
    X(GENERALIZE_UNKNOWNS, 6, "attributes", "the product of their values is enumerated") \
    X(GENERALIZE_SOME_UNKNOWNS, 4, "attributes", "that are no bare maps and become unknown together") \
    X(GENERALIZE_ALL_UNKNOWNS, 5, "attributes", "that become unknown together") \
    X(REPAIR_MOST, 6, "repairs", "the default; more are no choice but a list") \
    X(REPAIR_PROOFS, 200, "proofs", "the default; the best repairs come first") \
    X(REPAIR_ELEMENT_PROOFS, 60, "proofs", "of preconditions on elements of the rule as it is") \
    X(REPAIR_NEAR_PROOFS, 12, "proofs", "of preconditions on elements of one changed right side") \
    X(REPAIR_COMPLETE_PROOFS, 8, "proofs", "of preconditions that win a lost domain back") \
    X(REPAIR_FINALISTS, 14, "repairs", "that are proved again, in full") \
    X(REPAIR_NEAR, 6, "right sides", "that are nearly right get preconditions") \
    X(REPAIR_NEAR_SAMPLES, 60, "instances", "that show how often a changed right side is right") \
    X(REPAIR_COMPLETED, 2, "changes", "that lose a domain get preconditions for it") \
    X(REPAIR_CHEAP, 6, "bits", "a repair this cheap ends the search for stranger ones") \
    X(REPAIR_PAIRS, 4000, "changes", "in two places; their number is squared") \
    X(REPAIR_CLAMPS, 8, "operators", "minima and maxima of one expression that may be dropped") \
    X(REPAIR_ATTRIBUTES, 16, "attributes", "of a right side that are learned again") \
    X(REPAIR_RLIMIT, 2000000, "steps", "of a query while repairs are looked for") \
    X(REPAIR_ATOMS, 128, "atoms", "conditions on elements; their pairs are tried") \
    X(REPAIR_TERMS, 10, "terms", "variables and parts that atoms speak of") \
    X(REPAIR_PARTS, 4, "terms", "parts of the left side among them") \
    X(REPAIR_PART_TEXT, 200, "characters", "longer parts make no readable condition") \
    X(REPAIR_UNDECIDED, 30, "sets", "without a verdict, then a domain is given up") \
    X(REPAIR_UNDECIDED_FLOAT, 6, "sets", "the same for floats, which take longest") \
    X(REPAIR_BITS_SAMPLES, 200, "instances", "that measure how much a precondition leaves out") \
    X(REPAIR_BREAK_TRIES, 200, "instances", "that a repair must pass before a proof") \
    X(REPAIR_VALID_TRIES, 3000, "instances", "until one meets the preconditions") \
    X(REPAIR_AGREE_TRIES, 4000, "instances", "until one shows both sides equal") \
    X(REPAIR_AGREE_MORE, 400, "instances", "that must not differ once one agreed") \
    X(LEARN_COLUMNS, 24, "columns", "known values that expressions are made of") \
    X(LEARN_COLUMN_NODES, 25, "nodes", "longer expressions of a rule are no columns") \
    X(LEARN_SIZE_COLUMNS, 3, "columns", "sizes of nodes among them") \
    X(LEARN_SOLVED_POINTS, 44, "points", "that expressions are fitted to") \
    X(LEARN_SOLVED_POINTS_SLOW, 30, "points", "if each point takes long") \
    X(LEARN_SOLVE_WORK, 1500000, "instances", "above, fewer points are solved") \
    X(LEARN_SOLVE_TRIES, 2000, "tries", "for each point that is solved") \
    X(LEARN_UNSOLVED, 4, "times", "points without a solution are kept up to so many times the solved ones") \
    X(LEARN_SOLUTIONS, 128, "solutions", "a point with more of them says little") \
    X(LEARN_WRONG_POINTS, 16, "points", "at which an answer was wrong are solved and added") \
    X(LEARN_ANSWERS, 6, "answers", "tuples of expressions that are tried") \
    X(LEARN_TRIALS, 24, "trials", "tuples of both fits together") \
    X(LEARN_EXPRESSION, 5, "nodes", "of the expressions of the first fit") \
    X(LEARN_LARGER_EXPRESSION, 7, "nodes", "of the expressions of the second fit") \
    X(DRAFT_ROOM, 40, "objects", "of each sort that a draft may have more than its rule") \
    X(LEARN_ROUNDS, 10, "rounds", "between a precondition and the counterexamples to it") \
    X(LEARN_TERM_TRIES, 3000, "instances", "to find one that a new precondition wins") \
    X(LEARN_TRIAL_POINTS, 150, "points", "that rank the answers") \
    X(LEARN_LEAST_GOOD, 5, "points", "an answer with fewer right ones is dropped") \
    X(LEARN_SETTLED, 3, "answers", "that get a precondition") \
    X(LEARN_POINTS, 1000, "points", "the default; labels to learn a precondition from") \
    X(LEARN_QUERY_STEPS, 1500000, "solver steps", "of one query; learning asks for many") \
    X(LEARN_NEIGHBOURS, 120, "points", "around a counterexample, near the border") \
    X(LEARN_ATTACKS, 1500, "instances", "that a precondition must pass before a proof") \
    X(LEARN_ATTACK_FINDS, 40, "counterexamples", "of one attack that become labels") \
    X(LEARN_LABEL_TRIES, 400, "tries", "for each label") \
    X(LEARN_LABEL_TERMS, 8, "terms", "of a learned precondition") \
    X(LEARN_LOSS_TRIES, 4000, "instances", "to find losses: points that held before and do not now") \
    X(LEARN_LOSSES, 20, "points", "losses of one round that become labels") \
    X(LEARN_CLASSES, 64, "classes", "rules have no more") \
    X(EXPERIMENT_PLACES, 4, "axes", "of one class") \
    X(EXPERIMENT_ELEMENTS, 2048, "elements", "larger arrays are not evaluated") \
    X(EXPERIMENT_TRIES_PER_POOL, 64, "tries", "then the terms of old cases are dropped") \
    X(EXPERIMENT_MUTATIONS, 20, "tries", "to find a map that may change") \
    X(DERIVE_EFFORT, 12000, "assignments", "values of maps that are looked at for instances of a rule") \
    X(DERIVE_NODES, 5000, "nodes", "the default; a derivation that people can follow is small") \
    X(DERIVE_ROUNDS, 10, "rounds", "the default; a derivation that people can follow is short") \
    X(DERIVE_STEPS, 300, "million node visits", "of one graph; nodes and rounds end most before") \
    X(DERIVE_MIN_INSTANCES, 4, "instances", "the default; each must be derived") \
    X(DERIVE_PER_FAMILY, 3, "instances", "at least, for each family of classes") \
    X(DERIVE_TYPES, 6, "element types", "the combinations are enumerated") \
    X(DERIVE_VARIABLES, 64, "variables", "one bit of a mask each") \
    X(SAMPLE_KEPT, 10, "points", "of a family") \
    X(SAMPLE_EDGE_POINTS, 8, "points", "of a family where something is 0, negative or fails") \
    X(SAMPLE_EDGE_TRIES, 64, "points", "of a space that are looked at for such points") \
    X(SAMPLE_TRIES, 40, "tries", "to make one instance") \
    X(SAMPLE_FAR, 24, "absolute value", "the greatest value of a map that is looked for") \
    X(SAMPLE_SIZES, 64, "sizes", "of nodes that are compared") \
    X(SAMPLE_MAPS, 256, "maps", "rules with more are sampled without a score of sizes") \
    X(SAMPLE_OWN_MAPS, 64, "maps", "of one family that change") \
    X(SAMPLE_CLIMB_SHARE, 100, "times", "the effort of the search is that of the steps of one point")
// clang-format on

enum { DISCOVER_LIMITS(LIMIT_CONSTANT) };

extern const struct limit discover_limits[];
extern const unsigned n_discover_limits;

#endif
