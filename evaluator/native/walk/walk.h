/* The walk over ids: the work that is done for every id of every record.

   Each function of the module has a counterpart in fallback.py, which documents it and replaces it
   where no compiler was available. Whatever is not common is left to the caller: ids other than
   plain strings and whole numbers of 64 bits.

   References to list items are borrowed: no Python code runs while a query is walked. */

#ifndef GROUPWISE_WALK_H
#define GROUPWISE_WALK_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* ---- the functions of the module ---- */

PyObject *are_flat(PyObject *module, PyObject *values);
PyObject *are_plain_texts(PyObject *module, PyObject *arguments);
PyObject *kind_of_rankings(PyObject *module, PyObject *lists);
PyObject *kind_of_truths(PyObject *module, PyObject *lists);
PyObject *hash_clean_texts(PyObject *module, PyObject *arguments);
PyObject *hash_clean_truths(PyObject *module, PyObject *arguments);
PyObject *sort_out_truths(PyObject *module, PyObject *arguments);
PyObject *find_odd_rankings(PyObject *module, PyObject *lists);
PyObject *find_odd_truths(PyObject *module, PyObject *lists);
PyObject *find_unclear(PyObject *module, PyObject *rankings);
PyObject *find_unclear_texts(PyObject *module, PyObject *arguments);
PyObject *count_key_ends(PyObject *module, PyObject *arguments);
PyObject *count_keys(PyObject *module, PyObject *value);
PyObject *count_repeated_keys(PyObject *module, PyObject *text);
PyObject *find_lost_keys(PyObject *module, PyObject *arguments);
PyObject *match_plain(PyObject *module, PyObject *arguments);
PyObject *match_rankings(PyObject *module, PyObject *arguments);
PyObject *match_texts(PyObject *module, PyObject *arguments);
PyObject *drop_lists(PyObject *module, PyObject *arguments);
PyObject *find_odd_ids(PyObject *module, PyObject *list);
PyObject *pack_rankings(PyObject *module, PyObject *arguments);
PyObject *pack_plain_rankings(PyObject *module, PyObject *arguments);
PyObject *parse_run_lines(PyObject *module, PyObject *arguments);
PyObject *decode_lists(PyObject *module, PyObject *arguments);
PyObject *decode_texts(PyObject *module, PyObject *arguments);
PyObject *hash_texts(PyObject *module, PyObject *arguments);

/* ---- lists and strings ---- */

static inline Py_ssize_t length(PyObject *list) { return PyList_GET_SIZE(list); }

static inline PyObject *item(PyObject *list, Py_ssize_t place)
{
    return PyList_GET_ITEM(list, place);
}

/* Whether this is an exact str whose characters can be read directly. */
static inline int is_text(PyObject *value)
{
#if PY_VERSION_HEX < 0x030C0000
    return PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value);
#else
    return PyUnicode_CheckExact(value);
#endif
}

/* ---- growing columns of numbers, returned to Python as bytes ---- */

typedef struct {
    int64_t *numbers;
    Py_ssize_t count, room;
} Column;

/* Make room for so many numbers in all; -1 and an error if there is no memory. */
static inline int reserve(Column *column, Py_ssize_t room)
{
    int64_t *numbers;
    if (room <= column->room)
        return 0;
    room = room < 256 ? 256 : room;
    numbers = PyMem_Realloc(column->numbers, (size_t)room * sizeof(int64_t));
    if (!numbers) {
        PyErr_NoMemory();
        return -1;
    }
    column->numbers = numbers;
    column->room = room;
    return 0;
}

static inline int append(Column *column, int64_t number)
{
    if (column->count == column->room && reserve(column, 2 * column->room + 1))
        return -1;
    column->numbers[column->count++] = number;
    return 0;
}

