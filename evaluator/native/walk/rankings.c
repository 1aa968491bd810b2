/* Rankings that cannot break a rule by themselves: visible ids, each of them once. */

#include "walk.h"

#define EVERY_BYTE(one) (~(uint64_t)0 / 255 * (one))
#define WORD ((Py_ssize_t)sizeof(uint64_t))

/* A set of hashes: open addressing, 0 where nothing is. */
typedef struct {
    uint64_t *hashes;
    size_t room;
} Seen;

/* Make the set empty, with twice as much room as needed; -1 and an error if there is no memory. */
static int clear_seen(Seen *seen, Py_ssize_t size, size_t *mask)
{
    size_t needed = 16;
    while (needed < (size_t)size * 2)
        needed *= 2;
    if (needed > seen->room) {
        uint64_t *hashes = PyMem_Realloc(seen->hashes, needed * sizeof(uint64_t));
        if (!hashes) {
            PyErr_NoMemory();
            return -1;
        }
        seen->hashes = hashes;
        seen->room = needed;
    }
    memset(seen->hashes, 0, needed * sizeof(uint64_t));
    *mask = needed - 1;
    return 0;
}

/* Whether bytes of ASCII are all between "!" and "~". */
static inline int are_visible(uint64_t word)
{
    uint64_t below = (word - EVERY_BYTE(33)) & ~word, above = word + EVERY_BYTE(1);
    return !((below | above) & EVERY_BYTE(128));
}

/* Return a hash of a visible text, never 0; or 0 if the text is not visible ASCII. */
static uint64_t hash_visible(PyObject *id)
{
    const char *characters;
    uint64_t hash, word;
    Py_ssize_t place, size;
    if (!is_text(id) || !PyUnicode_IS_ASCII(id) || !PyUnicode_GET_LENGTH(id))
        return 0;
    characters = PyUnicode_DATA(id);
    size = PyUnicode_GET_LENGTH(id);
    hash = (uint64_t)size * UINT64_C(0x9E3779B97F4A7C15);
    for (place = 0; place < size; place += WORD) {
        word = EVERY_BYTE('a');
        memcpy(&word, characters + place, (size_t)(size - place < WORD ? size - place : WORD));
        if (!are_visible(word))
            return 0;
        hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    return hash | 1;
}

/* Whether the hash is new; the search ends early where too many hashes collide. */
static int add_hash(Seen *seen, size_t mask, uint64_t hash, Py_ssize_t *steps)
{
    size_t place = (size_t)(hash >> 20) & mask;
    for (; seen->hashes[place]; place = (place + 1) & mask)
        if (seen->hashes[place] == hash || --*steps < 0)
            return 0;
    seen->hashes[place] = hash;
    return 1;
}

/* 1 if the ids of a ranking are visible and probably differ, 0 if not, -1 on an error. */
static int is_clear(PyObject *ranking, Seen *seen)
{
    size_t mask;
    Py_ssize_t place, size, steps;
    if (!PyList_CheckExact(ranking))
        return 0;
    size = length(ranking);
    steps = 8 * size;
    if (clear_seen(seen, size, &mask))
        return -1;
    for (place = 0; place < size; place++) {
        uint64_t hash = hash_visible(item(ranking, place));
        if (!hash || !add_hash(seen, mask, hash, &steps))
            return 0;
    }
    return 1;
}

PyObject *find_unclear(PyObject *Py_UNUSED(module), PyObject *rankings)
{
    Py_ssize_t place;
    int clear = 1;
    Seen seen = {0};
    PyObject *answer;
    if (!PyList_CheckExact(rankings))
        Py_RETURN_NONE;
    answer = PyList_New(0);
    for (place = 0; answer && place < length(rankings); place++) {
        clear = is_clear(item(rankings, place), &seen);
        if (!clear) {
            PyObject *number = PyLong_FromSsize_t(place);
            clear = number && !PyList_Append(answer, number) ? 0 : -1;
            Py_XDECREF(number);
        }
        if (clear < 0)
            Py_CLEAR(answer);
    }
    PyMem_Free(seen.hashes);
    return answer;
}
