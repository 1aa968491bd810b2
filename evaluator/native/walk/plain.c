/* Plain records: nothing but lists of non-blank strings, or of whole numbers. */

#include "walk.h"

static int kinds_in(PyObject *list)
{
    Py_ssize_t place, size = length(list);
    int kinds = 0;
    Id id;
    for (place = 0; place < size; place++) {
        if (place + AHEAD < size)
            prefetch(item(list, place + AHEAD));
        if (!read_id(item(list, place), &id))
            return NOT_PLAIN;
        kinds |= kind_of(&id);
    }
    return kinds;
}

static int kinds_in_groups(PyObject *list)
{
    Py_ssize_t place, size = length(list);
    int kinds = 0;
    for (place = 0; place < size; place++) {
        PyObject *group = item(list, place);
        if (!PyList_CheckExact(group) || !length(group))
            return NOT_PLAIN;
        kinds |= kinds_in(group);
    }
    return kinds;
}

/* Return str or int if all members are lists of such ids, and at least one is not empty. */
static PyObject *kind_within(PyObject *lists, int (*kinds_of)(PyObject *))
{
    Py_ssize_t place;
    int kinds = 0;
    if (!PyList_CheckExact(lists))
        Py_RETURN_NONE;
    for (place = 0; place < length(lists) && !(kinds & NOT_PLAIN); place++) {
        PyObject *list = item(lists, place);
        kinds |= PyList_CheckExact(list) ? kinds_of(list) : NOT_PLAIN;
    }
    if (kinds == TEXTS)
        return Py_NewRef((PyObject *)&PyUnicode_Type);
    return Py_NewRef(kinds == NUMBERS ? (PyObject *)&PyLong_Type : Py_None);
}

PyObject *kind_of_rankings(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return kind_within(lists, kinds_in);
}

PyObject *kind_of_truths(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return kind_within(lists, kinds_in_groups);
}

/* Return the numbers of the members that are no list of ids of one kind, or an empty one. */
static PyObject *find_odd(PyObject *lists, int (*kinds_of)(PyObject *))
{
    Py_ssize_t place;
    PyObject *rows;
    if (!PyList_CheckExact(lists))
        Py_RETURN_NONE;
    rows = PyList_New(0);
    for (place = 0; rows && place < length(lists); place++) {
        PyObject *list = item(lists, place);
        int kinds = PyList_CheckExact(list) ? kinds_of(list) : NOT_PLAIN;
        if (kinds != TEXTS && kinds != NUMBERS && append_row(rows, place))
            Py_CLEAR(rows);
    }
    return rows;
}

PyObject *find_odd_rankings(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return find_odd(lists, kinds_in);
}

/* Return the numbers of the members that are no id. */
PyObject *find_odd_ids(PyObject *Py_UNUSED(module), PyObject *list)
{
    Py_ssize_t place;
    PyObject *rows;
    Id id;
    if (!PyList_CheckExact(list))
        Py_RETURN_NONE;
    rows = PyList_New(0);
    for (place = 0; rows && place < length(list); place++)
        if ((!read_id(item(list, place), &id) || id.is_blank) && append_row(rows, place))
            Py_CLEAR(rows);
    return rows;
}

PyObject *find_odd_truths(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return find_odd(lists, kinds_in_groups);
}
