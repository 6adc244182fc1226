// SPDX-License-Identifier: Apache-2.0
// Random programs on the engine and on a naive e-graph: adding, merging,
// hiding, rules searched and applied by hand, whole rounds, rounds that stop in
// the middle or leave rules out, knowledge that merges classes.  After each
// rebuild both have to say the same, matches included.  A program on which they
// differ is made shorter and printed.
//   cc_random [SEED [SECONDS]]
#include "tests/unit/support/cc_program.h"

static uint64_t seed = 1;
static double seconds = 2;

static void program_random(struct program *program, struct rng *rng)
{
    static const uint8_t kinds[] = {
        ADD,      ADD,          ADD,          ADD,     ADD,    ADD,        ADD,        MERGE,
        MERGE,    MERGE,        HIDE,         ROUND,   ROUND,  ROUND,      PART,       PART,
        RUN,      RUN,          REBUILD,      RUN,     RUN,    RUN_PAUSES, RUN_PAUSES, RUN_FULL,
        RUN_FULL, RUN_RATIONED, RUN_RATIONED, EXPLAIN, EXPLAIN};
    *program = (struct program){.rule_seed = rng_u64(rng)};
    program->n_rules = 1 + (uint32_t)rng_below(rng, RULES);
    program->rule_mask = UINT32_MAX;
    program->knowing = rng_below(rng, 2) == 0;
    program->prune = program->knowing && rng_below(rng, 3) == 0;
    program->exact = rng_below(rng, 4) == 0;
    uint32_t n = 12 + (uint32_t)rng_below(rng, 40);
    for (uint32_t i = 0; i < n; i++) {
        struct instr instr = {.kind = kinds[rng_below(rng, sizeof kinds)],
                              .x = (uint32_t)rng_u64(rng),
                              .y = (uint32_t)rng_u64(rng),
                              .z = (uint32_t)rng_u64(rng)};
        if (i < 10)
            instr.kind = ADD;
        vec_push(&program->instr, instr);
    }
}

// The bytes that say what the graph is.
static uint64_t digest(const struct cc *graph)
{
    uint64_t h = 1;
#define VECTOR(v)                                                                                  \
    if ((v).len > 0)                                                                               \
    h = hash_bytes((v).at, (size_t)(v).len * sizeof *(v).at, h)
    VECTOR(graph->node);
    VECTOR(graph->next);
    VECTOR(graph->up);
    VECTOR(graph->class_);
    VECTOR(graph->wide);
    VECTOR(graph->mark);
    VECTOR(graph->journal);
    VECTOR(graph->journal.was);
#undef VECTOR
    return h;
}

// Runs that left things out come to an end that leaves nothing out, unless the
// graph gets large first.
static bool to_the_end(struct world *world)
{
    for (enum kind k = RUN; k <= RUN_RATIONED; k++)
        for (uint32_t i = 0; i < 8; i++) {
            struct instr instr = {.kind = k, .x = 29, .y = 2};
            uint32_t rounds = met.rounds;
            if (!round_of(world, &instr))
                return false;
            if (met.rounds == rounds || world->run[k - RUN].stop == RUN_SATURATED)
                break;
        }
    return true;
}

// False: they differ; the reason is written to `msg`.
static bool program_run(const struct program *program, uint32_t n, char *msg, size_t size,
                        uint64_t *digests)
{
    struct world world;
    bool ok = world_init(&world, program->rule_seed, program->n_rules, program->rule_mask);
    world.knowing = program->knowing;
    world.prune = program->prune;
    world.exact = program->exact;
    world.fault = program->fault;
    world.check = program->fault == FAULT_NONE;
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = do_instr(&world, &program->instr.at[i]);
        if (digests != NULL)
            digests[i] = digest(&world.graph);
    }
    if (ok && n == program->instr.len && n > 0)
        ok = world_rebuild(&world) && to_the_end(&world) &&
             (!world.check || world_explain(&world, 0, 40, &met.explained));
    met.constants += cc_lookup(&world.graph, CONSTANT, NULL) != CC_NONE;
    snprintf(msg, size, "%s", world.msg);
    world_release(&world);
    return ok;
}

// Shortening

static void cut(struct program *program, uint32_t at, uint32_t n)
{
    memmove(program->instr.at + at, program->instr.at + at + n,
            (program->instr.len - at - n) * sizeof *program->instr.at);
    program->instr.len -= n;
}

