// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/server.h"

#include "explorer/limits.h"
#include "explorer/server/visit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/resource.h>

enum {
    MOST_POLLED = 4096,
    LONGEST_WAIT_MS = 500, // between two looks at *stop and at silent connections
    SPARE_CONNECTIONS = 64 // beyond the limit, until those that give way are closed
};

struct server {
    const struct server_options *options;
    struct house house;
    struct MHD_Daemon *daemon;
    int events; // of the connections
    struct pollfd fds[MOST_POLLED];
};

static void on_connection(void *user, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct house *house = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *context = guests_add(
            &house->guests,
            house->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                ->connect_fd);
    else
        guests_drop(&house->guests, *context);
}

static bool start_daemon(struct server *server, struct err *err)
{
    struct house *house = &server->house;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(server->options->port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    errno = 0;
    server->daemon = house->http.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, server->options->port, NULL, NULL, visit_continue,
        house, MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)EXPLORER_CONNECTIONS + SPARE_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)EXPLORER_CONNECTION_KIB << 10, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)EXPLORER_REQUEST_SECONDS, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, house, MHD_OPTION_NOTIFY_COMPLETED, visit_end,
        house, MHD_OPTION_URI_LOG_CALLBACK, visit_begin, house, MHD_OPTION_END);
    if (server->daemon == NULL)
        return err_set(err, ERR_IO, "port %u of 127.0.0.1: %s%s", server->options->port,
                       strerror(errno),
                       errno == EADDRINUSE ? " (without --port a free one is taken)" : "");
    const union MHD_DaemonInfo *port =
        house->http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    house->guard.port = port->port;
    server->events =
        house->http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    return true;
}

static int milliseconds(struct server *server, double seconds)
{
    MHD_UNSIGNED_LONG_LONG wait;
    double most = seconds * 1000;
    if (server->house.woken)
        return 0;
    if (server->house.http.get_timeout(server->daemon, &wait) == MHD_YES && (double)wait < most)
        most = (double)wait;
    return (int)most;
}

static void wait_for_something(struct server *server)
{
    uint32_t n = 0;
    double seconds = LONGEST_WAIT_MS / 1000.0;
    server->fds[n++] = (struct pollfd){server->events, POLLIN, 0};
    jobs_wait(&server->house.jobs, server->fds, &n, MOST_POLLED / 2, &seconds);
    uint32_t first = n;
    visits_wait(&server->house, server->fds, &n, MOST_POLLED);
    if (poll(server->fds, n, milliseconds(server, seconds)) > 0)
        visits_look(&server->house, server->fds + first, n - first);
}

static void serve(struct server *server)
{
    while (!*server->options->stop) {
        server->house.woken = false;
        server->house.http.run(server->daemon);
        jobs_run(&server->house.jobs);
        guests_sweep(&server->house.guests);
        wait_for_something(server);
    }
}

static void tell_ready(struct server *server)
{
    char address[96];
    snprintf(address, sizeof address, "http://127.0.0.1:%u/%s/", server->house.guard.port,
             server->house.guard.token);
    server->options->ready(server->options->user, address);
}

// As many open files as the connections and the jobs may need.
static void allow_files(void)
{
    struct rlimit limit;
    rlim_t wanted = 2 * (EXPLORER_CONNECTIONS + SPARE_CONNECTIONS) + 256;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur =
        limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

bool server_run(const struct server_options *options, struct err *err)
{
    struct server *server = mem_alloc(sizeof *server);
    struct house *house = &server->house;
    server->options = options;
    house->jobs.program = options->program;
    house->jobs.most = options->jobs;
    house->no_pages = options->no_database;
    house->database = options->database;
    if (options->database != NULL)
        house->pages = explorer_pages_new(options->database, EXPLORER_SERVED);
    signal(SIGPIPE, SIG_IGN);
    allow_files();
    bool ok =
        http_load(&house->http, err) && guard_init(&house->guard, err) && start_daemon(server, err);
    if (ok) {
        tell_ready(server);
        serve(server);
        visits_stop(house);
        house->http.stop_daemon(server->daemon);
    }
    jobs_release(&house->jobs);
    guests_release(&house->guests);
    vec_release(&house->waiting);
    explorer_pages_free(house->pages);
    mem_free(server);
    return ok;
}
