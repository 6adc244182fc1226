// SPDX-License-Identifier: Apache-2.0
#include "base/text/sniff.h"

#include "base/limits.h"
#include "base/text/cursor.h"
#include <stdio.h>
#include <string.h>

struct text {
    const char *at, *end;
};

static bool starts(const struct text *text, const char *with, size_t n)
{
    return (size_t)(text->end - text->at) >= n && memcmp(text->at, with, n) == 0;
}

static bool starts_text(const struct text *text, const char *with)
{
    return starts(text, with, strlen(with));
}

static bool has(const struct text *text, const char *word)
{
    size_t n = strlen(word);
    for (struct text at = *text; (size_t)(at.end - at.at) >= n; at.at++)
        if (memcmp(at.at, word, n) == 0)
            return true;
    return false;
}

static void skip_space(struct text *text)
{
    while (text->at < text->end && strchr(" \t\r\n", *text->at) != NULL && *text->at != '\0')
        text->at++;
}

// Past blanks, lines of comments, and the comments of HLO, which end.
static void skip_comments(struct text *text)
{
    for (skip_space(text); starts_text(text, "//") || starts_text(text, "/*"); skip_space(text)) {
        const char *end = starts_text(text, "//") ? "\n" : "*/";
        text->at += 2;
        while (text->at < text->end && !starts_text(text, end))
            text->at++;
        text->at += text->at < text->end ? strlen(end) : 0;
    }
}

