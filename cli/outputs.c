// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include "base/text/place.h"
#include <unistd.h>

struct named_file {
    // "an input", "the database"; of a file that the command writes: "--proof",
    // "standard output"
    const char *what;
    const char *path;    // of a file that is written, and of the database
    enum file_role role; // FILE_DATABASE: the files beside the database, too
    struct place place;
};

struct named_files {
    VEC(struct named_file) at;
    struct buf texts[N_OPTIONS + 12]; // what the entries borrow
    uint32_t n_texts;
};

// Takes the text over; borrowed until the end.
static const char *keep(struct named_files *files, struct buf *text)
{
    struct buf *to = &files->texts[files->n_texts++];
    *to = *text;
    *text = (struct buf){0};
    return buf_text(to);
}

// Neither a file nor the place of one: then the command says so.
static void add(struct named_files *files, enum file_role role, const char *what, const char *path)
{
    struct named_file file = {.what = what, .path = path, .role = role};
    if (place_find(path, role == FILE_WRITTEN ? STDOUT_FILENO : STDIN_FILENO, &file.place))
        vec_push(&files->at, file);
}

// A list of files that are read, separated by commas; the whole may be the name of
// one, too.
static void add_list(struct named_files *files, const char *what, const char *paths)
{
    struct buf part = {0};
    add(files, FILE_READ, what, paths);
    for (const char *at = paths; strchr(paths, ',') && *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        buf_clear(&part);
        buf_write(&part, at, n);
        add(files, FILE_READ, what, buf_text(&part));
        at += n;
    }
    buf_release(&part);
}

// The database, and the files that SQLite makes beside it.
static void add_database(struct named_files *files, const char *what, const char *path)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    struct buf target = {0};
    struct err none = {0};
    add(files, FILE_DATABASE, what, path);
    if (!place_follow(path, &target, &none)) {
        buf_clear(&target);
        buf_puts(&target, path);
    }
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        struct buf name = {0};
        buf_printf(&name, "%s%s", buf_text(&target), beside[i]);
        add(files, FILE_DATABASE, "a file of the database", keep(files, &name));
    }
    buf_release(&target);
}

static void add_option(struct named_files *files, const struct command_line *command,
                       const struct option_row *row)
{
    const char *value = command->value[row->option];
    struct buf text = {0};
    struct err none = {0};
    if (row->role == FILE_DATABASE && (value || row->initial)) {
        if (database_path(command, false, &text, &none))
            add_database(files, "the database", keep(files, &text));
    } else if (row->role == FILE_READ && value) {
        add_list(files, "an input", value);
    } else if (row->role == FILE_WRITTEN && (value || row->initial)) {
        // The only default of an output is standard output.
        buf_puts(&text, "--");
        option_name(row->option, &text);
        add(files, FILE_WRITTEN, keep(files, &text), value ? value : "-");
    }
    buf_release(&text);
}

static const char *const standard_names[] = {"standard output", "standard error"};

// Standard output is an output of every command, and messages go to standard error.
static void add_standard(struct named_files *files)
{
    for (int i = 0; i < 2; i++) {
        const char *name = standard_names[i];
        struct named_file file = {.what = name, .path = name, .role = FILE_WRITTEN};
        if (place_find("-", STDOUT_FILENO + i, &file.place) && S_ISREG(file.place.is.st_mode))
            vec_push(&files->at, file);
    }
}

static bool is_standard(const struct named_file *file)
{
    return file->what == file->path;
}

// "--proof: p.json is WHAT of", or of standard output: "standard output is WHAT of".
static bool refuse(const struct named_file *file, const char *what, const char *of, struct err *err)
{
    const char *path = strcmp(file->path, "-") == 0 ? "standard output" : file->path;
    const char *option = is_standard(file) ? "" : file->role == FILE_DATABASE ? "--db" : file->what;
    // The message must not be written into that file.
    if (file->path == standard_names[1] && !freopen("/dev/null", "w", stderr))
        (void)fclose(stderr);
    return err_set(err, ERR_USAGE, "%s%s%s is %s%s", option, *option ? ": " : "", path, what, of);
}

static bool output_fits(const struct named_file *out, const struct named_file *other,
                        struct err *err)
{
    bool same = place_same(&out->place, &other->place);
    if (other->role == FILE_WRITTEN)
        return !same || is_standard(out) || is_standard(other) || place_is_null(&out->place) ||
               refuse(out, "the output of ", other->what, err);
    // Terminals and pipes may be read and written.
    if (out->place.exists && !S_ISREG(out->place.is.st_mode))
        return true;
    if (same)
        return refuse(out, "", other->what, err);
    bool named = !is_standard(out) && strcmp(out->path, "-") != 0;
    return !out->place.exists || !named || !place_above(&other->place, out->path) ||
           refuse(out, "a file of ", other->what, err);
}

// A pair is looked at once: `file` is the one that is written.
static bool pair_fits(const struct named_file *file, const struct named_file *other,
                      struct err *err)
{
    if (file->role == FILE_WRITTEN)
        return (other->role == FILE_WRITTEN && other >= file) || output_fits(file, other, err);
    return file->role != FILE_DATABASE || other->role != FILE_READ ||
           !place_same(&file->place, &other->place) || refuse(file, "", other->what, err);
}

static bool all_fit(const struct named_files *files, struct err *err)
{
    for (uint32_t i = 0; i < files->at.len; i++) {
        const struct named_file *file = &files->at.at[i];
        if (file->role == FILE_WRITTEN && file->place.exists && S_ISDIR(file->place.is.st_mode))
            return refuse(file, "a folder", "", err);
        for (uint32_t k = 0; k < files->at.len; k++)
            if (!pair_fits(file, &files->at.at[k], err))
                return false;
    }
    return true;
}

bool outputs_check(const struct command_line *command, const struct command_table *table,
                   struct err *err)
{
    struct named_files files = {0};
    struct buf library = {0}, proved = {0};
    add_standard(&files);
    for (uint32_t i = 0; i < table->n_options; i++)
        add_option(&files, command, &table->option[i]);
    for (uint32_t i = 0; table->reads_words && i < command->words.len; i++)
        add_list(&files, "an input", command->words.at[i]);
    if (library_path(&library))
        add_list(&files, "the rule library", buf_text(&library));
    if (library_database(&proved))
        add_database(&files, "the library's database", buf_text(&proved));
    bool ok = all_fit(&files, err);
    for (uint32_t i = 0; i < files.at.len; i++)
        place_release(&files.at.at[i].place);
    vec_release(&files.at);
    for (uint32_t i = 0; i < files.n_texts; i++)
        buf_release(&files.texts[i]);
    buf_release(&library);
    buf_release(&proved);
    return ok;
}
