/* Lines of a TREC run: query, Q0, document, rank, score and tag, separated by white space.
 *
 * As in trec_eval 10, words after the tag are ignored, and lines that begin with # are comments. */

#include "walk.h"
#include <math.h>

#define CELLS 6
#define LONGEST_NUMBER 40
/* From here on doubles cannot represent every whole number. */
#define EXACT 9007199254740992.0

typedef struct {
    const char *start;
    Py_ssize_t size;
} Cell;

/* The rows so far; the last one belongs to `query` and is still open. */
typedef struct {
    PyObject *rows, *documents, *scores;
    Cell query;
} Run;

static int is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/* Split a line into cells, of which the first few are kept; return where the line ends. */
static const char *split_line(const char *place, const char *end, Cell cells[CELLS], int *count)
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
        *count += *count <= CELLS; /* one too many is enough to know */
    }
}

/* Parse a number: 1 if it is finite, 0 if not or if it is no number, -1 on another error. */
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

/* Decode a cell; NULL without an exception if it is not UTF-8. */
static PyObject *string_of(Cell cell)
{
    PyObject *text = PyUnicode_DecodeUTF8(cell.start, cell.size, NULL);
    if (!text && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
        PyErr_Clear();
    return text;
}

/* Move a value into a list: 1, or 0 if it is NULL without an exception, or -1 on error. */
static int append_new(PyObject *list, PyObject *value)
{
    int failed;
    if (!value)
        return PyErr_Occurred() ? -1 : 0;
    failed = PyList_Append(list, value);
    Py_DECREF(value);
    return failed ? -1 : 1;
}

/* Open a row for a query, whose first line this is. */
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
    return append_new(run->rows, row);
}

/* Add a line: 1, or 0 if it is irregular, or -1 on error. */
static int add_line(Run *run, const Cell cells[CELLS], long long line)
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
        done = append_new(run->documents, string_of(cells[2]));
    if (done == 1)
        done = append_new(run->scores, PyFloat_FromDouble(score));
    return done;
}

static int add_lines(Run *run, const char *place, const char *end, long long line)
{
    Cell cells[CELLS];
    int count, done = 1;
    for (; place < end && done == 1; line++) {
        place = split_line(place, end, cells, &count);
        place += place < end;
        if (count && *cells[0].start != '#')
            done = count >= CELLS ? add_line(run, cells, line) : 0;
    }
    return done;
}

PyObject *parse_run_lines(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    const char *block;
    Py_ssize_t size;
    long long first;
    Run run = {0};
    int done;
    if (!PyArg_ParseTuple(arguments, "y#L", &block, &size, &first))
        return NULL;
    if (first > LLONG_MAX - size || !(run.rows = PyList_New(0)))
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    done = add_lines(&run, block, block + size, first);
    if (done == 1)
        return run.rows;
    Py_DECREF(run.rows);
    if (done < 0)
        return NULL;
    Py_RETURN_NONE;
}
