// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/visit.h"

#include "explorer/limits.h"
#include "explorer/play/page.h"
#include "explorer/server/answer.h"

#include <jansson.h>
#include <sys/socket.h>

struct visit {
    struct house *house;
    const struct http *http; // the house's
    struct MHD_Connection *connection;
    struct guest *guest;
    struct MHD_PostProcessor *reader;
    char *query;      // as it came; NULL: none
    const char *path; // behind the token
    struct form form; // of a POST
    size_t body;      // bytes of it
    bool begun;       // the head was looked at
    bool bad;         // the body is no form of the explorer
    bool bad_address; // it has a NUL
    bool live;        // answers in lines
    bool suspended, left;
    struct job *job;
    struct buf lines;  // that were not sent yet
    bool last_line;    // is among them, or was sent
    struct form asked; // what stands in the page with the answer
};

static const char *head(const struct visit *visit, const char *name)
{
    return visit->http->lookup_connection_value(visit->connection, MHD_HEADER_KIND, name);
}

void *visit_begin(void *user, const char *uri, struct MHD_Connection *connection)
{
    struct house *house = user;
    struct visit *visit = mem_alloc(sizeof *visit);
    const union MHD_ConnectionInfo *info =
        house->http.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    const char *mark = strchr(uri, '?');
    visit->bad_address = strstr(uri, "%00") != NULL;
    visit->house = house;
    visit->http = &house->http;
    visit->connection = connection;
    visit->guest = info ? info->socket_context : NULL;
    if (mark != NULL) {
        struct buf query = {0};
        buf_puts(&query, mark + 1);
        buf_putc(&query, '\0');
        visit->query = buf_detach(&query);
    }
    return visit;
}

static void leave_waiting(struct visit *visit)
{
    struct house *house = visit->house;
    for (uint32_t i = 0; i < house->waiting.len; i++)
        if (house->waiting.at[i] == visit) {
            house->waiting.at[i] = vec_last(&house->waiting);
            (void)vec_pop(&house->waiting);
            break;
        }
}

void visit_end(void *user, struct MHD_Connection *connection, void **at,
               enum MHD_RequestTerminationCode why)
{
    struct house *house = user;
    struct visit *visit = *at;
    (void)connection;
    (void)why;
    if (visit == NULL)
        return;
    leave_waiting(visit);
    if (visit->job != NULL)
        jobs_drop(&house->jobs, visit->job);
    if (visit->reader != NULL)
        visit->http->destroy_post_processor(visit->reader);
    house->bodies -= visit->body;
    guest_now(visit->guest, GUEST_SPEAKS);
    mem_free(visit->query);
    form_release(&visit->form);
    form_release(&visit->asked);
    buf_release(&visit->lines);
    mem_free(visit);
    *at = NULL;
}

// ---- waiting for the job

static void suspend(struct visit *visit)
{
    visit->suspended = true;
    vec_push(&visit->house->waiting, visit);
    guest_now(visit->guest, GUEST_WAITS);
    visit->http->suspend_connection(visit->connection);
}

static void resume(struct visit *visit)
{
    if (!visit->suspended)
        return;
    visit->suspended = false;
    leave_waiting(visit);
    guest_now(visit->guest, GUEST_LISTENS);
    visit->house->woken = true;
    visit->http->resume_connection(visit->connection);
}

static void put_object(struct visit *visit, json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);
    buf_puts(&visit->lines, text ? text : "{\"refused\":\"The answer is no text.\"}");
    buf_putc(&visit->lines, '\n');
    free(text);
    json_decref(object);
}

static void put_answer(struct visit *visit, const struct job *job)
{
    const char *text = buf_text(&job->text);
    if (job->answer == MESSAGE_JSON)
        put_object(visit, json_pack("{s:o}", "json", json_loads(text, JSON_DECODE_ANY, NULL)));
    else
        put_object(visit,
                   json_pack("{s:s}", job->answer == MESSAGE_HTML ? "html" : "refused", text));
    visit->last_line = true;
}

