// SPDX-License-Identifier: Apache-2.0
// Fails one call of a program, as if memory or a disk were at an end: a shared object
// for LD_PRELOAD, built and used by run.py in this folder.
//
//   FAULT_KIND   memory (allocations), files (calls that open, read, write, sync or rename,
//                or start a process), or interrupt (no call fails, but the process gets
//                SIGINT in front of a call about files)
//   FAULT_AT     the number of the call that fails, from 1; 0 or nothing: none
//   FAULT_ON     once: only this call; on: every call from this one on
//   FAULT_WHERE  first: in the first process; children: in every process that it forks,
//                each of which counts its own calls
//   FAULT_LOG    a file that gets the number of calls, 8 bytes: the most of a process
//   FAULT_STACKS a file that gets, for each call, its number and a hash of the stack, 8 bytes each
//   FAULT_SERVER the descriptors REQUESTS,ANSWERS: the program is loaded once, and forked in front
//                of main for each request "AT FOLDER\n".  The child runs in the folder, where it
//                writes to the files `stdout` and `stderr`.  Answers, a line each: the process id,
//                then the status of waitpid.
//
// Calls are counted from main on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);

enum kind { MEMORY, FILES };

static bool active; // main runs, in a process whose calls count
static bool children, persists, interrupts;
static enum kind kind;
static unsigned long at, count;
static unsigned long *most; // of all processes that count: shared with them
static int stacks = -1;     // descriptor

// Where the call comes from: addresses of the whole stack, the same for one load of the program.
static void log_stack(unsigned long n)
{
    enum { DEEPEST = 200 };
    void *frame[DEEPEST];
    active = false; // what is called here does not count
    int depth = backtrace(frame, DEEPEST);
    uint64_t record[2] = {n, 14695981039346656037u};
    for (int i = 0; i < depth; i++)
        record[1] = (record[1] ^ (uintptr_t)frame[i]) * 1099511628211u;
    (void)syscall(SYS_write, stacks, record, sizeof record);
    active = true;
}

static bool fails(enum kind of, int code)
{
    if (!active || of != kind)
        return false;
    unsigned long n = ++count;
    if (stacks >= 0)
        log_stack(n);
    if (most && n > *most)
        *most = n;
    if (at == 0 || (persists ? n < at : n != at))
        return false;
    if (interrupts) {
        kill(getpid(), SIGINT);
        return false;
    }
    errno = code;
    return true;
}

// ---- memory

void *malloc(size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(block, size);
}

char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}

// The next definition of a function, found once.
#define NEXT(type, name, ...)                                                                      \
    static type (*next)(__VA_ARGS__);                                                              \
    if (!next)                                                                                     \
    *(void **)&next = dlsym(RTLD_NEXT, name)

void *mmap(void *to, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(MEMORY, ENOMEM))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, to, size, protection, flags, fd, offset);
}

void *mremap(void *from, size_t old, size_t size, int flags, ...)
{
    void *to = NULL;
    if (flags & MREMAP_FIXED) {
        va_list ap;
        va_start(ap, flags);
        to = va_arg(ap, void *);
        va_end(ap);
    }
    if (fails(MEMORY, ENOMEM))
        return MAP_FAILED;
    return (void *)syscall(SYS_mremap, from, old, size, flags, to);
}

// ---- files

static mode_t mode_of(int flags, va_list ap)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list ap;                                                                                \
        va_start(ap, flags);                                                                       \
        mode_t mode = mode_of(flags, ap);                                                          \
        va_end(ap);                                                                                \
        return fails(FILES, EIO) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);     \
    }
OPEN(open)
OPEN(open64)

// Half of a write reaches the disk: what is left must not be taken for a whole.
ssize_t write(int fd, const void *data, size_t n)
{
    if (!fails(FILES, ENOSPC))
        return syscall(SYS_write, fd, data, n);
    if (n > 1)
        (void)syscall(SYS_write, fd, data, n / 2);
    errno = ENOSPC;
    return -1;
}

