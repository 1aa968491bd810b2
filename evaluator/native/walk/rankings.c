/* Rankings that cannot break a rule by themselves: visible ids, each of them once. */

#include "walk.h"

#define EVERY_BYTE(one) (~(uint64_t)0 / 255 * (one))
#define WORD sizeof(uint64_t)

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

/* Add a word to a hash; what is not visible is noted in `odd`. */
static inline uint64_t add_word(uint64_t hash, uint64_t word, int *odd)
{
    *odd |= !are_visible(word);
    hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
    return hash ^ (hash >> 32);
}

/* Return a hash of a visible text, never 0; or 0 if the text is not visible ASCII. Two halves of it
   are computed side by side, and one is turned, as both may have seen nearly the same; a last word
   may overlap with the one before. */
static uint64_t hash_visible(Text text)
{
    uint64_t even = text.size * UINT64_C(0x9E3779B97F4A7C15), uneven = 0, word = EVERY_BYTE('a');
    size_t place = 0;
    int odd = 0;
    if (text.size < WORD) {
        memcpy(&word, text.characters, text.size);
        even = add_word(even, word, &odd);
        return odd || !text.size ? 0 : even | 1;
    }
    for (; place + 2 * WORD <= text.size; place += 2 * WORD) {
        even = add_word(even, word_at(text, place), &odd);
        uneven = add_word(uneven, word_at(text, place + WORD), &odd);
    }
    if (place + WORD <= text.size) {
        even = add_word(even, word_at(text, place), &odd);
        place += WORD;
    }
    if (place < text.size)
        uneven = add_word(uneven, word_at(text, text.size - WORD), &odd);
    return odd ? 0 : add_word(even, uneven << 29 | uneven >> 35, &odd) | 1;
}

static uint64_t hash_visible_id(PyObject *id)
{
    return is_text(id) && PyUnicode_IS_ASCII(id) ? hash_visible(text_of(id)) : 0;
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
        uint64_t hash = hash_visible_id(item(ranking, place));
        if (!hash || !add_hash(seen, mask, hash, &steps))
            return 0;
    }
    return 1;
}

/* The same for the texts of a buffer from one number to another. */
static int is_clear_range(const Texts *texts, int64_t start, int64_t end, Seen *seen)
{
    size_t mask;
    int64_t number;
    Py_ssize_t steps;
    Text text;
    if (!is_range(texts, start, end))
        return out_of_range();
    steps = 8 * (Py_ssize_t)(end - start);
    if (clear_seen(seen, (Py_ssize_t)(end - start), &mask))
        return -1;
    for (number = start; number < end; number++) {
        uint64_t hash;
        if (text_at(texts, number, &text))
            return out_of_range();
        hash = hash_visible(text);
        if (!hash || !add_hash(seen, mask, hash, &steps))
            return 0;
    }
    return 1;
}

/* Add the number of a ranking that is not clear; -1 on an error, or if there was one before. */
static int note_unclear(PyObject *numbers, Py_ssize_t place, int clear)
{
    if (clear)
        return clear < 0 ? -1 : 0;
    return append_row(numbers, place);
}

PyObject *find_unclear(PyObject *Py_UNUSED(module), PyObject *rankings)
{
    Py_ssize_t place;
    Seen seen = {0};
    PyObject *answer;
    if (!PyList_CheckExact(rankings))
        Py_RETURN_NONE;
    answer = PyList_New(0);
    for (place = 0; answer && place < length(rankings); place++)
        if (note_unclear(answer, place, is_clear(item(rankings, place), &seen)))
            Py_CLEAR(answer);
    PyMem_Free(seen.hashes);
    return answer;
}

PyObject *find_unclear_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Texts texts;
    Py_buffer starts, ends;
    Py_ssize_t row;
    Seen seen = {0};
    PyObject *answer = NULL;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*", &starts, &ends, &texts.offsets, &texts.data))
        return NULL;
    if (count_of(&starts) == count_of(&ends))
        answer = PyList_New(0);
    else
        out_of_range();
    for (row = 0; answer && row < count_of(&starts); row++)
        if (note_unclear(answer, row, is_clear_range(&texts, number_at(&starts, row),
                                                     number_at(&ends, row), &seen)))
            Py_CLEAR(answer);
    PyMem_Free(seen.hashes);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    release(&texts);
    return answer;
}
