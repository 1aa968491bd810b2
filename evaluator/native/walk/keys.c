/* Keys of JSON: count them in a text, and in the parsed value. */

#include "walk.h"

#define DEEPEST 1024 /* levels of nesting, as in orjson; deeper values are left to the caller */

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static int follows_quote(const char *start, const char *colon)
{
    while (colon > start && is_space(colon[-1]))
        colon--;
    return colon > start && colon[-1] == '"';
}

static Py_ssize_t key_ends_of(const char *start, Py_ssize_t size)
{
    Py_ssize_t ends = 0;
    const char *end = start + size, *place;
    for (place = start; (place = memchr(place, ':', (size_t)(end - place))); place++)
        ends += follows_quote(start, place);
    return ends;
}

/* Count the key ends of a list of bytes; -1 and an error if any is not bytes. */
static Py_ssize_t key_ends_in(PyObject *texts)
{
    Py_ssize_t place, ends = 0;
    for (place = 0; place < length(texts); place++) {
        PyObject *text = item(texts, place);
        if (!PyBytes_CheckExact(text)) {
            PyErr_SetString(PyExc_TypeError, "expected bytes, or a list of bytes");
            return -1;
        }
        ends += key_ends_of(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
    }
    return ends;
}

PyObject *count_key_ends(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_ssize_t ends;
    Py_buffer view;
    if (PyList_CheckExact(text)) {
        ends = key_ends_in(text);
        return ends < 0 ? NULL : PyLong_FromSsize_t(ends);
    }
    if (PyObject_GetBuffer(text, &view, PyBUF_SIMPLE))
        return NULL;
    ends = key_ends_of(bytes_of(&view), view.len);
    PyBuffer_Release(&view);
    return PyLong_FromSsize_t(ends);
}

static Py_ssize_t keys_of(PyObject *value, int levels);

/* Add the keys of a value to a count; -1 if it is nested too deep, or if the count is -1. */
static Py_ssize_t with_keys_of(Py_ssize_t count, PyObject *value, int levels)
{
    Py_ssize_t keys;
    if (count < 0 || (!PyDict_CheckExact(value) && !PyList_CheckExact(value)))
        return count;
    keys = levels ? keys_of(value, levels - 1) : -1;
    return keys < 0 ? -1 : count + keys;
}

static Py_ssize_t keys_of(PyObject *value, int levels)
{
    Py_ssize_t place = 0, count = 0;
    PyObject *key, *part;
    if (PyList_CheckExact(value)) {
        for (; place < length(value); place++)
            count = with_keys_of(count, item(value, place), levels);
        return count;
    }
    count = PyDict_GET_SIZE(value);
    while (PyDict_Next(value, &place, &key, &part))
        count = with_keys_of(count, part, levels);
    return count;
}

PyObject *count_keys(PyObject *Py_UNUSED(module), PyObject *value)
{
    Py_ssize_t count = with_keys_of(0, value, DEEPEST);
    return count < 0 ? Py_NewRef(Py_None) : PyLong_FromSsize_t(count);
}

/* ---- objects without nested objects or lists ---- */

static int is_flat(PyObject *value)
{
    Py_ssize_t place = 0;
    PyObject *key, *part;
    if (!PyDict_CheckExact(value))
        return 0;
    while (PyDict_Next(value, &place, &key, &part))
        if (PyDict_CheckExact(part) || PyList_CheckExact(part))
            return 0;
    return 1;
}

PyObject *are_flat(PyObject *Py_UNUSED(module), PyObject *values)
{
    Py_ssize_t place;
    if (!PyList_CheckExact(values))
        Py_RETURN_FALSE;
    for (place = 0; place < length(values); place++)
        if (!is_flat(item(values, place)))
            Py_RETURN_FALSE;
    Py_RETURN_TRUE;
}
