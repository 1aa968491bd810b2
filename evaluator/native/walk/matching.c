/* Matching: find the results that are alternatives of their query. */

#include "walk.h"

/* Alternatives are numbered from a number that comes from outside; adding their count to it must
   not overflow, and memory holds fewer than this. */
#define MOST_NUMBERED (PY_SSIZE_T_MAX / 2)

/* Per query; beyond, Python's own sets serve as well. */
#define MOST_ALTERNATIVES ((Py_ssize_t)1 << 20)

/* Up to so many alternatives are told apart by a few of their bytes; of more, all bytes count. */
#define FEW_ALTERNATIVES 64

/* Per query, beyond one for each alternative and result: results that repeat an id of many groups
   would fill the memory. The same as `HITS` in evaluator/reading/limits.py. */
#define MOST_REPEATED 100000

#define FEWEST_SLOTS 64
#define LONGEST_SEARCH 64

/* ---- the alternatives of a query ---- */

/* An alternative: its sketch, its characters, its group, and the next one with the same id. The
   first one with an id knows the last one as well. */
typedef struct {
    uint64_t sketch;
    Text text;
    Py_ssize_t group, next, last;
} Alternative;

/* The alternatives of a query, in a hash table: a slot has the number of an alternative, from 1
   on, or 0. `bits` is a Bloom filter of their sketches: it rejects most results. */
typedef struct {
    Alternative *listed;
    int32_t *slots;
    Py_ssize_t count, room, slot_room;
    uint64_t bits, mask;
    int are_many, is_shared;
} Wanted;

static void free_wanted(Wanted *wanted)
{
    PyMem_Free(wanted->listed);
    PyMem_Free(wanted->slots);
}

/* Make room for so many alternatives, at most MOST_ALTERNATIVES; -1 if there is no memory. */
static int clear_wanted(Wanted *wanted, Py_ssize_t count)
{
    Py_ssize_t slots = FEWEST_SLOTS;
    while (slots < 2 * count)
        slots *= 2;
    if (count > wanted->room) {
        Alternative *listed = PyMem_Realloc(wanted->listed, (size_t)count * sizeof(Alternative));
        if (!listed)
            return -1;
        wanted->listed = listed;
        wanted->room = count;
    }
    if (slots > wanted->slot_room) {
        int32_t *room = PyMem_Realloc(wanted->slots, (size_t)slots * sizeof(int32_t));
        if (!room)
            return -1;
        wanted->slots = room;
        wanted->slot_room = slots;
    }
    memset(wanted->slots, 0, (size_t)slots * sizeof(int32_t));
    wanted->mask = (uint64_t)slots - 1;
    wanted->bits = 0;
    wanted->count = 0;
    wanted->are_many = count > FEW_ALTERNATIVES;
    wanted->is_shared = 0;
    return 0;
}

static inline uint64_t sketch_in(const Wanted *wanted, Text text)
{
    return wanted->are_many ? hash_of(text) : sketch_of(text);
}

/* Return the slot of an id, or the free one where it would be; -1 after a long search. */
static int64_t slot_of(const Wanted *wanted, Text text, uint64_t sketch)
{
    uint64_t slot = (sketch >> 6) & wanted->mask;
    int tries;
    for (tries = 0; tries < LONGEST_SEARCH; tries++, slot = (slot + 1) & wanted->mask) {
        const Alternative *found;
        if (!wanted->slots[slot])
            return (int64_t)slot;
        found = &wanted->listed[wanted->slots[slot] - 1];
        if (found->sketch == sketch && are_equal(found->text, text))
            return (int64_t)slot;
    }
    return -1;
}

/* Return the first alternative with an id; -1 if there is none. What is wanted has been found in
   a short search when it was added. */
static inline Py_ssize_t place_of(const Wanted *wanted, Text text, uint64_t sketch)
{
    int64_t slot;
    if (!(wanted->bits >> (sketch & 63) & 1))
        return -1;
    slot = slot_of(wanted, text, sketch);
    return slot < 0 ? -1 : wanted->slots[slot] - 1;
}

/* Add an alternative; return 0 if the query must be left to the caller. */
static int want(Wanted *wanted, const Id *id, Py_ssize_t group)
{
    uint64_t sketch = id->is_number ? id->sketch : sketch_in(wanted, id->text);
    int64_t slot = slot_of(wanted, id->text, sketch);
    Py_ssize_t place = wanted->count;
    if (slot < 0)
        return 0;
    wanted->listed[place] = (Alternative){sketch, id->text, group, -1, place};
    if (wanted->slots[slot]) {
        Alternative *same = &wanted->listed[wanted->slots[slot] - 1];
        wanted->listed[same->last].next = place;
        same->last = place;
        wanted->is_shared = 1;
    } else {
        wanted->slots[slot] = (int32_t)(place + 1);
    }
    wanted->bits |= (uint64_t)1 << (sketch & 63);
    wanted->count++;
    return 1;
}

