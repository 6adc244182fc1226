// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/measure.h"

#include "egraph/match/index.h"

// Turns counts, each one place behind that of its leader, into starts.
static void add_up(struct u32_vec *from)
{
    for (uint32_t i = 1; i < from->len; i++)
        from->at[i] += from->at[i - 1];
}

static void start_places(struct places_of *places, uint32_t n_leaders, uint32_t n_places)
{
    vec_reserve(&places->from, n_leaders + 2);
    places->from.len = n_leaders + 2;
    memset(places->from.at, 0, places->from.len * sizeof *places->from.at);
    vec_reserve(&places->at, n_places);
    places->at.len = n_places;
}

void measure_prepare(struct match_index *index)
{
    uint32_t n = index->lead.len, n_live = index->live.len - 1;
    struct places_of *users = &index->users, *members = &index->members;
    start_places(users, n, index->arg.len);
    start_places(members, n, n_live);
    // Starts are kept one place further until the lists are full.
    for (uint32_t i = 0; i < n_live; i++)
        members->from.at[index->live.at[i].lead + 2]++;
    for (uint32_t k = 0; k < index->arg.len; k++)
        users->from.at[index->arg.at[k] + 2]++;
    add_up(&members->from);
    add_up(&users->from);
    for (uint32_t i = 0; i < n_live; i++) {
        const struct index_node *node = &index->live.at[i];
        members->at.at[members->from.at[node->lead + 1]++] = i;
        for (uint32_t k = node->from; k < node[1].from; k++)
            users->at.at[users->from.at[index->arg.at[k] + 1]++] = i;
    }
    vec_reserve(&index->work.waits, n_live);
    index->work.waits.len = n_live;
    memset(index->work.waits.at, 0, n_live);
}

// The size that an argument adds.  What is held is free, but not to compute itself or what
// the program computes before it.
static uint64_t argument_size(const struct measure *measure, const uint32_t *held, uint32_t user,
                              uint32_t lead)
{
    if (held == NULL || held[lead] == 0 || lead == user)
        return measure->size.at[lead];
    return held[user] != 0 && held[lead] > held[user] ? SIZE_MOST : 0;
}

static uint64_t size_of(const struct match_index *index, const struct measure *measure,
                        const uint32_t *held, const struct index_node *node)
{
    uint64_t sum = node->weight;
    for (uint32_t k = node->from; k < node[1].from; k++) {
        sum += argument_size(measure, held, node->lead, index->arg.at[k]);
        sum = sum < SIZE_MOST ? sum : SIZE_MOST;
    }
    return sum;
}

// Puts off the places of a leader, but for those that the pass in this order still comes to.
enum pass { PASS_UP, PASS_DOWN, PASS_NONE };
static void put_off(struct worklist *work, const struct places_of *places, uint32_t leader,
                    enum pass pass, uint32_t here)
{
    for (uint32_t k = places->from.at[leader]; k < places->from.at[leader + 1]; k++) {
        uint32_t place = places->at.at[k];
        bool comes = (pass == PASS_UP && place > here) || (pass == PASS_DOWN && place < here);
        if (comes || work->waits.at[place])
            continue;
        work->waits.at[place] = true;
        vec_push(&work->next, place);
    }
}

// What is put off becomes the list to work on; false if there is nothing.
static bool next_list(struct worklist *work)
{
    struct u32_vec done = work->now;
    work->now = work->next;
    work->next = done;
    vec_clear(&work->next);
    for (uint32_t i = 0; i < work->now.len; i++)
        work->waits.at[work->now.at[i]] = false;
    return work->now.len > 0;
}

static void lower_size(struct match_index *index, struct measure *measure, const uint32_t *held,
                       uint32_t place, enum pass pass)
{
    const struct index_node *node = &index->live.at[place];
    uint64_t size = size_of(index, measure, held, node);
    if (size >= measure->size.at[node->lead])
        return;
    measure->size.at[node->lead] = size;
    put_off(&index->work, &index->users, node->lead, pass, place);
}

void measure_sizes(struct match_index *index, struct measure *measure, const uint32_t *held)
{
    uint32_t n = index->lead.len, n_live = index->live.len - 1;
    if (held != NULL)
        vec_clear(&measure->size);
    vec_reserve(&measure->size, n);
    while (measure->size.len < n)
        vec_push(&measure->size, SIZE_MOST);
    // Arguments are mostly older than their users.
    for (uint32_t i = 0; i < n_live; i++)
        lower_size(index, measure, held, i, PASS_UP);
    while (next_list(&index->work))
        for (uint32_t i = 0; i < index->work.now.len; i++)
            lower_size(index, measure, held, index->work.now.at[i], PASS_NONE);
    vec_reserve(&measure->over, n);
    measure->over.len = n;
    memset(measure->over.at, 0, n * sizeof *measure->over.at);
    for (uint32_t i = 0; i < n_live; i++) {
        const struct index_node *node = &index->live.at[i];
        uint64_t size = size_of(index, measure, held, node);
        uint64_t over = size - measure->size.at[node->lead];
        measure->over.at[node->node] =
            size < SIZE_MOST && over < OVER_MOST ? (uint32_t)over : OVER_MOST;
    }
}

static void lower_distances(struct match_index *index, struct measure *measure, uint32_t place,
                            enum pass pass)
{
    const struct index_node *node = &index->live.at[place];
    uint32_t away = add_over(measure->away.at[node->lead], measure->over.at[node->node]);
    for (uint32_t k = node->from; k < node[1].from; k++) {
        uint32_t lead = index->arg.at[k];
        if (away >= measure->away.at[lead])
            continue;
        measure->away.at[lead] = away;
        put_off(&index->work, &index->members, lead, pass, place);
    }
}

void measure_distances(struct match_index *index, struct measure *measure,
                       const struct u32_vec *wanted, bool all)
{
    uint32_t n = index->lead.len, n_live = index->live.len - 1;
    vec_reserve(&measure->away, n);
    measure->away.len = n;
    for (uint32_t i = 0; i < n; i++)
        measure->away.at[i] = all ? 0 : OVER_MOST;
    if (all)
        return;
    for (uint32_t i = 0; i < wanted->len; i++)
        measure->away.at[wanted->at[i]] = 0;
    // Users are mostly younger than their arguments.
    for (uint32_t i = n_live; i-- > 0;)
        lower_distances(index, measure, i, PASS_DOWN);
    while (next_list(&index->work))
        for (uint32_t i = 0; i < index->work.now.len; i++)
            lower_distances(index, measure, index->work.now.at[i], PASS_NONE);
}
