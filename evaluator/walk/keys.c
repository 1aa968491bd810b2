/* Keys of JSON text. */

#include "walk.h"

static int is_space(char one) { return one == ' ' || one == '\t' || one == '\r' || one == '\n'; }

static int follows_quote(const char *start, const char *colon)
{
    while (colon > start && is_space(colon[-1]))
        colon--;
    return colon > start && colon[-1] == '"';
}

PyObject *ends_of_keys(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_ssize_t ends = 0, braces = 0;
    const char *start, *end, *place;
    Py_buffer view;
    if (PyObject_GetBuffer(text, &view, PyBUF_SIMPLE))
        return NULL;
    start = view.buf;
    end = start + view.len;
    for (place = start; (place = memchr(place, ':', (size_t)(end - place))); place++)
        ends += follows_quote(start, place);
    for (place = start; (place = memchr(place, '{', (size_t)(end - place))); place++)
        braces++;
    PyBuffer_Release(&view);
    return Py_BuildValue("(nn)", ends, braces);
}