/* ---- hits ---- */

/* Columns: numbers of results and groups per query, sizes of groups, rank and alternative of
   hits; scratch for sorting. `left` and `shared` are rows with their first alternative. */
typedef struct {
    Column lengths, groups, sizes, ranks, alternatives, scratch;
    PyObject *left, *shared;
} Found;

static void free_found(Found *found)
{
    PyMem_Free(found->lengths.numbers);
    PyMem_Free(found->groups.numbers);
    PyMem_Free(found->sizes.numbers);
    PyMem_Free(found->ranks.numbers);
    PyMem_Free(found->alternatives.numbers);
    PyMem_Free(found->scratch.numbers);
    Py_XDECREF(found->left);
    Py_XDECREF(found->shared);
}

static int note_shape(Found *found, PyObject *groups, Py_ssize_t results)
{
    Py_ssize_t group, count = length(groups);
    if (append(&found->lengths, results) || append(&found->groups, count))
        return -1;
    for (group = 0; group < count; group++)
        if (append(&found->sizes, length(item(groups, group))))
            return -1;
    return 0;
}

/* A walk over the results of queries: what is wanted of the present one, how deep to look, the
   number of its first alternative, how many hits there may be, and which kinds of ids have been
   seen. */
typedef struct {
    Wanted wanted;
    Found found;
    Py_ssize_t depth, first, most_hits;
    int kinds;
} Walk;

/* Note that a result is an alternative, or several with the same id: 1, 0 if that is one hit too
   many, -1 on error. */
static int note_hit(Walk *walk, Py_ssize_t rank, Py_ssize_t place)
{
    for (; place >= 0; place = walk->wanted.listed[place].next)
        if (append(&walk->found.ranks, rank) || append(&walk->found.alternatives, place))
            return -1;
    return walk->found.ranks.count <= walk->most_hits;
}

static int are_in_order(const Walk *walk, const int64_t *places, Py_ssize_t count)
{
    Py_ssize_t number;
    for (number = 1; number < count; number++)
        if (walk->wanted.listed[places[number]].group <
            walk->wanted.listed[places[number - 1]].group)
            return 0;
    return 1;
}

/* Sort hits, which are in order of rank, by group: count those of each group, then place them. */
static int sort_hits(Walk *walk, Py_ssize_t start, Py_ssize_t groups)
{
    Column *scratch = &walk->found.scratch;
    Py_ssize_t number, count = walk->found.ranks.count - start;
    int64_t *ranks = walk->found.ranks.numbers + start, *places, *begins, total = 0;
    places = walk->found.alternatives.numbers + start;
    if (are_in_order(walk, places, count))
        return 0;
    scratch->count = 0;
    if (reserve(scratch, groups + 2 * count))
        return -1;
    begins = scratch->numbers;
    memset(begins, 0, (size_t)groups * sizeof(int64_t));
    for (number = 0; number < count; number++)
        begins[walk->wanted.listed[places[number]].group]++;
    for (number = 0; number < groups; number++) {
        int64_t size = begins[number];
        begins[number] = total;
        total += size;
    }
    memcpy(begins + groups, ranks, (size_t)count * sizeof(int64_t));
    memcpy(begins + groups + count, places, (size_t)count * sizeof(int64_t));
    for (number = 0; number < count; number++) {
        int64_t place = begins[groups + count + number];
        int64_t target = begins[walk->wanted.listed[place].group]++;
        ranks[target] = begins[groups + number];
        places[target] = place;
    }
    return 0;
}

/* Sort the hits of a query, and number their alternatives across all queries. */
static int finish_hits(Walk *walk, Py_ssize_t start, Py_ssize_t groups)
{
    Py_ssize_t number;
    if (walk->found.ranks.count > start && sort_hits(walk, start, groups))
        return -1;
    for (number = start; number < walk->found.alternatives.count; number++)
        walk->found.alternatives.numbers[number] += walk->first;
    return 0;
}

/* ---- rankings: lists of ids, or ranges of texts in a buffer ---- */

typedef struct {
    PyObject *lists;
    Texts texts;
    Py_buffer starts, ends;
} Rankings;

/* Add the hits of a list: 1 if all its ids are plain, 0 if not, or if there are too many hits, -1
   on error. */
