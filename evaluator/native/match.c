/* match(truths, rankings, depth): check the ids of queries and find their hits, in one walk.

   A query is plain if its ground truth is a list of groups, lists of ids that are not empty, and its
   ranking a list of ids; all are strings that are not blank, or all are numbers of 64 bits, as in
   the first query that has any. The hits of a query are found among its first `depth` results.

   What is returned is described in evaluator/native/__init__.py, beside the same in Python. No
   Python code runs during the walk, so that no list can change. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { STRINGS = 1, NUMBERS = 2 };                        /* kinds of ids */
enum { PLAIN = 0, LEFT = 1, ODD = 2, FAILED = -1 };       /* what becomes of a query */
enum { AHEAD = 8 };                  /* ids are fetched so many places ahead of their use */
enum { LONGEST_SEARCH = 64 };        /* so many ids may collide, by chance or by intent */
enum { MOST_WANTED = 1 << 20, MOST_MOVES = 1 << 20 };     /* beyond, a query is left to Python */

#ifdef __GNUC__
#define PREFETCH(place) (__builtin_prefetch(place), __builtin_prefetch((const char *)(place) + 64))
#else
#define PREFETCH(place) (void)(place)
#endif

typedef struct { int64_t *at; Py_ssize_t count, room; } Column;
typedef struct { const char *data; Py_ssize_t size; uint64_t sketch; int width; } Key;
typedef struct { Key *keys; int64_t *group; int32_t *slots; Py_ssize_t count, room;
                 uint64_t mask, bits; } Wanted;
typedef struct { Column lengths, groups, sizes, ranks, alternatives; Py_ssize_t depth, listed;
                 int kind; Wanted wanted; PyObject *left, *odd; } Walk;

static int append(Column *column, int64_t value)
{
    if (column->count == column->room) {
        Py_ssize_t room = column->room ? 2 * column->room : 256;
        int64_t *at = PyMem_Realloc(column->at, (size_t)room * sizeof *at);
        if (!at)
            return PyErr_NoMemory() ? 0 : FAILED;
        column->at = at;
        column->room = room;
    }
    column->at[column->count++] = value;
    return 0;
}

static inline uint64_t word_at(const char *data, Py_ssize_t size)
{
    uint64_t word = 0;
    memcpy(&word, data, size < 8 ? (size_t)size : 8);
    return word;
}

/* A cheap hash of the length and the first, middle and last eight bytes. */
static inline uint64_t sketch_of(const char *data, Py_ssize_t size)
{
    uint64_t sketch = word_at(data, size) ^ (uint64_t)size * 0x9E3779B97F4A7C15u;
    if (size > 8) {
        uint64_t rest = word_at(data + size - 8, 8) ^ word_at(data + (size / 2 - 4), 8) * 3;
        sketch = sketch * 0xFF51AFD7ED558CCDu ^ rest;
    }
    return sketch * 0x9E3779B97F4A7C15u;
}

/* Read an id; return its kind, 0 if it is neither a string that is not blank nor a number. A
   string that begins with white space may be blank: the schema looks at it. Equal numbers have
   equal sketches, and only these. */
static inline int read_key(PyObject *id, Key *key)
{
    if (PyUnicode_CheckExact(id)) {
        if (!PyUnicode_GET_LENGTH(id) || Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(id, 0)))
            return 0;
        key->width = PyUnicode_KIND(id);
        key->data = PyUnicode_DATA(id);
        key->size = PyUnicode_GET_LENGTH(id) * key->width;
        key->sketch = sketch_of(key->data, key->size);
        return STRINGS;
    }
    if (PyLong_CheckExact(id)) {
        int overflow;
        int64_t number = PyLong_AsLongLongAndOverflow(id, &overflow);
        *key = (Key){"", 0, (uint64_t)number * 0x9E3779B97F4A7C15u, 0};
        return overflow || number == INT64_MIN ? 0 : NUMBERS;
    }
    return 0;
}