static void on_change(void *user, struct job *job)
{
    struct visit *visit = user;
    if (visit->live) {
        char *rest = NULL, *line = job->progress.len ? job->progress.at : NULL;
        for (line = line ? strtok_r(line, "\n", &rest) : NULL; line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            put_object(visit, json_pack("{s:s}", "progress", line));
        if (job->state == JOB_WAITING)
            put_object(visit, json_pack("{s:i}", "waiting",
                                        (int)jobs_before(&visit->house->jobs, job) + 1));
        else if (job->state == JOB_RUNNING && job->progress.len == 0)
            put_object(visit, json_pack("{s:i}", "waiting", 0));
        else if (job->state == JOB_DONE)
            put_answer(visit, job);
    }
    buf_clear(&job->progress);
    if (visit->live || job->state == JOB_DONE)
        resume(visit);
}

void visits_wait(const struct house *house, struct pollfd *fds, uint32_t *n, uint32_t most)
{
    for (uint32_t i = 0; i < house->waiting.len && *n < most; i++)
        if (house->waiting.at[i]->guest != NULL)
            fds[(*n)++] = (struct pollfd){house->waiting.at[i]->guest->fd, POLLIN, 0};
}

// A client that waits has nothing to say: it has left, or it will not be heard.
static void look(struct house *house, const struct pollfd *fd)
{
    for (uint32_t i = 0; i < house->waiting.len; i++) {
        struct visit *visit = house->waiting.at[i];
        if (visit->guest == NULL || visit->guest->fd != fd->fd)
            continue;
        visit->left = true;
        if (visit->job != NULL)
            jobs_drop(&house->jobs, visit->job);
        visit->job = NULL;
        resume(visit);
        return;
    }
}

void visits_look(struct house *house, const struct pollfd *fds, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (fds[i].revents != 0)
            look(house, &fds[i]);
}

void visits_stop(struct house *house)
{
    while (house->waiting.len > 0) {
        struct visit *visit = vec_last(&house->waiting);
        visit->left = true;
        resume(visit);
    }
}

// ---- the form of a POST

static enum MHD_Result take_field(void *user, enum MHD_ValueKind kind, const char *key,
                                  const char *file, const char *type, const char *encoding,
                                  const char *data, uint64_t offset, size_t n)
{
    struct visit *visit = user;
    (void)kind, (void)type, (void)encoding;
    // A file without a name was not chosen: the field stays as the text field has it.
    if (file != NULL && offset == 0 && n == 0)
        return MHD_YES;
    visit->bad = visit->bad || key == NULL || !form_add(&visit->form, key, data, n, offset);
    return visit->bad ? MHD_NO : MHD_YES;
}

static enum MHD_Result take_body(struct visit *visit, const char *data, size_t *n)
{
    size_t most = (size_t)EXPLORER_BODY_KIB << 10;
    visit->body += *n;
    visit->house->bodies += *n;
    if (visit->body > most || visit->house->bodies > (size_t)EXPLORER_BODIES_MIB << 20)
        return MHD_NO;
    if (visit->reader != NULL && !visit->bad)
        visit->bad = visit->http->post_process(visit->reader, data, *n) == MHD_NO;
    *n = 0;
    return MHD_YES;
}

// ---- answers

static enum MHD_Result answer_page(struct visit *visit)
{
    struct explorer_body body = {0};
    struct house *house = visit->house;
    bool done = play_page(house->pages ? house->database : NULL, visit->path, visit->query, NULL,
                          NULL, &body);
    if (!done && house->pages != NULL)
        explorer_page(house->pages, visit->path, visit->query, &body);
    else if (!done)
        explorer_message(EXPLORER_SERVED, visit->path, 503, "No rules", house->no_pages, &body);
    enum MHD_Result result = answer_body(visit->http, visit->connection, &body);
    explorer_body_release(&body);
    return result;
}

// The page with the answer of the job.
static enum MHD_Result answer_done(struct visit *visit)
{
    struct explorer_body body = {0};
    const struct job *job = visit->job;
    bool file = job->answer == MESSAGE_TEXT;
    struct buf refused = {0};
    if (job->answer == MESSAGE_REFUSED)
        markup_in("<p class=\"error\" role=\"alert\">", buf_text(&job->text), "</p>\n", &refused);
    if (job->answer == MESSAGE_JSON || file) {
        body.status = 200;
        body.content_type = file ? "text/plain; charset=utf-8" : "application/json";
        body.download = file;
        buf_write(&body.bytes, buf_text(&job->text), job->text.len);
    } else if (!play_page(NULL, visit->path, NULL, &visit->asked,
                          job->answer == MESSAGE_REFUSED ? buf_text(&refused)
                                                         : buf_text(&job->text),
                          &body)) {
        explorer_message(EXPLORER_SERVED, visit->path, 503, "No answer", buf_text(&job->text),
                         &body);
    }
    enum MHD_Result result = answer_body(visit->http, visit->connection, &body);
    explorer_body_release(&body);
    buf_release(&refused);
    return result;
}

static ssize_t read_lines(void *user, uint64_t offset, char *out, size_t most)
{
    struct visit *visit = user;
    size_t n = visit->lines.len < most ? visit->lines.len : most;
    (void)offset;
    if (visit->left)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (n == 0 && visit->last_line)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (n == 0) {
        suspend(visit);
        return 0;
    }
    memcpy(out, visit->lines.at, n);
    visit->lines.len -= n;
    memmove(visit->lines.at, visit->lines.at + n, visit->lines.len + 1);
    guest_now(visit->guest, GUEST_LISTENS);
    return (ssize_t)n;
}

static void copy_form(const struct form *from, struct form *to)
{
    for (uint32_t i = 0; i < from->at.len; i++)
        form_add(to, from->at.at[i].name, buf_text(&from->at.at[i].text), from->at.at[i].text.len,
                 0);
}

// Every tab of a browser is a client; a request without a name is one of its own.
static void name_client(const struct visit *visit, char *out, size_t size)
{
    const char *given = form_get(&visit->form, "client");
    size_t n = strspn(given, "0123456789abcdefghijklmnopqrstuvwxyz");
    if (n > 0 && n <= 32 && given[n] == '\0')
        snprintf(out, size, "%s", given);
    else
        snprintf(out, size, "#%llu", visit->guest ? (unsigned long long)visit->guest->number : 0);
}

static enum MHD_Result start_job(struct visit *visit, bool quick)
{
    struct house *house = visit->house;
    char client[40];
    const char *full;
    name_client(visit, client, sizeof client);
    form_unify_lines(&visit->form);
    if (!visit->live)
        copy_form(&visit->form, &visit->asked);
    visit->job = jobs_add(&house->jobs, client, quick, &visit->form, on_change, visit, &full);
    if (visit->job == NULL)
        return answer_text(visit->http, visit->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                           strcmp(full, "client") == 0
                               ? "Too many of your jobs wait already.  Try again later."
                               : "Too many jobs wait already.  Try again later.");
    if (visit->live)
        return answer_stream(visit->http, visit->connection,
                             visit->http->create_response_from_callback(MHD_SIZE_UNKNOWN, 16384,
                                                                        read_lines, visit, NULL));
    suspend(visit);
    return MHD_YES;
}

static enum MHD_Result answer_post(struct visit *visit)
{
    if (visit->left)
        return MHD_NO;
    if (visit->job != NULL && visit->job->state == JOB_DONE)
        return answer_done(visit);
    if (visit->reader == NULL)
        return answer_text(visit->http, visit->connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
                           "Expected a form.");
    visit->http->destroy_post_processor(visit->reader);
    visit->reader = NULL;
    if (visit->bad)
        return answer_text(visit->http, visit->connection, MHD_HTTP_BAD_REQUEST,
                           "The form has too many fields, or a field is no text.");
    bool quick;
    if (!play_has_task(visit->path, form_get(&visit->form, "task"), &quick))
        return answer_text(visit->http, visit->connection, MHD_HTTP_BAD_REQUEST,
                           "This page has no such task.");
    return start_job(visit, quick);
}

// A page; or a file that a job makes.
static enum MHD_Result answer_get(struct visit *visit)
{
    static const char task[] = "smt2";
    struct explorer_pages *pages = visit->house->pages;
    if (visit->left)
        return MHD_NO;
    if (visit->job != NULL && visit->job->state == JOB_DONE)
        return answer_done(visit);
    const char *rule = pages ? explorer_smt2_rule(pages, visit->path) : NULL;
    if (rule == NULL)
        return answer_page(visit);
    visit->live = false;
    form_add(&visit->form, "task", task, strlen(task), 0);
    form_add(&visit->form, "rule", rule, strlen(rule), 0);
    return start_job(visit, false);
}

// ---- the head

static bool too_large(const struct visit *visit)
{
    const char *length = head(visit, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length != NULL &&
           (strlen(length) > 12 || strtoull(length, NULL, 10) > (unsigned)EXPLORER_BODY_KIB << 10);
}

// Refuses what can be refused by the head alone.  False: `*result` is the answer.
static bool admit(struct visit *visit, const char *url, const char *method, enum MHD_Result *result)
{
    bool post = strcmp(method, "POST") == 0;
    const char *why;
    struct guard_request request = {.url = url,
                                    .host = head(visit, MHD_HTTP_HEADER_HOST),
                                    .origin = head(visit, MHD_HTTP_HEADER_ORIGIN),
                                    .site = head(visit, "Sec-Fetch-Site"),
                                    .changes = post};
    visit->path = guard_path(&visit->house->guard, &request, &why);
    if (visit->bad_address)
        *result = answer_text(visit->http, visit->connection, MHD_HTTP_BAD_REQUEST,
                              "The address has a NUL.");
    else if (visit->path == NULL)
        *result = answer_text(visit->http, visit->connection, MHD_HTTP_FORBIDDEN, why);
    else if (!post && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        *result = answer_text(visit->http, visit->connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                              "Expected GET, HEAD or POST.");
    else if (too_large(visit))
        *result = answer_text(visit->http, visit->connection, MHD_HTTP_CONTENT_TOO_LARGE,
                              "The request is too large.");
    else
        return true;
    return false;
}

enum MHD_Result visit_continue(void *user, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_size, void **at)
{
    struct visit *visit = *at;
    enum MHD_Result result;
    bool post = strcmp(method, "POST") == 0;
    (void)user, (void)connection, (void)version;
    if (!visit->begun) {
        visit->begun = true;
        guest_now(visit->guest, GUEST_SPEAKS);
        if (!admit(visit, url, method, &result)) {
            guest_now(visit->guest, GUEST_LISTENS);
            return result;
        }
        visit->live = head(visit, "X-Rankwright") != NULL;
        if (post)
            visit->reader =
                visit->http->create_post_processor(connection, 65536, take_field, visit);
        return MHD_YES;
    }
    if (*upload_size > 0)
        return take_body(visit, upload, upload_size);
    guest_now(visit->guest, GUEST_LISTENS);
    return post ? answer_post(visit) : answer_get(visit);
}
