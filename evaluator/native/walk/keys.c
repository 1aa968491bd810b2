/* Keys of JSON: count them in a text, and in the parsed value; find those that are repeated. */

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

/* Whether a text has more key ends than its value has keys: those of itself, or all within. */
static int has_lost(PyObject *text, PyObject *value)
{
    Py_ssize_t ends = key_ends_of(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
    if (PyDict_CheckExact(value) && PyDict_GET_SIZE(value) == ends)
        return 0;
    return with_keys_of(0, value, DEEPEST) != ends;
}

PyObject *find_lost_keys(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *texts, *values, *rows;
    Py_ssize_t place;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &texts, &PyList_Type, &values))
        return NULL;
    rows = PyList_New(0);
    for (place = 0; rows && place < length(texts) && place < length(values); place++) {
        if (!PyBytes_CheckExact(item(texts, place))) {
            PyErr_SetString(PyExc_TypeError, "expected a list of bytes");
            Py_CLEAR(rows);
        } else if (has_lost(item(texts, place), item(values, place)) && append_row(rows, place)) {
            Py_CLEAR(rows);
        }
    }
    return rows;
}

/* ---- keys that an object repeats ---- */

#define OPEN 64   /* objects and lists around a place; deeper texts are left to the caller */
#define KNOWN 256 /* different keys of all objects around a place; likewise */

/* The keys of the objects that are open, and where those of each begin; -1 for a list. */
typedef struct {
    Text keys[KNOWN];
    int starts[OPEN];
    int known, open;
} Objects;

/* Return the quote that ends a string after its first one; NULL if there is none. */
static const char *end_of_string(const char *place, const char *end, int *is_escaped)
{
    *is_escaped = 0;
    for (place++; place < end && *place != '"'; place++)
        if (*place == '\\' && place + 1 < end) {
            *is_escaped = 1;
            place++;
        }
    return place < end ? place : NULL;
}

static int is_key(const char *place, const char *end)
{
    while (place < end && is_space(*place))
        place++;
    return place < end && *place == ':';
}

/* Note a key of the innermost object: 1 if it is there already, 0 if not, -1 if there is no room. */
static int note_key(Objects *objects, Text key)
{
    int place = objects->open ? objects->starts[objects->open - 1] : -1;
    if (place < 0)
        return -1;
    for (; place < objects->known; place++)
        if (are_equal(objects->keys[place], key))
            return 1;
    if (objects->known == KNOWN)
        return -1;
    objects->keys[objects->known++] = key;
    return 0;
}

static int open_bracket(Objects *objects, char bracket)
{
    if (objects->open == OPEN)
        return -1;
    objects->starts[objects->open++] = bracket == '{' ? objects->known : -1;
    return 0;
}

static int close_bracket(Objects *objects)
{
    int start;
    if (!objects->open)
        return -1;
    start = objects->starts[--objects->open];
    objects->known = start < 0 ? objects->known : start;
    return 0;
}

/* Pass a string: 1 if it is a key that is repeated, 0 if not, -1 if that cannot be told. */
static int pass_string(Objects *objects, const char **place, const char *end)
{
    int is_escaped;
    const char *start = *place + 1;
    *place = end_of_string(*place, end, &is_escaped);
    if (!*place)
        return -1;
    if (!is_key(*place + 1, end))
        return 0;
    return is_escaped ? -1 : note_key(objects, (Text){start, (size_t)(*place - start), 1});
}

/* Count the keys that objects of a text repeat; -1 if they cannot be told. */
static Py_ssize_t repeats_in(const char *place, const char *end)
{
    Objects objects;
    Py_ssize_t count = 0;
    objects.known = objects.open = 0;
    for (; place < end; place++) {
        int found = 0;
        if (*place == '"')
            found = pass_string(&objects, &place, end);
        else if (*place == '{' || *place == '[')
            found = open_bracket(&objects, *place);
        else if (*place == '}' || *place == ']')
            found = close_bracket(&objects);
        if (found < 0)
            return -1;
        count += found;
    }
    return count;
}

PyObject *count_repeated_keys(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_ssize_t count;
    Py_buffer view;
    if (PyObject_GetBuffer(text, &view, PyBUF_SIMPLE))
        return NULL;
    count = repeats_in(bytes_of(&view), bytes_of(&view) + view.len);
    PyBuffer_Release(&view);
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