/* Return the slot of an id, or the free one where it would be; -1 after a long search. */
static inline int64_t find_slot(const Wanted *wanted, const Key *key)
{
    uint64_t slot = key->sketch >> 32 & wanted->mask;
    for (int tries = 0; tries < LONGEST_SEARCH; tries++, slot = (slot + 1) & wanted->mask) {
        if (wanted->slots[slot] < 0)
            return (int64_t)slot;
        const Key *other = &wanted->keys[wanted->slots[slot]];
        if (other->sketch == key->sketch && other->size == key->size &&
            other->width == key->width && !memcmp(other->data, key->data, (size_t)key->size))
            return (int64_t)slot;
    }
    return -1;
}

/* Return the alternative with an id, -1 if there is none: a Bloom filter tells most of these. */
static inline Py_ssize_t find(const Wanted *wanted, const Key *key)
{
    int64_t slot = wanted->bits >> (key->sketch >> 58) & 1 ? find_slot(wanted, key) : -1;
    return slot < 0 ? -1 : wanted->slots[slot];
}

/* Forget what was wanted, and make room for so many ids. */
static int clear(Wanted *wanted, Py_ssize_t count)
{
    Py_ssize_t slots = 64;
    while (slots < 4 * count)
        slots *= 2;
    if (slots > wanted->room) {
        PyMem_Free(wanted->keys);
        PyMem_Free(wanted->group);
        PyMem_Free(wanted->slots);
        wanted->keys = PyMem_Calloc((size_t)slots, sizeof *wanted->keys);
        wanted->group = PyMem_Calloc((size_t)slots, sizeof *wanted->group);
        wanted->slots = PyMem_Calloc((size_t)slots, sizeof *wanted->slots);
        wanted->room = slots;
        if (!wanted->keys || !wanted->group || !wanted->slots)
            return PyErr_NoMemory() ? 0 : FAILED;
    }
    memset(wanted->slots, 0xff, (size_t)slots * sizeof *wanted->slots);
    wanted->mask = (uint64_t)slots - 1;
    wanted->bits = 0;
    wanted->count = 0;
    return PLAIN;
}

/* Index the alternatives of a query; LEFT if an id is listed twice, or many collide. */
static int want(Walk *walk, PyObject *truth, int *kinds)
{
    Wanted *wanted = &walk->wanted;
    Py_ssize_t groups = PyList_GET_SIZE(truth), listed = 0;
    for (Py_ssize_t g = 0; g < groups; g++) {
        PyObject *group = PyList_GET_ITEM(truth, g);
        if (!PyList_CheckExact(group) || !PyList_GET_SIZE(group))
            return ODD;
        listed += PyList_GET_SIZE(group);
        if (append(&walk->sizes, PyList_GET_SIZE(group)))
            return FAILED;
    }
    int state = listed > MOST_WANTED ? LEFT : PLAIN;
    if (clear(wanted, state == PLAIN ? listed : 0))
        return FAILED;
    for (Py_ssize_t g = 0; g < groups; g++) {
        PyObject *group = PyList_GET_ITEM(truth, g);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(group); i++) {
            Key key;
            int kind = read_key(PyList_GET_ITEM(group, i), &key);
            if (!kind)
                return ODD;
            *kinds |= kind;
            int64_t slot = state == PLAIN ? find_slot(wanted, &key) : -1;
            if (slot < 0 || wanted->slots[slot] >= 0) {
                state = LEFT;
                continue;
            }
            wanted->bits |= (uint64_t)1 << (key.sketch >> 58);
            wanted->slots[slot] = (int32_t)wanted->count;
            wanted->keys[wanted->count] = key;
            wanted->group[wanted->count++] = g;
        }
    }
    walk->listed += listed;
    return append(&walk->groups, groups) ? FAILED : state;
}

/* Add a hit, in order of group and rank; LEFT if too many others have to move. */
static int add_hit(Walk *walk, Py_ssize_t start, Py_ssize_t first, int64_t rank, Py_ssize_t met,
                   Py_ssize_t *moves)
{
    if (append(&walk->ranks, rank) || append(&walk->alternatives, first + met))
        return FAILED;
    int64_t *ranks = walk->ranks.at, *alternatives = walk->alternatives.at;
    const int64_t *group = walk->wanted.group;
    Py_ssize_t at = walk->ranks.count - 1;
    for (; at > start && group[alternatives[at - 1] - first] > group[met]; at--) {
        ranks[at] = ranks[at - 1];
        alternatives[at] = alternatives[at - 1];
        if (++*moves > MOST_MOVES)
            return LEFT;
    }
    ranks[at] = rank;
    alternatives[at] = first + met;
    return PLAIN;
}