static enum text_kind sniff_bytes(const struct text *text)
{
    static const struct {
        const char *magic;
        size_t n;
        enum text_kind kind;
    } magics[] = {
        {"ML\xefR", 4, TEXT_BYTECODE},
        {"SQLite format 3", 16, TEXT_DATABASE},
        {"\x1f\x8b", 2, TEXT_COMPRESSED}, // gzip
        {"BZh", 3, TEXT_COMPRESSED},      // bzip2
        {"\xfd"
         "7zXZ",
         5, TEXT_COMPRESSED},                     // xz
        {"\x28\xb5\x2f\xfd", 4, TEXT_COMPRESSED}, // zstd
        {"PK\003\004", 4, TEXT_COMPRESSED},       // zip, also of PyTorch
        {"\xff\xfe", 2, TEXT_UTF16},
        {"\xfe\xff", 2, TEXT_UTF16},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (starts(text, magics[i].magic, magics[i].n))
            return magics[i].kind;
    // A text has hardly any control characters.  The first field of a model is its version.
    size_t control = 0, n = (size_t)(text->end - text->at);
    for (const char *at = text->at; at < text->end; at++)
        control += (unsigned char)*at < ' ' && (*at == 0 || strchr("\t\r\n\f\033", *at) == NULL);
    if (starts(text, "\x08", 1) && (has(text, "onnx") || has(text, "pytorch")))
        return TEXT_ONNX;
    return control > 2 && control * 16 > n ? TEXT_BINARY : TEXT_UNKNOWN;
}

static enum text_kind sniff_json(const struct text *text)
{
    if (has(text, "\"rankwright") && has(text, "record"))
        return TEXT_RECORD;
    if (has(text, "\"nodes\"") || has(text, "\"root_eclasses\"") || has(text, "\"eclass\""))
        return TEXT_EGRAPH;
    return TEXT_JSON;
}

// Does `rule NAME {` stand here?
static bool starts_rule(struct text text)
{
    if (!starts_text(&text, "rule") || text.at + 4 == text.end || is_letter(text.at[4]))
        return false;
    text.at += 4;
    skip_space(&text);
    if (text.at == text.end || !is_letter(*text.at))
        return false;
    while (text.at < text.end && (is_letter(*text.at) || is_digit(*text.at)))
        text.at++;
    skip_space(&text);
    return starts_text(&text, "{");
}

// Does a line start with a rule?
static bool has_rule(struct text text)
{
    for (;;) {
        if (starts_rule(text))
            return true;
        while (text.at < text.end && *text.at != '\n')
            text.at++;
        if (text.at == text.end)
            return false;
        text.at++;
    }
}

static enum text_kind sniff_words(const struct text *text)
{
    if (has_rule(*text))
        return TEXT_RULES;
    if (starts_text(text, "HloModule"))
        return TEXT_HLO;
    if (starts_text(text, "<!DOCTYPE") || starts_text(text, "<html") || starts_text(text, "<?xml"))
        return TEXT_MARKUP;
    if (has(text, "func.func") || has(text, "stablehlo."))
        return TEXT_PROGRAM;
    static const char *const dialects[] = {"tt.func", "mhlo.", "linalg.", "gpu.module",
                                           "llvm.func"};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (has(text, dialects[i]))
            return TEXT_DIALECT;
    if (starts_text(text, "import ") || starts_text(text, "from ") || starts_text(text, "def ") ||
        starts_text(text, "class "))
        return TEXT_PYTHON;
    return TEXT_UNKNOWN;
}

bool text_is_hlo(const char *at, size_t n)
{
    struct text text = {at, at + n};
    skip_comments(&text);
    return starts_text(&text, "HloModule");
}

enum text_kind text_sniff(const char *at, size_t n)
{
    struct text text = {at, at + (n < BASE_SNIFFED ? n : BASE_SNIFFED)};
    enum text_kind kind = sniff_bytes(&text);
    if (kind != TEXT_UNKNOWN)
        return kind;
    skip_comments(&text);
    bool json = starts_text(&text, "{") || starts_text(&text, "[");
    return json ? sniff_json(&text) : sniff_words(&text);
}

// What a kind is, and what reads it.
static const struct {
    const char *what, *use;
} kinds[] = {
    [TEXT_UNKNOWN] = {"", ""},
    [TEXT_PROGRAM] = {"a StableHLO program", "`rankwright simplify FILE` reads programs"},
    [TEXT_RULES] = {"rules", "`rankwright prove FILE` reads rules"},
    [TEXT_RECORD] = {"a proof record",
                     "`rankwright check FILE` and `rankwright explain FILE` read records"},
    [TEXT_EGRAPH] = {"an e-graph file", "`rankwright extract FILE` reads e-graphs"},
    [TEXT_FORMULA] = {"a formula", "`rankwright simplify -e FORMULA` reads formulas"},
    [TEXT_JSON] = {"JSON", ""},
    [TEXT_DATABASE] = {"a database", "`--db FILE` names the database of rules"},
    [TEXT_BYTECODE] = {"MLIR bytecode",
                       "make it text: `stablehlo-translate --deserialize FILE` for "
                       "an artifact of StableHLO, `stablehlo-opt FILE` for others"},
    [TEXT_HLO] = {"HLO text", "`rankwright simplify FILE` reads programs"},
    [TEXT_DIALECT] = {"MLIR of other dialects", "lower it to StableHLO first; in JAX, "
                                                "`jax.jit(f).lower(x).as_text()` is StableHLO"},
    [TEXT_ONNX] = {"an ONNX model", "make it StableHLO text, for instance with onnx-mlir"},
    [TEXT_COMPRESSED] = {"a compressed file", "unpack it first: gunzip, unzip, xz -d or zstd -d"},
    [TEXT_UTF16] = {"UTF-16", "save it as UTF-8: `iconv -f UTF-16 -t UTF-8 FILE`"},
    [TEXT_BINARY] = {"a binary file", ""},
    [TEXT_MARKUP] = {"HTML or XML", ""},
    [TEXT_VERDICTS] = {"a database or the lines of prove --worker", ""},
    [TEXT_PYTHON] = {"Python", "in JAX, `jax.jit(f).lower(x).as_text()` is a program in StableHLO"},
};

void sniff_explain(const char *text, size_t n, enum text_kind expected, struct err *err)
{
    enum text_kind found = text_sniff(text, n);
    bool json = expected == TEXT_RECORD || expected == TEXT_EGRAPH;
    if (err->kind != ERR_INPUT || found == TEXT_UNKNOWN || found == expected ||
        (found == TEXT_JSON && json))
        return;
    char file[sizeof err->file];
    memcpy(file, err->file, sizeof file);
    err_clear(err);
    err_set(err, ERR_INPUT, "expected %s, found %s", kinds[expected].what, kinds[found].what);
    memcpy(err->file, file, sizeof file);
    if (kinds[found].use[0] != '\0')
        err_hint(err, "%s", kinds[found].use);
}
