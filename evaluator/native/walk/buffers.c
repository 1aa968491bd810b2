/* Texts in a buffer: check them, decode them. */

#include "walk.h"

static int is_ascii(Text text)
{
    unsigned char all = 0;
    size_t place;
    for (place = 0; place < text.size; place++)
        all |= (unsigned char)text.characters[place];
    return all < 128;
}

/* Whether all texts are within the data, are ASCII and begin with a visible character. */
static int are_plain(const Texts *texts)
{
    int64_t number, count = count_of(&texts->offsets) - 1;
    Text text;
    for (number = 0; number < count; number++)
        if (text_at(texts, number, &text) || !text.size || text.characters[0] <= ' ' ||
            !is_ascii(text))
            return 0;
    return 1;
}

PyObject *are_plain_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Texts texts;
    int plain;
    if (!PyArg_ParseTuple(arguments, "y*y*", &texts.offsets, &texts.data))
        return NULL;
    plain = are_plain(&texts);
    release(&texts);
    return PyBool_FromLong(plain);
}

static int add_string(PyObject *list, const Texts *texts, int64_t number)
{
    Text text;
    PyObject *string;
    int failed;
    if (text_at(texts, number, &text))
        return out_of_range();
    string = PyUnicode_FromStringAndSize(text.characters, (Py_ssize_t)text.size);
    failed = !string || PyList_Append(list, string);
    Py_XDECREF(string);
    return failed ? -1 : 0;
}

static PyObject *strings_of(const Texts *texts, int64_t start, int64_t end)
{
    int64_t number;
    PyObject *list;
    if (!is_range(texts, start, end)) {
        out_of_range();
        return NULL;
    }
    list = PyList_New(0);
    for (number = start; list && number < end; number++)
        if (add_string(list, texts, number))
            Py_CLEAR(list);
    return list;
}

PyObject *decode_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Texts texts;
    Py_ssize_t start, end;
    PyObject *list;
    if (!PyArg_ParseTuple(arguments, "y*y*nn", &texts.offsets, &texts.data, &start, &end))
        return NULL;
    list = strings_of(&texts, start, end);
    release(&texts);
    return list;
}

static PyObject *lists_of(const Texts *texts, const Py_buffer *starts, const Py_buffer *ends)
{
    Py_ssize_t row;
    PyObject *list, *lists = PyList_New(0);
    for (row = 0; lists && row < count_of(starts); row++) {
        list = strings_of(texts, number_at(starts, row), number_at(ends, row));
        if (!list || PyList_Append(lists, list))
            Py_CLEAR(lists);
        Py_XDECREF(list);
    }
    return lists;
}

PyObject *decode_lists(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Texts texts;
    Py_buffer starts, ends;
    PyObject *lists = NULL;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*", &starts, &ends, &texts.offsets, &texts.data))
        return NULL;
    if (count_of(&starts) == count_of(&ends))
        lists = lists_of(&texts, &starts, &ends);
    else
        out_of_range();
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    release(&texts);
    return lists;
}
