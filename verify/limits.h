// SPDX-License-Identifier: Apache-2.0
// Limits of the verifier.  A limit that is met makes a verdict `unknown` or
// leaves a counterexample unfound; no limit makes a verdict `proved`.
#ifndef VERIFY_LIMITS_H
#define VERIFY_LIMITS_H

#include "base/limit.h"

#define VERIFY_LIMITS(X)                                                                           \
    /* Proofs of one rule */                                                                       \
    X(VERIFY_RULE_STEPS, 30, "million steps",                                                      \
      "of one rule: of the solver and of the normal forms; rules of the library take fewer")       \
    X(VERIFY_QUERY_STEPS, 8000000, "solver steps",                                                 \
      "default of one query; steps, not seconds, keep verdicts the same on every machine")         \
    X(VERIFY_UNCLAIMED_STEPS, 2000000, "solver steps",                                             \
      "of one query about elements in a domain that the rule does not claim")                      \
    X(VERIFY_UNCLAIMED_SHORT_STEPS, 500000, "solver steps",                                        \
      "the same about words of at most 8 bits; those that need more need too many for 64 bits")    \
    X(VERIFY_SHARED_STEPS, 20000, "solver steps",                                                  \
      "after which a query about bits is asked again in a context of its own")                     \
    X(VERIFY_PRODUCTS_ROUNDS, 3, "rounds",                                                         \
      "of laws about products of reals, each with more facts")                                     \
    X(VERIFY_PRODUCTS_UNKNOWNS, 40, "unknowns", "of a query about products of reals")              \
    X(VERIFY_PRODUCTS_FEW_LAWS, 1500, "laws", "of each kind, about products of reals")             \
    X(VERIFY_PRODUCTS_LAWS, 10000, "laws", "of each kind, in the last query about such products")  \
    X(VERIFY_PRODUCTS_DEGREE, 6, "degree", "of a law about products of reals")                     \
    X(VERIFY_PRODUCTS_ROOT, 1024, "integer", "root of a coefficient of a difference of squares")   \
    X(VERIFY_PRODUCTS_ROOTS, 64, "polynomials", "whose squares may be part of others")             \
    X(VERIFY_PRODUCTS_PASSES, 16, "passes",                                                        \
      "over statements, for what follows without arithmetic")                                      \
    X(VERIFY_PRODUCTS_GUARDS, 24, "guards", "of equations about reals that are proved in a round") \
    X(VERIFY_PRODUCTS_BASIS, 60, "polynomials", "of a Groebner basis")                             \
    X(VERIFY_PRODUCTS_BASIS_TERMS, 30, "terms", "of a polynomial of a Groebner basis")             \
    X(VERIFY_PRODUCTS_BASIS_DEGREE, 8, "degree", "of a pair of a Groebner basis")                  \
    X(VERIFY_PRODUCTS_PAIRS, 600, "pairs", "of a Groebner basis")                                  \
    X(VERIFY_PRODUCTS_REDUCTIONS, 300, "steps", "of reducing one polynomial by a Groebner basis")  \
    X(VERIFY_GRADE_STEPS, 2000000, "solver steps",                                                 \
      "one query about a grade; grades that are proved at all take far fewer")                     \
    X(VERIFY_ORDER_STEPS, 400000, "steps",                                                         \
      "of a query about floats that is told facts about order")                                    \
    X(VERIFY_TINY_FORMAT_PART, 4, "1/steps",                                                       \
      "of a query about a grade in tiny floats; grades that are proved take far fewer")            \
    X(VERIFY_SHORT_FORMAT_PART, 8, "1/steps",                                                      \
      "of one in floats of 16 bits; those that need more need too many in longer formats")         \
    X(VERIFY_GRADE_RULE_STEPS, 8, "million steps",                                                 \
      "a grade is only a remark on a rule and gets fewer steps than its verdict")                  \
    X(VERIFY_HINTS_KEPT, 16, "hints",                                                              \
      "places where proofs failed; later failures repeat the earlier ones")                        \
    X(VERIFY_HINTS_SEARCHED, 24, "hints",                                                          \
      "models and earlier counterexamples from which one search starts")                           \
    X(VERIFY_MOVES_BUDGET_PART, 8, "1/candidates",                                                 \
      "a rule that only moves elements fails in every domain or in none")                          \
    X(VERIFY_TYPE_TRIES, 100000, "tries", "choices of element types that a rule may speak of")     \
    X(VERIFY_TYPE_MODELS, 32, "models",                                                            \
      "choices of element types for which values of a rule's maps are looked for")                 \
    X(VERIFY_ADVICE_CONDITIONS, 8, "conditions",                                                   \
      "conditions that are tried on a rule whose sides may have no value; each costs some proofs") \
    X(VERIFY_REASON_PARTS, 3, "parts", "of a rule named in one reason")                            \
    X(VERIFY_REASON_BYTES, 512, "bytes", "reasons and notes are one line; longer ones are cut")    \
    /* Second solver */                                                                            \
    X(VERIFY_CONFIRM_QUERY_STEPS, 300000, "steps", "its own, of one query to the second solver")   \
    X(VERIFY_CONFIRM_SECONDS, 600, "seconds",                                                      \
      "all queries of one rule: a net for a program that hangs, as it is not trusted")             \
    X(VERIFY_CONFIRM_LEAST_SECONDS, 5, "seconds",                                                  \
      "the second solver gets this much even if the user's limit of seconds is used up")           \
    X(VERIFY_SECOND_SOLVER_MIB, 2048, "MiB", "default memory of the second solver")                \
    X(VERIFY_SECOND_SOLVER_OUTPUT_MIB, 1, "MiB",                                                   \
      "answers are one line each; more output is an error")                                        \
    X(VERIFY_SECOND_SOLVER_NAME, 60, "characters", "a longer name or version is not a name")       \
    /* Worker processes */                                                                         \
    X(VERIFY_WORKERS, 256, "processes", "more workers than this is a mistake in an option")        \
    X(VERIFY_WORKER_PROOF_PERCENT, 70, "% of the user's limit",                                    \
      "with a limit of seconds, a rule gives up by itself before its worker is killed")            \
    X(VERIFY_WORKER_CPU_SECONDS, 600, "CPU seconds",                                               \
      "of a rule: a net below the limits that count, far more than any rule takes")                \
    X(VERIFY_WORKER_MIB, 2048, "MiB", "default address space of a worker")                         \
    X(VERIFY_WORKER_SPARE_MIB, 1, "MiB",                                                           \
      "a fault of a worker that cannot get so much more is a lack of memory")                      \
    X(VERIFY_SANITIZER_MIB, 1048576, "MiB",                                                        \
      "a process with this much address space is a sanitizer's and gets no limit")                 \
    X(VERIFY_WORKER_ANSWER_MIB, 64, "MiB",                                                         \
      "an answer is a report of some KiB; more output is a fault of the worker")                   \
    X(VERIFY_WORKER_ERROR_BYTES, 4096, "bytes",                                                    \
      "the beginning of what a worker writes to standard error is kept")                           \
    /* Ranks */                                                                                    \
    X(VERIFY_INSTANCES, 200, "instances",                                                          \
      "instances up to the rank bound; more take longer than a rule has")                          \
    X(VERIFY_INSTANCES_UNCLAIMED, 12, "instances",                                                 \
      "for domains that the rule does not claim, once the claimed ones are proved")                \
    X(VERIFY_INSTANCES_FEW, 16, "instances", "so few cost less than the AND-closure")              \
    X(VERIFY_RANK_PATHS, 200, "paths",                                                             \
      "paths through the conditions of one family, from which its bound is read")                  \
    X(VERIFY_CLOSURE_ATOMS, 60, "bits",                                                            \
      "conditions and reads of a rule, one bit each in one word")                                  \
    X(VERIFY_CLOSURE_AXES, 64, "vectors", "truth vectors of one axis, over all families")          \
    X(VERIFY_CLOSURE_VECTORS, 512, "vectors", "truth vectors in the closure; each is a query")     \
    /* Integers */                                                                                 \
    X(VERIFY_LINEAR_SLACK, 2, "monomials",                                                         \
      "monomials that a lemma may bring into a query; more make it harder, not easier")            \
    X(VERIFY_LINEAR_SPLITS, 4, "choices", "choices split into cases; 4 make 16 queries")           \
    X(VERIFY_LEMMAS, 600, "lemmas",                                                                \
      "lemmas about products and quotients of one query; more slow the solver down")               \
    X(VERIFY_LEMMAS_AT_ONCE, 8, "lemmas", "lemmas added after a model that violates them")         \
    X(VERIFY_LEMMA_FORMS, 400, "forms",                                                            \
      "differences of cofactors and of quotients on which lemmas are built")                       \
    X(VERIFY_RANDOM_ROUNDS, 20000, "rounds", "random values tried as a model; some milliseconds")  \
    X(VERIFY_RANDOM_FIRST, 200, "rounds", "random values before the solver is asked for a model")  \
    X(VERIFY_RANDOM_GOAL, 64, "rounds",                                                            \
      "random values at which a goal may be false, before the solver is asked to prove it")        \
    X(VERIFY_RANDOM_GOAL_GROWTH, 16, "rounds", "after so many the range of these grows by one")    \
    X(VERIFY_RANDOM_GROWTH, 2500, "rounds",                                                        \
      "after so many rounds the range of random integers grows by one")                            \
    X(VERIFY_RANDOM_ELEMENT_GROWTH, 64, "rounds",                                                  \
      "the same for elements, whose conditions are rarer")                                         \
    X(VERIFY_CROSSINGS, 16, "places",                                                              \
      "of one element at which comparisons of conditions change; and comparisons")                 \
    X(VERIFY_CROSSING_PLACES, 72, "places",                                                        \
      "powers of two of one sign between which changes are looked for")                            \
    X(VERIFY_CROSSING_EXPONENT, 51, "bits", "of the greatest of these powers")                     \
    X(VERIFY_CROSSING_STEPS, 60, "steps", "of a bisection between two of them")                    \
    X(VERIFY_CROSSING_ROUNDS, 40, "rounds", "choices of the other elements at which this is done") \
    /* Elements */                                                                                 \
    X(VERIFY_REDUCE_GROUPS, 6, "groups", "groups of axes of one chain of reductions")              \
    X(VERIFY_REDUCE_MATCHED, 4, "groups",                                                          \
      "groups matched with those of the other side in every order, 4! = 24")                       \
    X(VERIFY_ELEMENT_CASES, 14, "choices", "nested choices decided one after another")             \
    X(VERIFY_LITERAL_POWER, 12, "factors", "a power up to this exponent is written as a product")  \
    X(VERIFY_LITERAL_SHIFT, 31, "bits",                                                            \
      "a shift up to this amount is a product with a power of two")                                \
    X(VERIFY_EXP_COPIES, 4, "factors", "exp(k * x) is a product of exp(x) up to this k")           \
    X(VERIFY_AXIOM_ROUNDS, 2, "rounds",                                                            \
      "instances at terms of instances, so often; leaves stay small")                              \
    X(VERIFY_AXIOM_USES, 220, "instances",                                                         \
      "axiom instances in one leaf; more slow the solver down")                                    \
    X(VERIFY_INTEGRAL_TERMS, 100, "terms", "of one comparison of reals that are read as integers") \
    X(VERIFY_PARTIALS, 64, "operators", "parts of a side that may have no value over the reals")   \
    X(VERIFY_PARTIAL_VISITS, 100000, "expressions",                                                \
      "visited in the search for such parts; more are cases without end")                          \
    X(VERIFY_EXTREMUM_SPLITS, 3, "extrema",                                                        \
      "maxima and minima over the reals decided case by case")                                     \
    X(VERIFY_LEAF_TYPES, 4, "types", "element types of one leaf, tried in every combination")      \
    X(VERIFY_LEAF_COMPUTED_TYPES, 8, "types",                                                      \
      "types that operators of one leaf compute with; only two or more matters")                   \
    X(VERIFY_FLOAT_FACT_TERMS, 12, "terms",                                                        \
      "terms of one leaf that facts about floats are stated of, in pairs")                         \
    X(VERIFY_CONVERT_FACT_TERMS, 12, "terms",                                                      \
      "conversions of one leaf that facts are stated of, in pairs")                                \
    X(VERIFY_SAMPLES, 16, "samples",                                                               \
      "of reals at which elements are compared before the solver is asked")                        \
    X(VERIFY_FLOAT_SAMPLES, 600, "samples", "the same of floats")                                  \
    X(VERIFY_REAL_FIRST_STEPS, 12000, "steps",                                                     \
      "of a query about reals before laws about products are tried")                               \
    X(VERIFY_FRACTION_TERMS, 500, "terms",                                                         \
      "above the line of a quotient of polynomials; larger ones are left to the solver")           \
    X(VERIFY_FRACTION_BITS, 50, "bits", "of their coefficients, which have 64")                    \
    X(VERIFY_FRACTION_FACTORS, 16, "factors", "below the line of such a quotient")                 \
    X(VERIFY_POLYNOMIAL_TERMS, 16384, "terms",                                                     \
      "of a product of two normal forms, before like ones are put together")                       \
    /* Sums */                                                                                     \
    X(VERIFY_SUM_BINDERS, 24, "binders", "bound variables of one term")                            \
    X(VERIFY_SUM_GUARDS, 64, "guards", "conditions of one term")                                   \
    X(VERIFY_SUM_READS, 6, "reads", "elements read in one term")                                   \
    X(VERIFY_SUM_INDICES, 12, "indices", "indices of one read")                                    \
    X(VERIFY_SUM_COUNTS, 12, "factors", "integer factors of one term")                             \
    X(VERIFY_SUM_TERMS, 128, "terms", "terms of one sum, while it is multiplied out")              \
    X(VERIFY_SUM_DEPTH, 4, "sums", "sums inside elements of sums")                                 \
    X(VERIFY_SUM_QUESTIONS, 200, "comparisons", "comparisons in a proof for all domains at once")  \
    X(VERIFY_SUM_QUESTIONS_ALONE, 1000, "comparisons",                                             \
      "comparisons in a proof for one domain; proofs of the library need 8, a false rule about "   \
      "moments in floats went on for ever")                                                        \
    X(VERIFY_SUM_ALGEBRAS, 8, "algebras", "algebras that the reductions of one rule offer")        \
    X(VERIFY_SUM_QUOTIENTS, 6, "quotients",                                                        \
      "quotients introduced in one term; each may introduce another")                              \
    X(VERIFY_SUM_CASES, 10, "terms",                                                               \
      "terms of a sum compared by cases of their guards; 10 make 2^10 cases")                      \
    X(VERIFY_SUM_EXPONENTIALS, 16, "factors", "exponentials in one product")                       \
    X(VERIFY_SUM_MODULUS, 6, "values",                                                             \
      "a polynomial is tried at every remainder of a divisor up to this one")                      \
    X(VERIFY_SUM_MODULUS_VARIABLES, 3, "variables",                                                \
      "variables of such a polynomial; 3 make 6^3 = 216 values")                                   \
    /* Counterexamples: points of one axis */                                                      \
    X(VERIFY_CEX_SLOTS, 48, "maps", "maps of one rank family; a family with more is not searched") \
    X(VERIFY_CEX_VALUES, 16, "values", "candidates for one map, those near 0 first")               \
    X(VERIFY_CEX_VALUE_LOWEST, -4, "integer",                                                      \
      "lowest candidate that is not near a constant of the rule")                                  \
    X(VERIFY_CEX_VALUE_HIGHEST, 6, "integer",                                                      \
      "highest candidate that is not near a constant of the rule")                                 \
    X(VERIFY_CEX_CONSTANT, 100000, "integer",                                                      \
      "constants of the rule below this are candidates; others are no small sizes")                \
    X(VERIFY_CEX_SAMPLE_LOWEST, -6, "integer", "lowest random value of a map")                     \
    X(VERIFY_CEX_SAMPLE_HIGHEST, 12, "integer", "highest random value of a map")                   \
    X(VERIFY_CEX_SAMPLE_TRIES, 6, "tries",                                                         \
      "random values of one map before the sample is given up")                                    \
    X(VERIFY_CEX_SAMPLE_PART, 4, "1/visits", "this part of the visits is kept for random samples") \
    X(VERIFY_CEX_FAILING_POINTS, 8, "points",                                                      \
      "points at which the right side is not well-defined; one is enough to refute a rule")        \
    X(VERIFY_CEX_EMPTY_POINTS, 24, "points", "points at which the left side has no element")       \
    X(VERIFY_CEX_REPEATED_POINTS, 200, "points",                                                   \
      "points found again one after the other; then there are hardly others")                      \
    X(VERIFY_CEX_KEPT_POINTS, 100000, "points", "points of one family at most")                    \
    X(VERIFY_CEX_PLAIN_VALUE, 16, "integer",                                                       \
      "map values up to this weigh as much as they are; greater ones weigh a little more")         \
    X(VERIFY_CEX_WEIGHT, 48, "weight", "of the map values of one point together")                  \
    /* Counterexamples: search */                                                                  \
    X(VERIFY_CEX_STEP_ELEMENTS, 64, "elements",                                                    \
      "an evaluation is one step, and one more for so many elements of all nodes together")        \
    X(VERIFY_CEX_QUICK_CANDIDATES, 800, "steps", "quick search: random ground instances")          \
    X(VERIFY_CEX_QUICK_SYSTEMATIC, 800, "steps", "quick search: ground instances in order")        \
    X(VERIFY_CEX_QUICK_VISITS, 30000, "visits", "quick search: assignments of one family's maps")  \
    X(VERIFY_CEX_QUICK_POINTS, 700, "points", "quick search: points of one family")                \
    X(VERIFY_CEX_QUICK_LEAST, 1500, "steps",                                                       \
      "quick search: instances before the one found, for each number of axes")                     \
    X(VERIFY_CEX_DEEP_CANDIDATES, 8000, "steps", "deep search: random ground instances")           \
    X(VERIFY_CEX_DEEP_VISITS, 400000, "visits", "deep search: assignments of one family's maps")   \
    X(VERIFY_CEX_DEEP_POINTS, 20000, "points", "deep search: points of one family")                \
    X(VERIFY_CEX_WIDE_MAPS, 5, "maps",                                                             \
      "a rule with so many on one axis is searched longer, as its proof is often long, too")       \
    X(VERIFY_CEX_WIDE_SYSTEMATIC, 8000, "steps",                                                   \
      "search before the proof of a rule with many maps: ground instances in order")               \
    X(VERIFY_CEX_DEEP_SYSTEMATIC, 40000, "steps", "deep search: ground instances in order")        \
    X(VERIFY_CEX_DEEP_LEAST, 4000, "steps",                                                        \
      "deep search: instances before the one found, for each number of axes")                      \
    X(VERIFY_CEX_UNCLAIMED_PART, 4, "1/steps",                                                     \
      "of the deep search that a rule gets in float if it does not claim float")                   \
    X(VERIFY_CEX_WALK_VISITS, 1000000, "points", "points of axes looked at in one walk in order")  \
    X(VERIFY_CEX_WALK_WEIGHT, 48, "weight", "of all map values of an instance together")           \
    X(VERIFY_CEX_MUCH_INSTANCES, 12, "instances",                                                  \
      "the first instances of a walk are filled in every way")                                     \
    X(VERIFY_CEX_VECTORS_PART, 3, "1/steps",                                                       \
      "this part of the steps is for vectors of simple elements at the instance without axes")     \
    X(VERIFY_CEX_LEAST_VECTORS, 40, "fillings",                                                    \
      "the same for an instance that might be less than the one found")                            \
    X(VERIFY_CEX_OP_CHOICES, 40, "choices", "of operators, for each choice of element types")      \
    X(VERIFY_CEX_LEAST_OP_VECTORS, 8, "fillings",                                                  \
      "of simple elements with each of them, for an instance that might be less")                  \
    X(VERIFY_CEX_SUM_VECTORS, 1300, "fillings",                                                    \
      "the same with addends, if sums of floats decide; 6 numbers at 4 elements make 1296")        \
    X(VERIFY_CEX_SUM_STEPS, 10000, "steps",                                                        \
      "such instances before the one found, for each number of axes")                              \
    X(VERIFY_CEX_ADDENDS, 6, "values", "numbers of one element in these vectors")                  \
    X(VERIFY_CEX_INDEX_VECTORS, 64, "vectors",                                                     \
      "of simple indices, for an instance that might be less than the one found")                  \
    X(VERIFY_CEX_FEW_INDEX_VECTORS, 4, "vectors", "of simple indices, for an instance in order")   \
    X(VERIFY_CEX_SIMPLE_VALUES, 64, "values", "simple values of one element type")                 \
    X(VERIFY_NAMED_NUMBERS, 8, "values", "numbers of a rule's conditions on elements")             \
    X(VERIFY_NAMED_VALUES, 64, "values", "those numbers, and numbers beside and between them")     \
    X(VERIFY_NAMED_GAP, 24, "integer",                                                             \
      "all integers between two numbers of conditions are tried, up to this difference")           \
    X(VERIFY_CEX_VECTOR_VISITS, 64, "visits",                                                      \
      "choices for single elements, for each vector tried")                                        \
    X(VERIFY_CEX_VECTOR_ELEMENTS, 12, "elements",                                                  \
      "elements of an instance that is filled with vectors of simple values")                      \
    X(VERIFY_CEX_FAMILIES, 64, "families", "rank families of one rule; no rule has more classes")  \
    X(VERIFY_CEX_FREE_AXES, 3, "axes", "axes of an instance besides those of `axis` classes")      \
    X(VERIFY_CEX_RANK_VECTORS, 128, "vectors", "combinations of ranks tried")                      \
    X(VERIFY_CEX_FEW_AXES_EACH, 4, "vectors",                                                      \
      "combinations of two or more free axes tried in one round")                                  \
    X(VERIFY_CEX_ONE_AXIS_TIMES, 4, "runs",                                                        \
      "combinations of one axis are tried this often in one round")                                \
    X(VERIFY_CEX_SCALAR_ROUNDS, 64, "rounds",                                                      \
      "rounds after which instances without axes become rare")                                     \
    X(VERIFY_CEX_SCALAR_ROUNDS_MOVES, 8, "rounds", "the same where elements only move")            \
    X(VERIFY_CEX_RARE_ROUNDS, 4, "rounds", "rare instances are tried once in so many rounds")      \
    X(VERIFY_CEX_NEAR_POINTS, 8, "points",                                                         \
      "random points are among the first 8, and one more each round")                              \
    X(VERIFY_CEX_SPLIT_DIVISOR, 12, "integer",                                                     \
      "a size is split into two by a divisor up to this one")                                      \
    X(VERIFY_CEX_FILLS, 3, "fillings", "fillings of one instance whose elements hardly matter")    \
    X(VERIFY_CEX_CONDITION_FILLS, 24, "fillings",                                                  \
      "fillings of a case that only has to meet conditions")                                       \
    X(VERIFY_CEX_FAILING_ROUNDS, 3, "rounds", "choices of types for a failing point")              \
    X(VERIFY_CEX_HINT_ROUNDS, 4, "rounds", "choices of types for a hint")                          \
    X(VERIFY_CEX_ELEMENTS, 1024, "elements",                                                       \
      "elements of one argument; larger tensors cost time and show nothing new")                   \
    X(VERIFY_CEX_INNER_ELEMENTS, 4096, "elements", "elements of one intermediate tensor")          \
    X(VERIFY_CEX_POOL_GROUNDS, 64, "instances",                                                    \
      "ground instances after which types and terms are released")                                 \
    X(VERIFY_CEX_ROUNDED, 8, "operators", "operators named as inexact in one report")              \
    X(VERIFY_CEX_ORDINARY, 100, "integer",                                                         \
      "numbers up to this are the same in every domain, and are printed without a type")           \
    X(VERIFY_CEX_VALUE_BYTES, 160, "bytes",                                                        \
      "text of a value or of a reason in a report; longer ones are cut")                           \
    X(VERIFY_CEX_REPLAY_RANK, 8, "axes", "rank of a class in a counterexample that is read back")  \
    /* Counterexamples: making them small */                                                       \
    X(VERIFY_CEX_SHRINK_STEPS, 300, "steps", "changes of ranks and maps tried")                    \
    X(VERIFY_CEX_SHRINK_VALUES, 400, "steps", "changes of elements tried")                         \
    X(VERIFY_CEX_SHRINK_VECTORS, 20000, "fillings",                                                \
      "vectors of elements simpler than those found")                                              \
    X(VERIFY_CEX_TYPE_VECTORS, 1000, "fillings", "after a change of element types")                \
    X(VERIFY_CEX_OP_VECTORS, 100, "fillings", "after a change of element types and operators")     \
    X(VERIFY_CEX_TYPE_CHOICES, 300, "choices", "of element types before those found")              \
    X(VERIFY_CEX_TYPE_RUNS, 30000, "fillings", "vectors after all changes of element types")       \
    X(VERIFY_CEX_SHRINK_FILLS, 14, "fillings", "fillings after a change of ranks or maps")

enum { VERIFY_LIMITS(LIMIT_CONSTANT) };

extern const struct limit verify_limits[];
extern const unsigned n_verify_limits;

#endif
