// SPDX-License-Identifier: Apache-2.0
// Records of programs and formulas: a part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_RECORDS_H
#define RANKWRIGHT_RECORDS_H

struct rw_record; // of a program or a formula
RW_API struct rw_record *rw_record_read(struct rw_context *context, const char *text, size_t size,
                                        const char *file, struct rw_error *error);
RW_API void rw_record_free(struct rw_record *record);
RW_API bool rw_record_is_formula(const struct rw_record *record);
RW_API char *rw_record_write(const struct rw_record *record, struct rw_error *error);
RW_API char *rw_record_explain(const struct rw_record *record, struct rw_error *error);
// A page of HTML with the steps and the rules; database may be NULL.
RW_API char *rw_record_html(const struct rw_record *record, struct rw_database *database,
                            const char *title, const char *remark, struct rw_error *error);
// In any of these formats ("text", "json", "html"); the list ends with NULL.
RW_API const char *const *rw_record_formats(void);
RW_API char *rw_record_format(const struct rw_record *record, const char *format,
                              struct rw_database *database, const char *title, const char *remark,
                              struct rw_error *error);

struct rw_check;
// From here on, explanations and pages of the record say whether this check rejected
// it, and why.  They say nothing of a record that nobody checked.
RW_API void rw_record_mark(struct rw_record *record, const struct rw_check *check);

// A text, and what a message calls it.
struct rw_expected {
    const char *text, *file;
    size_t size;
};
struct rw_check_options {
    size_t size;
    // Where it says which rules are proved; NULL: nowhere, for the reason
    // `no_database`.
    struct rw_database *database;
    const char *no_database;
    const struct rw_rules *assumed;           // NULL: no rule may be assumed
    bool reprove;                             // proves the rules again instead
    const struct rw_prove_options *prove;     // how
    const struct rw_expected *input, *output; // NULL: any
};
enum rw_same { RW_SAME, RW_OTHER, RW_NONE, RW_NOT_KNOWN };
// A function that a formula calls, by the record's own definition; does the
// database define it in the same way?
struct rw_function {
    const char *name;
    enum rw_same database;
};
// A rule that the database calls otherwise than the record does, whose name is a mere claim.
struct rw_renamed {
    const char *record, *database, *hash; // the database's: "family/name"
};
struct rw_check {
    bool valid;
    const char *reason; // of a rejection, else ""
    bool formula;
    uint32_t lines, rule_uses, rules;
    size_t n_functions; // of a valid record of a formula
    const struct rw_function *functions;
    const char *domain; // of a valid record, how floats are read: "float", "float-sums", "real"
    size_t n_renamed;
    const struct rw_renamed *renamed;
    const char *remedy; // of a rejection: the member of the options that could help, "reprove" or
                        // "assumed"; else ""
};
// Reads the text of a record and replays it.  NULL only for an error: a record
// that is malformed in its proof is rejected.
RW_API struct rw_check *rw_check_record(struct rw_context *context, const char *text, size_t size,
                                        const char *file, const struct rw_check_options *options,
                                        struct rw_error *error);
RW_API void rw_check_free(struct rw_check *check);
RW_API char *rw_check_json(const struct rw_check *check);

#endif