#define PWRITE(name, type)                                                                         \
    ssize_t name(int fd, const void *data, size_t n, type offset)                                  \
    {                                                                                              \
        if (!fails(FILES, ENOSPC))                                                                 \
            return syscall(SYS_pwrite64, fd, data, n, offset);                                     \
        if (n > 1)                                                                                 \
            (void)syscall(SYS_pwrite64, fd, data, n / 2, offset);                                  \
        errno = ENOSPC;                                                                            \
        return -1;                                                                                 \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SIMPLE(name, call, code, parameters, ...)                                                  \
    int name parameters                                                                            \
    {                                                                                              \
        return fails(FILES, code) ? -1 : (int)syscall(call, __VA_ARGS__);                          \
    }
SIMPLE(fsync, SYS_fsync, EIO, (int fd), fd)
SIMPLE(fdatasync, SYS_fdatasync, EIO, (int fd), fd)
SIMPLE(ftruncate, SYS_ftruncate, EIO, (int fd, off_t size), fd, size)
SIMPLE(ftruncate64, SYS_ftruncate, EIO, (int fd, off64_t size), fd, size)
SIMPLE(rename, SYS_rename, EIO, (const char *from, const char *to), from, to)
SIMPLE(mkdir, SYS_mkdir, ENOSPC, (const char *path, mode_t mode), path, mode)
SIMPLE(fchmod, SYS_fchmod, EIO, (int fd, mode_t mode), fd, mode)
SIMPLE(pipe, SYS_pipe, EMFILE, (int ends[2]), ends)

ssize_t read(int fd, void *data, size_t n)
{
    return fails(FILES, EIO) ? -1 : syscall(SYS_read, fd, data, n);
}

// ---- processes

pid_t fork(void)
{
    NEXT(pid_t, "fork", void);
    if (fails(FILES, EAGAIN))
        return -1;
    pid_t pid = next();
    if (pid == 0) {
        active = children;
        count = 0;
    }
    return pid;
}

// Programs that children become are not part of the test.
int execvp(const char *file, char *const *argv)
{
    NEXT(int, "execvp", const char *, char *const *);
    unsetenv("LD_PRELOAD");
    return next(file, argv);
}

static unsigned long *open_log(const char *path)
{
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0666) : -1;
    if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof *most) != 0)
        return NULL;
    long at = syscall(SYS_mmap, NULL, sizeof *most, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    return at == -1 ? NULL : (unsigned long *)at;
}

static bool is(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && strcmp(text, value) == 0;
}

// ---- one load of the program for many runs

static void read_line(int fd, char *to, size_t n)
{
    size_t at = 0;
    while (at + 1 < n && syscall(SYS_read, fd, to + at, 1) == 1 && to[at] != '\n')
        at++;
    to[at] = 0;
}

static void say(int fd, long number)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", number);
    (void)syscall(SYS_write, fd, text, (size_t)n);
}

static void send_to(int fd, const char *path, int flags)
{
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
    (void)syscall(SYS_dup2, file, fd);
    (void)syscall(SYS_close, file);
}

// Returns in each child, and ends the parent when there are no more requests.
static void serve(int requests, int answers)
{
    NEXT(pid_t, "fork", void);
    for (;;) {
        char line[4096];
        read_line(requests, line, sizeof line);
        char *folder = strchr(line, ' ');
        if (!folder)
            _exit(0);
        pid_t pid = next();
        if (pid == 0) {
            at = strtoul(line, NULL, 10);
            (void)syscall(SYS_close, requests);
            (void)syscall(SYS_close, answers);
            if (chdir(folder + 1) != 0)
                _exit(127);
            send_to(0, "/dev/null", O_RDONLY);
            send_to(1, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
            send_to(2, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
            return;
        }
        int status = 0;
        say(answers, pid);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        say(answers, status);
    }
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      int (*init)(int, char **, char **), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    NEXT(int, "__libc_start_main", int (*)(int, char **, char **), int, char **,
         int (*)(int, char **, char **), void (*)(void), void (*)(void), void *);
    void *(*load)(void *, const char *) = dlsym;
    (void)load(RTLD_NEXT, "fork"); // nothing of the loader is counted later
    const char *number = getenv("FAULT_AT");
    at = number ? strtoul(number, NULL, 10) : 0;
    interrupts = is("FAULT_KIND", "interrupt");
    kind = interrupts || is("FAULT_KIND", "files") ? FILES : MEMORY;
    persists = is("FAULT_ON", "on");
    children = is("FAULT_WHERE", "children");
    most = open_log(getenv("FAULT_LOG"));
    const char *path = getenv("FAULT_STACKS"), *server = getenv("FAULT_SERVER");
    if (path) {
        void *frame[1];
        (void)backtrace(frame, 1); // loads what it needs
        stacks = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    }
    int requests, answers;
    if (server && sscanf(server, "%d,%d", &requests, &answers) == 2)
        serve(requests, answers);
    active = !children && (at > 0 || most);
    return next(main, argc, argv, init, fini, rtld_fini, stack_end);
}
