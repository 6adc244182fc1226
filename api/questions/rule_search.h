// SPDX-License-Identifier: Apache-2.0
// The matcher on a program as it stands, rule by rule: what matches, what nearly does.
#ifndef API_QUESTIONS_RULE_SEARCH_H
#define API_QUESTIONS_RULE_SEARCH_H

#include "api/database/database.h"
#include "api/rules/report.h"
#include "api/simplify/program.h"
#include "egraph/match/match.h"

struct rule_search {
    struct parsed_program *program; // owned
    struct egraph graph;            // of all functions, closed; nothing was rewritten
    struct match_index index;
    struct finite finite;
    enum float_reading reading;
};

// Told of each rule that simplify would run and that has its operators in the program:
// begin, then the near misses, then end.
struct rule_reader {
    void (*begin)(void *ctx, const struct pattern *pattern, const struct rw_rule *view);
    void (*miss)(void *ctx, const struct near_miss *miss);
    void (*end)(void *ctx, const struct match_result *found);
    void *ctx;
};

// Takes the program over.
void rule_search_init(struct rule_search *search, struct parsed_program *program,
                      enum float_reading reading);
void rule_search_release(struct rule_search *search);
// The rules of the report, as they are written, so that conditions have the writer's names.
bool rule_search_report(struct rule_search *search, const struct rw_report *report,
                        const struct rule_reader *reader, struct err *err);
// The operation that the program's text calls `name`; in MLIR names begin with '%'.
bool program_value(const struct program *program, const char *name, term_id *out, struct err *err);
// The operation in words, with its type, as rw_near_miss.place.
const char *operation_words(const struct terms *terms, term_id term, struct arena *mem);

// The operations of a program's text, in its order.
struct program_place {
    uint32_t line;     // from 1
    const char *words; // operation_words; equal operations have equal words
};
struct program_places {
    struct arena mem;
    VEC(struct program_place) at;
};
// The program is one that nobody has taken yet.
void program_places_find(const struct rw_program *program, struct program_places *out);
void program_places_release(struct program_places *places);

#endif
