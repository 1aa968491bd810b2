/* match(truths, rankings, depth): check the ids of queries and find their hits, in one walk.

   What that means and what is returned is described in evaluator/native/__init__.py, beside the
   same in Python. No Python code runs during the walk, so that no list can change. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { STRINGS = 1, NUMBERS = 2 };                  /* kinds of ids */
enum { PLAIN = 0, LEFT = 1, ODD = 2, FAILED = -1 }; /* what becomes of a query */
enum { LONGEST_SEARCH = 64 };  /* so many ids may collide, by chance or by intent */
enum { MOST = 1 << 20 };       /* beyond so many ids or moves, a query is left to Python */
enum { AHEAD = 8 };            /* ids are fetched so many places ahead of their use */
#define BYTES(column) column.at ? (const char *)column.at : "", column.count * (Py_ssize_t)8
#define FACTOR 0x9E3779B97F4A7C15u /* spreads bits: 2 to the 64, divided by the golden ratio */
#ifdef __GNUC__
#define FETCH(place) (__builtin_prefetch(place), __builtin_prefetch((const char *)(place) + 64))
#else
#define FETCH(place) (void)(place)
#endif

typedef struct { int64_t *at; Py_ssize_t count, room; } Column;
typedef struct { const char *data; Py_ssize_t size, group; uint64_t sketch; int width; } Key;
typedef struct { Key *keys; int32_t *slots; Py_ssize_t count, room; uint64_t mask, bits; } Wanted;
typedef struct { Column lengths, groups, sizes, ranks, alternatives; Py_ssize_t depth, listed, start,
                 first, moves; int kind; Wanted wanted; PyObject *left, *odd; } Walk;

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

/* A cheap hash of the length and the first, middle and last eight bytes. */
static inline uint64_t sketch_of(const char *data, Py_ssize_t size)
{
    uint64_t first = 0, middle = 0, last = 0;
    memcpy(&first, data, size < 8 ? (size_t)size : 8);
    if (size > 8) {
        memcpy(&middle, data + (size / 2 - 4), 8);
        memcpy(&last, data + size - 8, 8);
    }
    first = (first ^ (uint64_t)size * FACTOR) * 0xFF51AFD7ED558CCDu;
    return (first ^ middle * 3 ^ last) * FACTOR;
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
    if (!PyLong_CheckExact(id))
        return 0;
    int overflow;
    int64_t number = PyLong_AsLongLongAndOverflow(id, &overflow);
    *key = (Key){"", 0, 0, (uint64_t)number * FACTOR, 0};
    return overflow || number == INT64_MIN ? 0 : NUMBERS;
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

/* Forget what was wanted, and make room for so many ids. */
static int clear(Wanted *wanted, Py_ssize_t count)
{
    Py_ssize_t slots = 64;
    while (slots < 4 * count)
        slots *= 2;
    if (slots > wanted->room) {
        PyMem_Free(wanted->keys);
        PyMem_Free(wanted->slots);
        wanted->keys = PyMem_Malloc((size_t)slots / 4 * sizeof *wanted->keys);
        wanted->slots = PyMem_Malloc((size_t)slots * sizeof *wanted->slots);
        wanted->room = slots;
    }
    if (!wanted->keys || !wanted->slots)
        return PyErr_NoMemory() ? 0 : FAILED;
    memset(wanted->slots, 0xff, (size_t)slots * sizeof *wanted->slots);
    wanted->mask = (uint64_t)slots - 1;
    wanted->count = wanted->bits = 0;
    return PLAIN;
}

/* Add an id of a group; LEFT if it is wanted already, or collides with many. */
static int add_key(Wanted *wanted, const Key *key, Py_ssize_t group)
{
    int64_t slot = find_slot(wanted, key);
    if (slot < 0 || wanted->slots[slot] >= 0)
        return LEFT;
    wanted->bits |= (uint64_t)1 << (key->sketch >> 58);
    wanted->slots[slot] = (int32_t)wanted->count;
    wanted->keys[wanted->count] = *key;
    wanted->keys[wanted->count++].group = group;
    return PLAIN;
}

/* Index the alternatives of a query. */
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
    int state = listed > MOST ? LEFT : PLAIN;
    if (append(&walk->groups, groups) || clear(wanted, state == PLAIN ? listed : 0))
        return FAILED;
    for (Py_ssize_t g = 0; g < groups; g++) {
        PyObject *group = PyList_GET_ITEM(truth, g);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(group); i++) {
            Key key;
            int kind = read_key(PyList_GET_ITEM(group, i), &key);
            if (!kind)
                return ODD;
            *kinds |= kind;
            if (state == PLAIN)
                state = add_key(wanted, &key, g);
        }
    }
    walk->listed += listed;
    return state;
}