static int walk_list(Walk *walk, PyObject *list)
{
    const Wanted *wanted = &walk->wanted;
    Py_ssize_t place, size = length(list), found;
    int noted = 1;
    Id id;
    for (place = 0; place < size; place++) {
        if (place + AHEAD < size)
            prefetch(item(list, place + AHEAD));
        if (!read_id(item(list, place), &id))
            return 0;
        walk->kinds |= kind_of(&id);
        if (place >= walk->depth)
            continue;
        found = place_of(wanted, id.text,
                         id.is_number ? id.sketch : sketch_in(wanted, id.text));
        if (found >= 0 && (noted = note_hit(walk, place + 1, found)) <= 0)
            return noted;
    }
    return 1;
}

/* Add the hits of texts in a buffer: 1, 0 if there are too many, -1 on error. */
static int walk_texts(Walk *walk, const Rankings *rankings, Py_ssize_t row)
{
    int64_t number, start = number_at(&rankings->starts, row);
    int64_t end = number_at(&rankings->ends, row);
    int noted = 1;
    Text text;
    for (number = start; number < end; number++) {
        Py_ssize_t found;
        if (text_at(&rankings->texts, number, &text))
            return out_of_range();
        found = place_of(&walk->wanted, text, sketch_in(&walk->wanted, text));
        if (found >= 0 &&
            (noted = note_hit(walk, (Py_ssize_t)(number - start) + 1, found)) <= 0)
            return noted;
    }
    return 1;
}

static Py_ssize_t rows_of(const Rankings *rankings)
{
    return rankings->lists ? length(rankings->lists) : count_of(&rankings->starts);
}

static int wrong_shape(void)
{
    PyErr_SetString(PyExc_TypeError, "ground truths are lists of lists, rankings are lists");
    return -1;
}

/* Return the number of results of a query; -1 and an error if they are no list or no range. */
static Py_ssize_t results_of(const Rankings *rankings, Py_ssize_t row)
{
    int64_t start, end;
    if (rankings->lists) {
        PyObject *list = item(rankings->lists, row);
        return PyList_CheckExact(list) ? length(list) : wrong_shape();
    }
    start = number_at(&rankings->starts, row);
    end = number_at(&rankings->ends, row);
    return is_range(&rankings->texts, start, end) ? (Py_ssize_t)(end - start) : out_of_range();
}

/* Return the number of alternatives of a ground truth; -1 and an error if it has another shape. */
static Py_ssize_t count_listed(PyObject *groups)
{
    Py_ssize_t group, listed = 0;
    if (!PyList_CheckExact(groups))
        return wrong_shape();
    for (group = 0; group < length(groups); group++) {
        if (!PyList_CheckExact(item(groups, group)))
            return wrong_shape();
        listed += length(item(groups, group));
    }
    return listed;
}

/* Add the alternatives of all groups: 1, 0 if the query must be left to the caller, -1 on
   error. */
static int want_all(Walk *walk, PyObject *groups, Py_ssize_t listed)
{
    Py_ssize_t group, place;
    Id id;
    if (listed > MOST_ALTERNATIVES)
        return 0;
    if (clear_wanted(&walk->wanted, listed)) {
        PyErr_NoMemory();
        return -1;
    }
    for (group = 0; group < length(groups); group++) {
        PyObject *ids = item(groups, group);
        walk->kinds |= length(ids) ? 0 : NOT_PLAIN;
        for (place = 0; place < length(ids); place++) {
            if (!read_id(item(ids, place), &id) || !want(&walk->wanted, &id, group))
                return 0;
            walk->kinds |= kind_of(&id);
        }
    }
    return 1;
}