static void shorten(struct program *program)
{
    char msg[512];
    struct program less = *program;
    for (uint32_t n = program->instr.len / 2; n > 0; n /= 2)
        for (uint32_t at = 0; at + n <= program->instr.len;) {
            less = *program;
            less.instr.at = mem_alloc(program->instr.len * sizeof *less.instr.at);
            less.instr.cap = program->instr.len;
            memcpy(less.instr.at, program->instr.at, program->instr.len * sizeof *less.instr.at);
            cut(&less, at, n);
            if (program_run(&less, less.instr.len, msg, sizeof msg, NULL)) {
                at += n;
                vec_release(&less.instr);
            } else {
                vec_release(&program->instr);
                *program = less;
            }
        }
    for (uint32_t i = 0; i < program->n_rules; i++) {
        less = *program;
        less.rule_mask &= ~(UINT32_C(1) << i);
        if (!program_run(&less, less.instr.len, msg, sizeof msg, NULL))
            *program = less;
    }
}

static void print(const struct program *program)
{
    struct rng rng;
    char text[4096];
    uint32_t pool[POOL];
    rng_seed(&rng, program->rule_seed);
    random_pool(&rng, pool);
    for (uint32_t i = 0; i < program->n_rules; i++) {
        struct naive_rule rule;
        random_rule(&rng, pool, &rule);
        rule_text(&rule, i, text, sizeof text);
        if (program->rule_mask >> i & 1)
            printf("  %s", text);
    }
    for (uint32_t i = 0; i < program->instr.len; i++) {
        const struct instr *instr = &program->instr.at[i];
        printf("  %s %u %u %u\n", kind_name[instr->kind], instr->x, instr->y, instr->z);
    }
}

static bool same_again(const struct program *program, const uint64_t *digests, char *msg,
                       size_t size)
{
    uint64_t *again = mem_alloc((program->instr.len + 1) * sizeof *again);
    uint32_t half = program->instr.len / 2;
    program_run(program, half, msg, size, again);
    bool ok = memcmp(again, digests, half * sizeof *again) == 0;
    if (!ok)
        snprintf(msg, size, "a prefix does not give the same bytes");
    mem_free(again);
    return ok;
}

static bool one_program(uint64_t s, enum fault fault, bool report)
{
    struct program program;
    struct rng rng;
    char msg[512];
    rng_seed(&rng, s);
    program_random(&program, &rng);
    program.fault = fault;
    uint64_t *digests = mem_alloc((program.instr.len + 1) * sizeof *digests);
    met.programs++;
    bool ok = program_run(&program, program.instr.len, msg, sizeof msg, digests);
    if (ok && s % 8 == 0)
        ok = same_again(&program, digests, msg, sizeof msg);
    if (!ok && report) {
        printf("seed %llu: %s\n", (unsigned long long)s, msg);
        shorten(&program);
        program_run(&program, program.instr.len, msg, sizeof msg, NULL);
        printf("shortened: %s%s%s\n", msg, program.knowing ? ", knowing" : "",
               program.prune ? ", pruning" : "");
        print(&program);
    }
    mem_free(digests);
    vec_release(&program.instr);
    return ok;
}

static void programs(void **state)
{
    (void)state;
    double until = clock_wall() + seconds;
    memset(&met, 0, sizeof met);
    for (uint64_t s = seed; s < seed + 100 || clock_wall() < until; s++)
        if (!one_program(s, FAULT_NONE, true))
            fail_msg("seed %llu", (unsigned long long)s);
    print_message("%u programs, %u rounds, %u ends, %u of %u matches searched for, %u "
                  "with the constant, %u hidden, %u explanations\n",
                  met.programs, met.rounds, met.saturated, met.found, met.matches, met.constants,
                  met.hidden, met.explained);
    assert_true(met.rounds > 100 && met.matches > 1000 && met.found > 300);
    assert_true(met.constants > 10 && met.hidden > 10 && met.dropped > 10 && met.saturated > 100);
}

// The comparison sees an engine that forgets.
static void faults_are_seen(void **state)
{
    (void)state;
    for (enum fault f = FAULT_EVENTS; f <= FAULT_MARK; f++) {
        uint64_t s = 1;
        while (s < 3000 && one_program(s, f, false))
            s++;
        print_message("fault %d is seen in program %u\n", (int)f, (unsigned)s);
        assert_true(s < 3000);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seconds = strtod(argv[2], NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(faults_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
