/* The walk over ids: what is done for every id of every record, at the speed of memory.

   Each function of the module has a twin in Python, in unaided.py, which says what it means, is
   taken where this could not be built, and takes what this leaves: ids that are not plain strings,
   very many alternatives, ids that are listed twice.

   Lists are read without owning what they hold: no code of Python runs while a query is walked. */

#ifndef GROUPWISE_WALK_H
#define GROUPWISE_WALK_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Of one query; more are left to Python, whose sets do not slow down. */
#define MOST_ALTERNATIVES 64

/* ---- the functions of the module ---- */

PyObject *are_flat(PyObject *module, PyObject *values);
PyObject *are_plain_texts(PyObject *module, PyObject *arguments);
PyObject *are_rankings(PyObject *module, PyObject *arguments);
PyObject *are_truths(PyObject *module, PyObject *arguments);
PyObject *clean_hashes(PyObject *module, PyObject *arguments);
PyObject *clean_truths(PyObject *module, PyObject *arguments);
PyObject *ends_of_keys(PyObject *module, PyObject *arguments);
PyObject *keys_within(PyObject *module, PyObject *value);
PyObject *matched(PyObject *module, PyObject *arguments);
PyObject *matched_texts(PyObject *module, PyObject *arguments);
PyObject *run_rows(PyObject *module, PyObject *arguments);
PyObject *string_lists(PyObject *module, PyObject *arguments);
PyObject *strings(PyObject *module, PyObject *arguments);
PyObject *text_hashes(PyObject *module, PyObject *arguments);

/* ---- lists and strings ---- */

static inline Py_ssize_t length(PyObject *list) { return PyList_GET_SIZE(list); }

static inline PyObject *item(PyObject *list, Py_ssize_t place)
{
    return PyList_GET_ITEM(list, place);
}

/* A string of Python's own type, with its characters in place. */
static inline int is_text(PyObject *value)
{
#if PY_VERSION_HEX < 0x030C0000
    return PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value);
#else
    return PyUnicode_CheckExact(value);
#endif
}

/* ---- columns of numbers, handed to Python as bytes ---- */

typedef struct {
    int64_t *numbers;
    Py_ssize_t count, room;
} Column;

static inline int append(Column *column, int64_t number)
{
    if (column->count == column->room) {
        Py_ssize_t room = column->room ? 2 * column->room : 256;
        int64_t *numbers = PyMem_Realloc(column->numbers, (size_t)room * sizeof(int64_t));
        if (!numbers) {
            PyErr_NoMemory();
            return -1;
        }
        column->numbers = numbers;
        column->room = room;
    }
    column->numbers[column->count++] = number;
    return 0;
}

static inline PyObject *as_bytes(const Column *column)
{
    Py_ssize_t size = column->count * (Py_ssize_t)sizeof(int64_t);
    return PyBytes_FromStringAndSize((const char *)column->numbers, size);
}

/* ---- texts: the characters of an id ---- */

/* The characters of an id. Equal strings have equal characters of equal width. */
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

static inline int are_equal(Text one, Text other)
{
    return one.size == other.size && one.width == other.width &&
           !memcmp(one.characters, other.characters, one.size);
}

/* A number that tells most texts apart by their length and their first and last characters. */
static inline uint64_t sketch_of(Text text)
{
    uint64_t head = 0, tail = 0, mixed;
    if (text.size >= sizeof head) {
        memcpy(&head, text.characters, sizeof head);
        memcpy(&tail, text.characters + text.size - sizeof tail, sizeof tail);
    } else {
        memcpy(&head, text.characters, text.size);
    }
    mixed = (head ^ (tail * 0x9E3779B97F4A7C15u) ^ text.size) * 0xD6E8FEB86659FD93u;
    return mixed ^ (mixed >> 32);
}

/* ---- texts in one buffer, as Arrow has them: the nth is data[offsets[n]:offsets[n + 1]] ---- */

typedef struct {
    Py_buffer offsets, data;
} Texts;

static inline void release(Texts *texts)
{
    PyBuffer_Release(&texts->offsets);
    PyBuffer_Release(&texts->data);
}

static inline const int64_t *numbers(const Py_buffer *buffer) { return buffer->buf; }

static inline Py_ssize_t count_of(const Py_buffer *buffer)
{
    return buffer->len / (Py_ssize_t)sizeof(int64_t);
}

/* The text of a number, which must be there and within the data: -1 if not. */
static inline int text_at(const Texts *texts, int64_t number, Text *text)
{
    int64_t start, end;
    if (number < 0 || number + 1 >= count_of(&texts->offsets))
        return -1;
    start = numbers(&texts->offsets)[number];
    end = numbers(&texts->offsets)[number + 1];
    if (start < 0 || start > end || end > texts->data.len)
        return -1;
    *text = (Text){(const char *)texts->data.buf + start, (size_t)(end - start), 1};
    return 0;
}

static inline int out_of_range(void)
{
    PyErr_SetString(PyExc_ValueError, "a text is outside of its buffer");
    return -1;
}

#endif
