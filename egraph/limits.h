// SPDX-License-Identifier: Apache-2.0
// Limits of the e-graph engine: what a run may cost when the caller names no
// limit of its own, and how much each search for something shorter may try.
// A limit changes how much is found, never whether a result is true.
#ifndef EGRAPH_LIMITS_H
#define EGRAPH_LIMITS_H

#include "base/limit.h"

// clang-format off
#define EGRAPH_LIMITS(X) \
    /* Saturation of programs: egraph/saturate.h. */ \
    X(EGRAPH_ROUNDS, 30, "rounds", "most programs are saturated sooner") \
    X(EGRAPH_MATCHES, 1000, "matches", "of a rule in a round; more let one rule fill the graph") \
    X(EGRAPH_MATCHES_PER_OPERATION, 2, "matches", "large programs have more places that match") \
    X(EGRAPH_MATCH_STEPS, 1 << 22, "node visits", "of a rule in a round; one rule must not use up a run") \
    X(EGRAPH_PAUSE, 4, "rounds", "first pause of a rule with too many matches") \
    X(EGRAPH_SLACK, 2, "operators", "larger detours seldom lead to smaller terms") \
    X(EGRAPH_TREE, 1000, "operators", "of a shared term's tree; larger ones count for none of its users") \
    X(EGRAPH_NODES, 5000, "nodes", "enough for all rules on a small program") \
    X(EGRAPH_NODES_PER_OPERATION, 20, "nodes", "the graph of a large program grows with the program") \
    X(EGRAPH_STEPS, 450000, "node visits", "of a run on up to 1,000 operations; bounds its effort on any machine alike") \
    X(EGRAPH_STEPS_PER_OPERATION, 450, "node visits", "of a run; the effort grows with the program") \
    X(EGRAPH_WINDOW, 1024, "nodes", "that all rules of a group match before the next ones; they fit a cache") \
    X(EGRAPH_TOGETHER, 128, "rules", "of a group; more would read a window hardly more seldom") \
    X(EGRAPH_PART, 250, "nodes", "of a program, a part of it; EGRAPH_NODES are enough for each") \
    X(EGRAPH_PART_REST, 16, "parts of a limit", "if less is left, it is not divided among the parts") \
    X(EGRAPH_STEPS_SHARE, 16, "parts of a run", "a rule in a round gets one part of the node visits") \
    /* Patterns of rules on tensors. */ \
    X(EGRAPH_PATTERN_NODES, 1024, "nodes", "of a side with its families written out; rules have fewer") \
    X(EGRAPH_PATTERN_FAMILIES, 6, "families", "each doubles the variants of a pattern") \
    X(EGRAPH_INDEX_DEPTH, 8, "levels", "deeper patterns are searched as if news were near") \
    X(EGRAPH_ORBIT_PAIRS, 6, "classes", "of an orbit that get transposes between all of them before extraction") \
    X(EGRAPH_FUSE_FAN, 8, "broadcasts or reshapes", "of a class; more would repeat what the equal ones already say") \
    /* Rules on plain terms. */ \
    X(EGRAPH_PLAIN_ATOMS, 64, "nodes", "of a side of a rule; bounds arrays on the stack") \
    X(EGRAPH_PLAIN_VARIABLES, 64, "variables", "of a rule, with one for each node; bounds arrays") \
    X(EGRAPH_PLAIN_ARGUMENTS, 32, "arguments", "of a node of a rule; bounds arrays; terms are not limited") \
    X(EGRAPH_PLAIN_CONDITIONS, 16, "conditions", "of a rule; bounds arrays") \
    X(EGRAPH_PLAIN_MATCHES, 1000, "matches", "of a rule in a round with back-off; the value of egg") \
    X(EGRAPH_PLAIN_PAUSE, 5, "rounds", "first pause with back-off; the value of egg") \
    X(EGRAPH_PLAIN_MATCH_STEPS, 8, "node visits", "that one match counts for in the effort of a run") \
    X(EGRAPH_PLAIN_NODE_STEPS, 32, "node visits", "that one node made counts for") \
    X(EGRAPH_PLAIN_CLOSE_STEPS, 2048, "node visits", \
      "that some tasks of closing modulo order and brackets count for") \
    X(EGRAPH_PLAIN_RATION, 2048, "nodes", "a rationed round of a small graph may add so many") \
    X(EGRAPH_HELD_NODES, 1 << 22, "nodes", "16 MiB of held matches; beyond, holding costs more than it saves") \
    X(EGRAPH_HELD_PER_NODE, 8, "nodes", "held matches for each node that the graph may have") \
    X(EGRAPH_HELD_PART, 4096, "nodes", "new nodes that are worth closing the graph within a rule") \
    X(EGRAPH_RING_LEAST, 8, "nodes", "smaller classes are walked as fast as a list is looked up") \
    X(EGRAPH_ABOVE_LEAST, 64, "places", "above a class; a list of fewer nodes costs more than it saves") \
    X(EGRAPH_RING_NODES, 1 << 16, "nodes", "1 MiB of lists of the nodes of large classes") \
    X(EGRAPH_PLAN_SAMPLE, 64, "nodes", "of the sample that estimates the effort of a search") \
    X(EGRAPH_FOLD_DIGITS, 300, "characters", "longer numbers stay text") \
    X(EGRAPH_REALS_FOLDED, 3, "arguments", "of an operator over values; no operator has more") \
    /* Operators that are associative and commutative. */ \
    X(EGRAPH_AC_SIZE, 64, "atoms", "larger sums are atoms of the sums above them") \
    X(EGRAPH_AC_TASKS, 8, "tasks", "of a completion for each equation") \
    X(EGRAPH_AC_TASKS_FLOOR, 256, "tasks", "of a completion of few equations") \
    X(EGRAPH_AC_TASK_WORK, 256, "steps", "of a completion for each task") \
    X(EGRAPH_AC_STEPS, 4096, "steps", "of a path; longer paths would fill the journal") \
    X(EGRAPH_AC_OFFERS, 100000, "nodes", "added in a round for rules to match") \
    X(EGRAPH_AC_SWAPS, 6, "nodes", "of a left side; each doubles the variants of a rule") \
    /* The journal and explanations. */ \
    X(EGRAPH_JOURNAL_SPARE, 1 << 18, "bytes", "of rule uses that merged nothing, besides a quarter of the journal") \
    X(EGRAPH_WHY_FOLDED, 4, "arguments", "of a folded node; no operator that folds has more") \
    X(EGRAPH_WHY_DEPTH, 200, "levels", "of premises below premises; deeper ones are taken one by one") \
    X(EGRAPH_WHY_REFUSALS, 4, "questions", "then the steps of an entry are found out once and for all") \
    X(EGRAPH_WHY_PASSES, 6, "passes", "of shortening; fewer when a pass shortens nothing") \
    X(EGRAPH_WHY_WORK, 100000, "edges", "one explanation looks at so many for shorter ways") \
    X(EGRAPH_WHY_EDGE_WORK, 2000, "edges", "one entry of the journal must not use up a pass") \
    X(EGRAPH_WHY_SCANS, 8, "scans", "of the journal for edges that joined nothing") \
    X(EGRAPH_WHY_COPIED_STEPS, 10, "steps", "copies of shorter entries cost more than they save") \
    X(EGRAPH_WHY_MERGE_DEPTH, 64, "levels", "of congruences that become one; bounds the stack") \
    X(EGRAPH_WHY_LOOK_BACK, 64, "parts", "of a chain that are searched for a way that comes back") \
    X(EGRAPH_WHY_SWAP_STEPS, 32, "steps", "longer proofs are not reordered; bounds arrays") \
    X(EGRAPH_WHY_SWAP_ROUNDS, 4, "rounds", "of reordering one proof") \
    X(EGRAPH_WHY_SWAPS, 400, "swaps", "tried in one proof") \
    X(EGRAPH_WHY_CUTS, 24, "cuts", "tried in one proof; each is a search") \
    X(EGRAPH_WHY_CUT_SPAN, 8, "parts", "of a chain that one cut may replace") \
    X(EGRAPH_WHY_TIDY_DEPTH, 64, "lines", "beneath each other; bounds the stack") \
    X(EGRAPH_WHY_PROGRAM_WORK, 1 << 20, "edges", "explaining many results must cost less than finding them") \
    /* Extraction. */ \
    X(EGRAPH_CONSTANT_BYTES, 1 << 16, "bytes", \
      "of a constant that rewriting brings into a program; as much as its largest one if that is more") \
    X(EGRAPH_COST_FILE_BYTES, 1 << 20, "bytes", "of a file of costs; one line for each operator is far less") \
    X(EGRAPH_COST_DIGITS, 40, "characters", "of a number in it") \
    X(EGRAPH_COST_MOST, 1000000000, "cost", "that such a number may be; sums stay far from the largest double") \
    X(EGRAPH_DAG_EFFORT, 200, "edge visits", "of greedy extraction for each edge of the problem") \
    X(EGRAPH_DAG_CONE, 256, "nodes", "beneath a node; what falls away with it is summed up") \
    X(EGRAPH_DAG_LOCAL_EFFORT, 10, "edge visits", "of the last local search for each edge") \
    X(EGRAPH_DAG_EFFORT_FLOOR, 1 << 16, "edge visits", "small problems are searched well") \
    X(EGRAPH_DAG_EFFORT_CEILING, 1 << 30, "edge visits", "bounds the effort on the largest problems") \
    X(EGRAPH_NEEDED_KEPT, 16, "classes", \
      "the nearest that a class needs; more take memory and tell little") \
    X(EGRAPH_NEEDED_ROUNDS, 20, "rounds", "until the needs of classes in one cycle stay") \
    X(EGRAPH_DAG_DIVISIONS, 3, "starts", "from divided prices; later starts repeat earlier ones") \
    X(EGRAPH_DAG_LOCAL_ROUNDS, 8, "rounds", "of local search; fewer when a round improves nothing") \
    X(EGRAPH_DAG_SET_MEMBERS, 1 << 25, "members", "128 MiB of stored cost sets") \
    X(EGRAPH_EXACT_STEPS, 1000, "million steps", "then the best solution found is the result") \
    X(EGRAPH_EXACT_ITERATION_PART, 8, "entries", \
      "of the matrix that count as one step of an iteration of the simplex method") \
    X(EGRAPH_EXACT_MEMORY, 4096, "MiB", "of the process that runs the LP solver") \
    X(EGRAPH_EXACT_NEEDS, 400, "MiB", "of the sets of needed classes; without them bounds are weaker") \
    X(EGRAPH_EXACT_ROUNDS, 200, "rounds", "of the LP with new rows") \
    X(EGRAPH_EXACT_IDLE, 12, "rounds", "with next to no better bound") \
    X(EGRAPH_EXACT_LOOPS, 200, "rows", "for loops in a round of the LP") \
    X(EGRAPH_EXACT_LOOP_EFFORT, 20000000, "edge visits", "of the search for loops in a round") \
    X(EGRAPH_EXACT_FLOWS, 100, "rows", "for sets that cannot be left in a round of the LP") \
    X(EGRAPH_EXACT_SWEEPS, 8, "sweeps", "of the estimate of flow around a class") \
    X(EGRAPH_EXACT_ROUNDINGS, 8, "rounds", "of the LP that are all rounded; then one in four")
// clang-format on
enum { EGRAPH_LIMITS(LIMIT_CONSTANT) };

extern const struct limit egraph_limits[];
extern const unsigned n_egraph_limits;

#endif