/* Add a number to a list; -1 on an error. */
static inline int append_row(PyObject *rows, Py_ssize_t row)
{
    PyObject *number = PyLong_FromSsize_t(row);
    int failed = !number || PyList_Append(rows, number);
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

static inline PyObject *as_bytes(const Column *column)
{
    Py_ssize_t size = column->count * (Py_ssize_t)sizeof(int64_t);
    return PyBytes_FromStringAndSize((const char *)column->numbers, size);
}

/* ---- texts ---- */

/* The characters of an id. Python stores equal strings with the same width. */
typedef struct {
    const char *characters;
    size_t size;
    int width;
} Text;

static inline Text text_of(PyObject *id)
{
    int width = PyUnicode_KIND(id);
    return (Text){PyUnicode_DATA(id), (size_t)PyUnicode_GET_LENGTH(id) * (size_t)width, width};
}

static inline int are_equal(Text left, Text right)
{
    return left.size == right.size && left.width == right.width &&
           !memcmp(left.characters, right.characters, left.size);
}

static inline uint64_t mix(uint64_t number)
{
    number *= 0xD6E8FEB86659FD93u;
    return number ^ (number >> 32);
}

/* The eight bytes from a place on. */
static inline uint64_t word_at(Text text, size_t place)
{
    uint64_t word;
    memcpy(&word, text.characters + place, sizeof word);
    return word;
}

/* The bytes of a text of less than eight. */
static inline uint64_t short_word(Text text)
{
    uint64_t word = 0;
    memcpy(&word, text.characters, text.size);
    return word;
}

/* A cheap hash of the length and the first, middle and last eight bytes. */
static inline uint64_t sketch_of(Text text)
{
    uint64_t tail;
    if (text.size < sizeof tail)
        return mix(short_word(text) ^ text.size);
    tail = word_at(text, text.size - sizeof tail) + word_at(text, (text.size - sizeof tail) / 2);
    return mix(word_at(text, 0) ^ (tail * 0x9E3779B97F4A7C15u) ^ text.size);
}

/* A hash of all bytes. */
static inline uint64_t hash_of(Text text)
{
    uint64_t hash = text.size;
    size_t place;
    if (text.size < sizeof hash)
        return mix(short_word(text) ^ text.size);
    for (place = 0; place + sizeof hash <= text.size; place += sizeof hash)
        hash = mix(hash ^ word_at(text, place));
    return mix(hash ^ word_at(text, text.size - sizeof hash));
}

/* ---- ids ---- */

/* An id that is a plain string, or a whole number; of a number, equal sketches say that it is the
   same: mixing loses nothing. */
typedef struct {
    Text text;
    uint64_t sketch;
    int is_number, is_blank;
} Id;

enum { TEXTS = 1, NUMBERS = 2, NOT_PLAIN = 4 };

static inline int is_blank(PyObject *text)
{
    Py_ssize_t place, size = PyUnicode_GET_LENGTH(text);
    for (place = 0; place < size; place++)
        if (!Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, place)))
            return 0;
    return 1;
}

static inline int read_number(PyObject *value, Id *id)
{
    int overflow;
    long long number;
    if (!PyLong_CheckExact(value))
        return 0;
    number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || number == LLONG_MIN)
        return 0;
    *id = (Id){{"", 0, 0}, mix((uint64_t)number), 1, 0};
    return 1;
}

/* Read an id; return 0 if it is neither a plain string nor a number of 64 bits. */
static inline int read_id(PyObject *value, Id *id)
{
    if (!is_text(value))
        return read_number(value, id);
    id->text = text_of(value);
    id->is_number = 0;
    id->is_blank = is_blank(value);
    return 1;
}

static inline int kind_of(const Id *id)
{
    return id->is_blank ? NOT_PLAIN : id->is_number ? NUMBERS : TEXTS;
}

/* Ids are read from lists of references; what they refer to is fetched ahead. */
#define AHEAD 8

static inline void prefetch(const void *place)
{
#if defined(__GNUC__)
    __builtin_prefetch(place);
    __builtin_prefetch((const char *)place + 64);
#else
    (void)place;
#endif
}

/* ---- texts in an Arrow buffer: text n is data[offsets[n]:offsets[n + 1]] ---- */

typedef struct {
    Py_buffer offsets, data;
} Texts;

static inline void release(Texts *texts)
{
    PyBuffer_Release(&texts->offsets);
    PyBuffer_Release(&texts->data);
}

static inline Py_ssize_t count_of(const Py_buffer *buffer)
{
    return buffer->len / (Py_ssize_t)sizeof(int64_t);
}

/* The number at a place below `count_of`; a buffer need not be aligned. */
static inline int64_t number_at(const Py_buffer *buffer, Py_ssize_t place)
{
    int64_t number;
    memcpy(&number, (const char *)buffer->buf + place * (Py_ssize_t)sizeof number, sizeof number);
    return number;
}

/* The bytes of a buffer; an empty one need not have an address. */
static inline const char *bytes_of(const Py_buffer *buffer)
{
    return buffer->buf ? buffer->buf : "";
}

/* Whether all texts from one number to another exist. No sum can overflow: the numbers come from
   outside. */
static inline int is_range(const Texts *texts, int64_t start, int64_t end)
{
    return 0 <= start && start <= end && (start == end || end < count_of(&texts->offsets));
}

/* Get text n; return -1 if there is none, or if it is not within the data. */
static inline int text_at(const Texts *texts, int64_t number, Text *text)
{
    int64_t start, end;
    if (number < 0 || number >= count_of(&texts->offsets) - 1)
        return -1;
    start = number_at(&texts->offsets, number);
    end = number_at(&texts->offsets, number + 1);
    if (start < 0 || start > end || end > texts->data.len)
        return -1;
    *text = (Text){bytes_of(&texts->data) + start, (size_t)(end - start), 1};
    return 0;
}

static inline int out_of_range(void)
{
    PyErr_SetString(PyExc_ValueError, "a text is outside of its buffer");
    return -1;
}

#endif