/* Add a hit, in order of group and rank; LEFT if too many others have to move. */
static int add_hit(Walk *walk, int64_t rank, int32_t met)
{
    int64_t alternative = walk->first + met;
    if (append(&walk->ranks, rank) || append(&walk->alternatives, alternative))
        return FAILED;
    int64_t *ranks = walk->ranks.at, *others = walk->alternatives.at;
    const Key *keys = walk->wanted.keys;
    Py_ssize_t at = walk->ranks.count - 1;
    for (; at > walk->start && keys[others[at - 1] - walk->first].group > keys[met].group; at--) {
        ranks[at] = ranks[at - 1];
        others[at] = others[at - 1];
        walk->moves++;
    }
    ranks[at] = rank;
    others[at] = alternative;
    return walk->moves > MOST ? LEFT : PLAIN;
}

static int match_query(Walk *walk, PyObject *truth, PyObject *ranking)
{
    if (!PyList_CheckExact(truth) || !PyList_CheckExact(ranking))
        return ODD;
    Py_ssize_t results = PyList_GET_SIZE(ranking);
    walk->start = walk->ranks.count;
    walk->moves = 0;
    int kinds = 0, state = want(walk, truth, &kinds);
    uint64_t bits = walk->wanted.bits;
    for (Py_ssize_t r = 0; r < results && (state == PLAIN || state == LEFT); r++) {
        Key key;
        if (r + AHEAD < results)
            FETCH(PyList_GET_ITEM(ranking, r + AHEAD));
        int kind = read_key(PyList_GET_ITEM(ranking, r), &key);
        if (!kind)
            return ODD;
        kinds |= kind;
        if (state == LEFT || r >= walk->depth || !(bits >> (key.sketch >> 58) & 1))
            continue; /* a Bloom filter tells most of the results that are no hit */
        int64_t slot = find_slot(&walk->wanted, &key);
        if (slot >= 0 && walk->wanted.slots[slot] >= 0)
            state = add_hit(walk, r + 1, walk->wanted.slots[slot]);
    }
    if (state == ODD || (kinds | walk->kind) == (STRINGS | NUMBERS))
        return ODD;
    walk->kind |= kinds;
    if (state == LEFT)
        walk->ranks.count = walk->alternatives.count = walk->start;
    return append(&walk->lengths, results < walk->depth ? results : walk->depth) ? FAILED : state;
}

static void note(PyObject *rows, PyObject *row)
{
    if (row)
        PyList_Append(rows, row);
    Py_XDECREF(row);
}

static PyObject *match(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyTypeObject *list = &PyList_Type, *kinds[] = {Py_TYPE(Py_None), &PyUnicode_Type, &PyLong_Type};
    PyObject *truths, *rankings, *result = NULL;
    Walk walk = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!n", list, &truths, list, &rankings, &walk.depth))
        return NULL;
    if (PyList_GET_SIZE(truths) != PyList_GET_SIZE(rankings))
        return PyErr_Format(PyExc_ValueError, "lists of different length");
    walk.left = PyList_New(0);
    walk.odd = PyList_New(0);
    for (Py_ssize_t row = 0; row < PyList_GET_SIZE(truths) && !PyErr_Occurred(); row++) {
        walk.first = walk.listed;
        int state = match_query(&walk, PyList_GET_ITEM(truths, row), PyList_GET_ITEM(rankings, row));
        if (state == ODD)
            note(walk.odd, PyLong_FromSsize_t(row));
        if (state == LEFT)
            note(walk.left, Py_BuildValue("nn", row, walk.first));
    }
    if (!PyErr_Occurred())
        result = Py_BuildValue("Oy#y#y#y#y#nOO", kinds[walk.kind], BYTES(walk.lengths),
                               BYTES(walk.groups), BYTES(walk.sizes), BYTES(walk.ranks),
                               BYTES(walk.alternatives), walk.listed, walk.left, walk.odd);
    void *memory[] = {walk.lengths.at, walk.groups.at, walk.sizes.at, walk.ranks.at,
                      walk.alternatives.at, walk.wanted.keys, walk.wanted.slots};
    for (int each = 0; each < 7; each++)
        PyMem_Free(memory[each]);
    Py_XDECREF(walk.left);
    Py_XDECREF(walk.odd);
    return result;
}

static PyMethodDef methods[] = {{"match", match, METH_VARARGS, "Check ids and find hits."}, {0}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "_compiled", .m_methods = methods};
PyMODINIT_FUNC PyInit__compiled(void) { return PyModuleDef_Init(&module); }
