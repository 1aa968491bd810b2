/* The lines of a TREC run: query, Q0, document, rank, score and tag, between white space. */

#include "walk.h"
#include <math.h>

#define CELLS 6
#define LONGEST_NUMBER 40
/* Whole numbers from here on are not told apart by doubles. */
#define EXACT 9007199254740992.0

typedef struct {
    const char *start;
    Py_ssize_t size;
} Cell;

/* The rows so far; the last one has the lines of `query`, and is still open. */
typedef struct {
    PyObject *rows, *documents, *scores;
    Cell query;
} Run;

static int is_space(char sign) { return sign == ' ' || ('\t' <= sign && sign <= '\r'); }

/* The cells of the line that begins here, of which the first few are kept; where it ends. */
static const char *cut(const char *place, const char *end, Cell cells[CELLS], int *count)
{
    *count = 0;
    for (;;) {
        const char *start;
        while (place < end && *place != '\n' && is_space(*place))
            place++;
        if (place == end || *place == '\n')
            return place;
        start = place;
        while (place < end && !is_space(*place))
            place++;
        if (*count < CELLS)
            cells[*count] = (Cell){start, place - start};
        ++*count;
    }
}

/* 1 for a finite number, 0 for anything else; -1 with an error that is not about the text. */
static int number_of(Cell cell, double *number)
{
    char text[LONGEST_NUMBER + 1], *behind;
    if (cell.size > LONGEST_NUMBER)
        return 0;
    memcpy(text, cell.start, (size_t)cell.size);
    text[cell.size] = 0;
    *number = PyOS_string_to_double(text, &behind, NULL);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    return behind == text + cell.size && isfinite(*number) && fabs(*number) < EXACT;
}

/* The text of a cell; NULL without an error if it is not UTF-8. */
static PyObject *string_of(Cell cell)
{
    PyObject *text = PyUnicode_DecodeUTF8(cell.start, cell.size, NULL);
    if (!text && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
        PyErr_Clear();
    return text;
}

/* Add what is new to a list, which owns it then: 1, or 0 if there is nothing new. */
static int put(PyObject *list, PyObject *value)
{
    int failed;
    if (!value)
        return PyErr_Occurred() ? -1 : 0;
    failed = PyList_Append(list, value);
    Py_DECREF(value);
    return failed ? -1 : 1;
}

/* A new row for the lines of a query, of which this is the first. */
static int open_row(Run *run, Cell query, long long line)
{
    PyObject *name = string_of(query), *row;
    if (!name)
        return PyErr_Occurred() ? -1 : 0;
    row = Py_BuildValue("(NL[][])", name, line);
    if (!row)
        return -1;
    run->documents = PyTuple_GET_ITEM(row, 2);
    run->scores = PyTuple_GET_ITEM(row, 3);
    run->query = query;
    return put(run->rows, row);
}

/* Take a line: 1, or 0 if it needs a closer look, or -1 with an error. */
static int take(Run *run, const Cell cells[CELLS], long long line)
{
    double score;
    Cell query = cells[0];
    int done = number_of(cells[4], &score);
    if (done < 1)
        return done;
    if (!run->documents || query.size != run->query.size ||
        memcmp(query.start, run->query.start, (size_t)query.size))
        done = open_row(run, query, line);
    if (done == 1)
        done = put(run->documents, string_of(cells[2]));
    if (done == 1)
        done = put(run->scores, PyFloat_FromDouble(score));
    return done;
}

static int take_all(Run *run, const char *place, const char *end, long long line)
{
    Cell cells[CELLS];
    int count, done = 1;
    for (; place < end && done == 1; place++, line++) {
        place = cut(place, end, cells, &count);
        if (count)
            done = count == CELLS ? take(run, cells, line) : 0;
    }
    return done;
}

PyObject *run_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    const char *block;
    Py_ssize_t size;
    long long first;
    Run run = {0};
    int done;
    if (!PyArg_ParseTuple(arguments, "y#L", &block, &size, &first) || !(run.rows = PyList_New(0)))
        return NULL;
    done = take_all(&run, block, block + size, first);
    if (done == 1)
        return run.rows;
    Py_DECREF(run.rows);
    if (done < 0)
        return NULL;
    Py_RETURN_NONE;
}
