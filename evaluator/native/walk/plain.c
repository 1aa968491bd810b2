/* Plain records: nothing but lists of non-blank strings. */

#include "walk.h"

static int is_blank(PyObject *text)
{
    Py_ssize_t place, size = PyUnicode_GET_LENGTH(text);
    for (place = 0; place < size; place++)
        if (!Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, place)))
            return 0;
    return 1;
}

static int are_ids_in(PyObject *list)
{
    Py_ssize_t place, size = length(list);
    for (place = 0; place < size; place++)
        if (!is_text(item(list, place)) || is_blank(item(list, place)))
            return 0;
    return 1;
}

static int are_groups_in(PyObject *list)
{
    Py_ssize_t place, size = length(list);
    for (place = 0; place < size; place++) {
        PyObject *group = item(list, place);
        if (!PyList_CheckExact(group) || !length(group) || !are_ids_in(group))
            return 0;
    }
    return 1;
}

/* Whether all members are lists that pass a check, and at least one is not empty. */
static PyObject *all_lists_of(PyObject *lists, int (*holds)(PyObject *))
{
    Py_ssize_t place, some = 0;
    if (!PyList_CheckExact(lists))
        Py_RETURN_FALSE;
    for (place = 0; place < length(lists); place++) {
        PyObject *list = item(lists, place);
        if (!PyList_CheckExact(list) || !holds(list))
            Py_RETURN_FALSE;
        some |= length(list);
    }
    return PyBool_FromLong(some != 0);
}

PyObject *are_rankings(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return all_lists_of(lists, are_ids_in);
}

PyObject *are_truths(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return all_lists_of(lists, are_groups_in);
}
