// SPDX-License-Identifier: Apache-2.0
#include "cli/findings.h"

static bool write_records(const struct finding_printer *printer, const struct rw_finding *finding,
                          struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && printer->records && i < finding->n_records; i++) {
        const struct rw_expected *record = &finding->records[i];
        struct buf path = {0};
        buf_printf(&path, "%s/%s", printer->records, record->file);
        ok = file_write(buf_text(&path), record->text, record->size, err);
        buf_release(&path);
    }
    return ok;
}

bool print_finding(void *user, const struct rw_finding *finding)
{
    struct finding_printer *printer = user;
    struct buf out = {0};
    buf_puts(&out, printer->json ? finding->json : finding->text);
    if (printer->json)
        buf_putc(&out, '\n');
    bool ok = write_records(printer, finding, &printer->err) && print_all(&out, &printer->err);
    buf_release(&out);
    return ok;
}

bool printed_findings(const struct finding_printer *printer, struct err *err)
{
    if (printer->err.kind == ERR_NONE)
        return true;
    *err = printer->err;
    return false;
}

size_t findings_of_kind(const struct rw_findings *findings, const char *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < rw_findings_count(findings); i++)
        n += strcmp(rw_findings_at(findings, i)->kind, kind) == 0;
    return n;
}