static int note_row(PyObject *rows, Py_ssize_t row, Py_ssize_t first)
{
    PyObject *pair = Py_BuildValue("(nn)", row, first);
    int failed = !pair || PyList_Append(rows, pair);
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

/* Leave a query to the caller, with none of its hits. */
static int leave_row(Walk *walk, Py_ssize_t row, Py_ssize_t start)
{
    walk->found.ranks.count = walk->found.alternatives.count = start;
    walk->kinds |= NOT_PLAIN;
    return note_row(walk->found.left, row, walk->first);
}

/* Match a query; return -1 on error. */
static int match(Walk *walk, PyObject *groups, const Rankings *rankings, Py_ssize_t row)
{
    Py_ssize_t start = walk->found.ranks.count, listed = count_listed(groups), results;
    int outcome;
    results = listed < 0 ? -1 : results_of(rankings, row);
    if (results < 0 ||
        note_shape(&walk->found, groups, results < walk->depth ? results : walk->depth))
        return -1;
    walk->most_hits = start + listed + results + MOST_REPEATED;
    outcome = want_all(walk, groups, listed);
    if (outcome > 0)
        outcome = rankings->lists ? walk_list(walk, item(rankings->lists, row))
                                  : walk_texts(walk, rankings, row);
    if (outcome > 0)
        outcome = finish_hits(walk, start, length(groups)) ? -1 : 1;
    if (outcome < 0 || (outcome == 0 && leave_row(walk, row, start)))
        return -1;
    if (outcome && walk->wanted.is_shared && note_row(walk->found.shared, row, walk->first))
        return -1;
    walk->first += listed;
    return 0;
}

static int match_all(Walk *walk, PyObject *truths, const Rankings *rankings)
{
    Py_ssize_t row;
    if (walk->first < 0 || walk->first > MOST_NUMBERED)
        return out_of_range();
    walk->found.left = PyList_New(0);
    walk->found.shared = PyList_New(0);
    if (!walk->found.left || !walk->found.shared)
        return -1;
    for (row = 0; row < length(truths) && row < rows_of(rankings); row++)
        if (match(walk, item(truths, row), rankings, row))
            return -1;
    return 0;
}

/* Return the columns, the number after the last alternative, the rows left to the caller, and
   those that list an id more than once. */
static PyObject *build_matched(const Walk *walk)
{
    const Found *found = &walk->found;
    return Py_BuildValue("(NNNNNnOO)", as_bytes(&found->lengths), as_bytes(&found->groups),
                         as_bytes(&found->sizes), as_bytes(&found->ranks),
                         as_bytes(&found->alternatives), walk->first, found->left, found->shared);
}

static void free_walk(Walk *walk)
{
    free_wanted(&walk->wanted);
    free_found(&walk->found);
}

static PyObject *match_and_build(PyObject *truths, const Rankings *rankings, Py_ssize_t first)
{
    Walk walk = {.depth = PY_SSIZE_T_MAX, .first = first};
    PyObject *answer = match_all(&walk, truths, rankings) ? NULL : build_matched(&walk);
    free_walk(&walk);
    return answer;
}

PyObject *match_rankings(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths;
    Py_ssize_t first;
    Rankings rankings = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!n", &PyList_Type, &truths, &PyList_Type,
                          &rankings.lists, &first))
        return NULL;
    return match_and_build(truths, &rankings, first);
}

PyObject *match_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths, *answer = NULL;
    Py_ssize_t first;
    Rankings rankings = {0};
    if (!PyArg_ParseTuple(arguments, "O!y*y*y*y*n", &PyList_Type, &truths, &rankings.starts,
                          &rankings.ends, &rankings.texts.offsets, &rankings.texts.data, &first))
        return NULL;
    if (count_of(&rankings.starts) == count_of(&rankings.ends))
        answer = match_and_build(truths, &rankings, first);
    else
        out_of_range();
    PyBuffer_Release(&rankings.starts);
    PyBuffer_Release(&rankings.ends);
    release(&rankings.texts);
    return answer;
}

/* ---- checking and matching in one walk ---- */

static PyObject *build_checked(const Walk *walk)
{
    PyTypeObject *kind = walk->kinds == TEXTS ? &PyUnicode_Type : &PyLong_Type;
    if (walk->kinds != TEXTS && walk->kinds != NUMBERS)
        Py_RETURN_NONE;
    return Py_BuildValue("(ON)", kind, build_matched(walk));
}

static int are_lists(PyObject *lists)
{
    Py_ssize_t place;
    for (place = 0; place < length(lists); place++)
        if (!PyList_CheckExact(item(lists, place)))
            return 0;
    return 1;
}

static int are_lists_of_lists(PyObject *lists)
{
    Py_ssize_t place;
    if (!are_lists(lists))
        return 0;
    for (place = 0; place < length(lists); place++)
        if (!length(item(lists, place)) || !are_lists(item(lists, place)))
            return 0;
    return 1;
}

PyObject *match_plain(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths, *answer = NULL;
    Rankings rankings = {0};
    Walk walk = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!n", &PyList_Type, &truths, &PyList_Type,
                          &rankings.lists, &walk.depth))
        return NULL;
    if (length(truths) != length(rankings.lists) || walk.depth < 0 ||
        !are_lists_of_lists(truths) || !are_lists(rankings.lists))
        Py_RETURN_NONE;
    if (!match_all(&walk, truths, &rankings))
        answer = build_checked(&walk);
    free_walk(&walk);
    return answer;
}
