// SPDX-License-Identifier: Apache-2.0
#include "cli/discover/report.h"

void show_search(void *ctx, const struct search_progress *progress)
{
    struct discover_job *job = ctx;
    const char *end = job->terminal ? "\r" : "\n";
    // A log gets a line a minute.
    if (!job->terminal && progress->seconds < job->shown + 60)
        return;
    job->shown = progress->seconds;
    fprintf(stderr,
            "%.0f s: %u operators (slices and paddings: %u), %u classes: "
            "%llu of %llu; %llu "
            "candidates, %llu proved, %llu refuted, %llu kept, %.1f/s   %s",
            progress->seconds, progress->size, progress->attributed, progress->classes,
            (unsigned long long)progress->left, (unsigned long long)progress->lefts,
            (unsigned long long)progress->candidates, (unsigned long long)progress->proved,
            (unsigned long long)progress->refuted, (unsigned long long)progress->kept,
            progress->seconds > 0 ? (double)progress->candidates / progress->seconds : 0.0, end);
    (void)fflush(stderr);
}

// After every round of proofs, so that little is lost.
bool save_rules(void *ctx, const struct found_rules *found, struct err *err)
{
    struct discover_job *job = ctx;
    const char *path = job->command->value[OPTION_output];
    struct buf out = {0};
    if (path == NULL)
        return true;
    discovery_text(&job->discovery, found, &out);
    bool ok = file_write(path, buf_text(&out), out.len, err);
    buf_release(&out);
    return ok;
}

bool write_rules(const struct discover_job *job, struct err *err)
{
    struct buf out = {0};
    discovery_text(&job->discovery, &job->discovery.found, &out);
    const char *path = job->command->value[OPTION_output];
    bool ok = path                               ? file_write(path, buf_text(&out), out.len, err)
              : job->command->value[OPTION_json] ? true // lines, with the report
                                                 : print_all(&out, err);
    buf_release(&out);
    return ok;
}

bool report_search(const struct discover_job *job, struct err *err)
{
    const struct search_progress *progress = &job->discovery.progress;
    if (job->terminal)
        fputc('\n', stderr);
    note("%llu sketches, %llu pairs, %llu solved, %llu broken by instances; "
         "%llu candidates: %llu proved, %llu refuted, %llu unknown; %llu "
         "derived, %llu kept in %.1f s%s",
         (unsigned long long)progress->sketches, (unsigned long long)progress->pairs,
         (unsigned long long)progress->solved, (unsigned long long)progress->broken,
         (unsigned long long)progress->candidates, (unsigned long long)progress->proved,
         (unsigned long long)progress->refuted, (unsigned long long)progress->unknown,
         (unsigned long long)progress->derived, (unsigned long long)progress->kept,
         progress->seconds, job->discovery.found.ended ? "; the time ended" : "");
    if (progress->lost > 0)
        note("%llu left sides were not looked at: a process died or the time "
             "ended",
             (unsigned long long)progress->lost);
    if (!job->command->value[OPTION_json])
        return true;
    struct buf out = {0};
    if (!job->command->value[OPTION_output])
        discovery_put_rules(&job->discovery, &out);
    discovery_put_counts(&job->discovery, &out);
    bool ok = print_all(&out, err);
    buf_release(&out);
    return ok;
}
