/* Matching: find the results that are alternatives of their query. */

#include "walk.h"

/* Alternatives are numbered from a number that comes from outside; adding their count to it must
   not overflow, and memory holds fewer than this. */
#define MOST_NUMBERED (PY_SSIZE_T_MAX / 2)

/* ---- the alternatives of a query ---- */

/* The alternatives of a query. `bits` is a Bloom filter of their sketches: it rejects most
   results. */
typedef struct {
    Text texts[MOST_ALTERNATIVES];
    uint64_t sketches[MOST_ALTERNATIVES];
    uint64_t bits;
    int count;
} Wanted;

static int place_of(const Wanted *wanted, Text text)
{
    int place;
    uint64_t sketch = sketch_of(text);
    if (!(wanted->bits >> (sketch & 63) & 1))
        return -1;
    for (place = 0; place < wanted->count; place++)
        if (wanted->sketches[place] == sketch && are_equal(wanted->texts[place], text))
            return place;
    return -1;
}

/* Add an alternative; return 0 if the query must be left to the caller. */
static int want(Wanted *wanted, PyObject *id)
{
    Text text;
    if (!is_text(id) || wanted->count == MOST_ALTERNATIVES)
        return 0;
    text = text_of(id);
    if (place_of(wanted, text) >= 0)
        return 0;
    wanted->texts[wanted->count] = text;
    wanted->sketches[wanted->count] = sketch_of(text);
    wanted->bits |= (uint64_t)1 << (wanted->sketches[wanted->count] & 63);
    wanted->count++;
    return 1;
}

/* Add the alternatives of all groups; return their number. `whole`: all could be added. */
static Py_ssize_t want_all(Wanted *wanted, PyObject *groups, int *whole)
{
    Py_ssize_t group, place, listed = 0;
    wanted->bits = 0;
    wanted->count = 0;
    *whole = 1;
    for (group = 0; group < length(groups); group++) {
        PyObject *ids = item(groups, group);
        listed += length(ids);
        for (place = 0; *whole && place < length(ids); place++)
            *whole = want(wanted, item(ids, place));
    }
    return listed;
}

/* ---- hits ---- */

/* Columns: numbers of results and groups per query, sizes of groups, rank and alternative of
   hits. */
typedef struct {
    Column lengths, groups, sizes, ranks, alternatives;
} Found;

static void free_columns(Found *found)
{
    PyMem_Free(found->lengths.numbers);
    PyMem_Free(found->groups.numbers);
    PyMem_Free(found->sizes.numbers);
    PyMem_Free(found->ranks.numbers);
    PyMem_Free(found->alternatives.numbers);
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

static int note_hit(Found *found, Py_ssize_t rank, Py_ssize_t alternative)
{
    return append(&found->ranks, rank) || append(&found->alternatives, alternative) ? -1 : 0;
}

/* Rankings: lists of ids, or ranges of texts in a buffer. */
typedef struct {
    PyObject *lists;
    Texts texts;
    Py_buffer starts, ends;
} Rankings;

/* Add the hits of a list: 1 if all its ids are strings, 0 (and no hit) if not, -1 on error. */
static int walk_list(PyObject *list, const Wanted *wanted, Py_ssize_t first, Found *found)
{
    Py_ssize_t place, ranks = found->ranks.count, size = length(list);
    for (place = 0; place < size; place++) {
        PyObject *id = item(list, place);
        int alternative;
        if (!is_text(id)) {
            found->ranks.count = found->alternatives.count = ranks;
            return 0;
        }
        alternative = place_of(wanted, text_of(id));
        if (alternative >= 0 && note_hit(found, place + 1, first + alternative))
            return -1;
    }
    return 1;
}

/* Add the hits of texts in a buffer: 1, or -1 on error. */
static int walk_texts(const Rankings *rankings, Py_ssize_t row, const Wanted *wanted,
                      Py_ssize_t first, Found *found)
{
    int64_t number, start = number_at(&rankings->starts, row);
    int64_t end = number_at(&rankings->ends, row);
    Text text;
    for (number = start; number < end; number++) {
        int alternative;
        if (text_at(&rankings->texts, number, &text))
            return out_of_range();
        alternative = place_of(wanted, text);
        if (alternative >= 0 &&
            note_hit(found, (Py_ssize_t)(number - start) + 1, first + alternative))
            return -1;
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

static int walk(const Rankings *rankings, Py_ssize_t row, const Wanted *wanted, Py_ssize_t first,
                Found *found)
{
    if (rankings->lists)
        return walk_list(item(rankings->lists, row), wanted, first, found);
    return walk_texts(rankings, row, wanted, first, found);
}

static int are_lists(PyObject *groups)
{
    Py_ssize_t group;
    if (!PyList_CheckExact(groups))
        return 0;
    for (group = 0; group < length(groups); group++)
        if (!PyList_CheckExact(item(groups, group)))
            return 0;
    return 1;
}

static int leave_row(PyObject *left, Py_ssize_t row, Py_ssize_t first)
{
    PyObject *pair = Py_BuildValue("(nn)", row, first);
    int failed = !pair || PyList_Append(left, pair);
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

/* Match a query; return its number of alternatives, or -1 on error. */
static Py_ssize_t match(PyObject *groups, const Rankings *rankings, Py_ssize_t row,
                        Py_ssize_t first, Found *found, PyObject *left)
{
    Wanted wanted;
    Py_ssize_t listed, results;
    int whole, outcome;
    if (!are_lists(groups))
        return wrong_shape();
    results = results_of(rankings, row);
    if (results < 0 || note_shape(found, groups, results))
        return -1;
    listed = want_all(&wanted, groups, &whole);
    outcome = whole ? walk(rankings, row, &wanted, first, found) : 0;
    if (outcome < 0 || (outcome == 0 && leave_row(left, row, first)))
        return -1;
    return listed;
}

static int match_all(PyObject *truths, const Rankings *rankings, Py_ssize_t *first, Found *found,
                     PyObject *left)
{
    Py_ssize_t row;
    for (row = 0; row < length(truths) && row < rows_of(rankings); row++) {
        Py_ssize_t listed = match(item(truths, row), rankings, row, *first, found, left);
        if (listed < 0)
            return -1;
        *first += listed;
    }
    return 0;
}

/* Return the columns, the number after the last alternative, and the rows left to the caller. */
static PyObject *build_matched(PyObject *truths, const Rankings *rankings, Py_ssize_t first)
{
    PyObject *answer = NULL, *left = PyList_New(0);
    Found found = {{0}, {0}, {0}, {0}, {0}};
    if (first < 0 || first > MOST_NUMBERED)
        out_of_range();
    else if (left && !match_all(truths, rankings, &first, &found, left))
        answer = Py_BuildValue("(NNNNNnO)", as_bytes(&found.lengths), as_bytes(&found.groups),
                               as_bytes(&found.sizes), as_bytes(&found.ranks),
                               as_bytes(&found.alternatives), first, left);
    Py_XDECREF(left);
    free_columns(&found);
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
    return build_matched(truths, &rankings, first);
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
        answer = build_matched(truths, &rankings, first);
    else
        out_of_range();
    PyBuffer_Release(&rankings.starts);
    PyBuffer_Release(&rankings.ends);
    release(&rankings.texts);
    return answer;
}