static int match_query(Walk *walk, PyObject *truth, PyObject *ranking)
{
    if (!PyList_CheckExact(truth) || !PyList_CheckExact(ranking))
        return ODD;
    Py_ssize_t start = walk->ranks.count, first = walk->listed, moves = 0;
    Py_ssize_t results = PyList_GET_SIZE(ranking);
    int kinds = 0, state = want(walk, truth, &kinds);
    for (Py_ssize_t r = 0; r < results && (state == PLAIN || state == LEFT); r++) {
        Key key;
        if (r + AHEAD < results)
            PREFETCH(PyList_GET_ITEM(ranking, r + AHEAD));
        int kind = read_key(PyList_GET_ITEM(ranking, r), &key);
        if (!kind)
            return ODD;
        kinds |= kind;
        Py_ssize_t met = state == PLAIN && r < walk->depth ? find(&walk->wanted, &key) : -1;
        if (met >= 0)
            state = add_hit(walk, start, first, r + 1, met, &moves);
    }
    if (state == ODD || (kinds | walk->kind) == (STRINGS | NUMBERS))
        return ODD;
    walk->kind |= kinds;
    if (state == LEFT)
        walk->ranks.count = walk->alternatives.count = start;
    if (append(&walk->lengths, results < walk->depth ? results : walk->depth))
        return FAILED;
    return state;
}

/* Add a row to a list, which takes over the reference. */
static int note(PyObject *rows, PyObject *row)
{
    int failed = !row || PyList_Append(rows, row);
    Py_XDECREF(row);
    return failed;
}

static PyObject *build(const Walk *walk)
{
#define BYTES(column) column.at ? (const char *)column.at : "", column.count * (Py_ssize_t)8
    PyObject *kinds[] = {(PyObject *)Py_TYPE(Py_None), (PyObject *)&PyUnicode_Type,
                         (PyObject *)&PyLong_Type};
    return Py_BuildValue("Oy#y#y#y#y#nOO", kinds[walk->kind], BYTES(walk->lengths),
                         BYTES(walk->groups), BYTES(walk->sizes), BYTES(walk->ranks),
                         BYTES(walk->alternatives), walk->listed, walk->left, walk->odd);
}

static PyObject *match(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths, *rankings, *result = NULL;
    Walk walk = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!n", &PyList_Type, &truths, &PyList_Type, &rankings,
                          &walk.depth))
        return NULL;
    Py_ssize_t row = 0, rows = PyList_GET_SIZE(truths);
    if (rows != PyList_GET_SIZE(rankings))
        return PyErr_Format(PyExc_ValueError, "lists of different length");
    walk.left = PyList_New(0);
    walk.odd = PyList_New(0);
    for (int failed = !walk.left || !walk.odd; row < rows && !failed; row++) {
        Py_ssize_t first = walk.listed;
        int state = match_query(&walk, PyList_GET_ITEM(truths, row), PyList_GET_ITEM(rankings, row));
        failed = state == FAILED || (state == ODD && note(walk.odd, PyLong_FromSsize_t(row))) ||
                 (state == LEFT && note(walk.left, Py_BuildValue("nn", row, first)));
    }
    if (!PyErr_Occurred())
        result = build(&walk);
    Column *columns[] = {&walk.lengths, &walk.groups, &walk.sizes, &walk.ranks, &walk.alternatives};
    for (int each = 0; each < 5; each++)
        PyMem_Free(columns[each]->at);
    PyMem_Free(walk.wanted.keys);
    PyMem_Free(walk.wanted.group);
    PyMem_Free(walk.wanted.slots);
    Py_XDECREF(walk.left);
    Py_XDECREF(walk.odd);
    return result;
}

static PyMethodDef methods[] = {{"match", match, METH_VARARGS, "Check ids and find hits."}, {0}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "_compiled", .m_methods = methods};
PyMODINIT_FUNC PyInit__compiled(void) { return PyModuleDef_Init(&module); }
