/* Hashes of ids and texts; and clean ground truths, which cannot break a rule by themselves. */

#include "walk.h"

/* Per query; in larger ones repeated ids are looked for in Python, with sets. */
#define MOST_CLEAN 64

/* Add Python's hash of a text; hashing a string cannot fail. */
static int append_hash(Column *hashes, PyObject *text)
{
    return append(hashes, PyObject_Hash(text));
}

/* Return the hashes of all texts; None if one of them fails the check. */
static PyObject *hashes_if(PyObject *texts, int (*holds)(PyObject *))
{
    Py_ssize_t place;
    int failed = 0;
    PyObject *answer = NULL;
    Column column = {0};
    if (!PyList_CheckExact(texts))
        Py_RETURN_NONE;
    for (place = 0; place < length(texts) && holds(item(texts, place)) && !failed; place++)
        failed = append_hash(&column, item(texts, place));
    if (!failed)
        answer = place < length(texts) ? Py_NewRef(Py_None) : as_bytes(&column);
    PyMem_Free(column.numbers);
    return answer;
}

PyObject *hash_texts(PyObject *Py_UNUSED(module), PyObject *texts)
{
    return hashes_if(texts, is_text);
}

/* Visible ASCII without a space, and if `lower`, without a capital letter. */
static int is_clean(PyObject *id, int lower)
{
    const unsigned char *characters;
    unsigned char odd = 0;
    Py_ssize_t place, size;
    if (!is_text(id) || !PyUnicode_IS_ASCII(id) || !PyUnicode_GET_LENGTH(id))
        return 0;
    characters = PyUnicode_DATA(id);
    size = PyUnicode_GET_LENGTH(id);
    for (place = 0; place < size; place++) {
        unsigned char one = characters[place];
        odd |= (unsigned char)(one - 33) > 126 - 33;
        odd |= lower & ((unsigned char)(one - 'A') < 26);
    }
    return !odd;
}

static int is_clean_name(PyObject *id) { return is_clean(id, 0); }

PyObject *hash_clean_texts(PyObject *Py_UNUSED(module), PyObject *ids)
{
    return hashes_if(ids, is_clean_name);
}

/* Upper limits of a clean ground truth: its groups, the alternatives of a group, and either of them
   if an id has a single character (`single`), which may come from a word that was split. */
typedef struct {
    Py_ssize_t groups, alternatives, single;
} Limits;

static int is_new(const Column *hashes, Py_ssize_t first)
{
    Py_ssize_t place;
    for (place = first; place < hashes->count - 1; place++)
        if (hashes->numbers[place] == hashes->numbers[hashes->count - 1])
            return 0;
    return 1;
}

/* Add the hashes of a group; 1 if it is clean, 0 if it may not be, -1 on an error. */
static int add_clean_group(PyObject *group, const Limits *limits, int many, Py_ssize_t first,
                           Column *hashes)
{
    Py_ssize_t place, size;
    if (!PyList_CheckExact(group) || !length(group) || length(group) > limits->alternatives)
        return 0;
    size = length(group);
    many |= size >= limits->single;
    for (place = 0; place < size; place++) {
        PyObject *id = item(group, place);
        if (!is_clean(id, 1) || (many && PyUnicode_GET_LENGTH(id) == 1))
            return 0;
        if (append_hash(hashes, id))
            return -1;
        if (hashes->count - first > MOST_CLEAN || !is_new(hashes, first))
            return 0;
    }
    return 1;
}

/* Add the hashes of a ground truth, and the sizes of its groups; answers as for a group. */
static int add_clean_truth(PyObject *truth, const Limits *limits, Column *hashes, PyObject *shapes)
{
    char sizes[256];
    int clean = 1, many;
    PyObject *shape;
    Py_ssize_t group, first = hashes->count;
    if (!PyList_CheckExact(truth) || !length(truth) || length(truth) > limits->groups ||
        length(truth) > (Py_ssize_t)sizeof sizes)
        return 0;
    many = length(truth) >= limits->single;
    for (group = 0; group < length(truth) && clean > 0; group++) {
        clean = add_clean_group(item(truth, group), limits, many, first, hashes);
        sizes[group] = clean > 0 ? (char)length(item(truth, group)) : 0;
    }
    if (clean <= 0)
        return clean;
    shape = PyBytes_FromStringAndSize(sizes, group);
    if (!shape || PyList_Append(shapes, shape))
        clean = -1;
    Py_XDECREF(shape);
    return clean;
}

/* Add all ground truths; those that are not clean go to `odd`, or end it if that is NULL. Answers as
   for a group: 0 if it ended. */
static int add_clean_truths(PyObject *truths, const Limits *limits, Column *hashes,
                            PyObject *shapes, PyObject *odd)
{
    Py_ssize_t row;
    for (row = 0; row < length(truths); row++) {
        Py_ssize_t before = hashes->count;
        int clean = add_clean_truth(item(truths, row), limits, hashes, shapes);
        if (clean < 0 || (!clean && !odd))
            return clean;
        if (clean)
            continue;
        hashes->count = before;
        if (append_row(odd, row))
            return -1;
    }
    return 1;
}

/* Return the sizes and hashes of clean ground truths: of all or None, or of some and `odd`. */
static PyObject *sort_truths(PyObject *arguments, PyObject *odd)
{
    PyObject *truths, *shapes, *answer = NULL;
    Limits limits;
    Column hashes = {0};
    int clean;
    if (!PyArg_ParseTuple(arguments, "O!nnn", &PyList_Type, &truths, &limits.groups,
                          &limits.alternatives, &limits.single))
        return NULL;
    shapes = PyList_New(0);
    if (!shapes)
        return NULL;
    clean = add_clean_truths(truths, &limits, &hashes, shapes, odd);
    if (clean > 0)
        answer = odd ? Py_BuildValue("(ONO)", shapes, as_bytes(&hashes), odd)
                     : Py_BuildValue("(ON)", shapes, as_bytes(&hashes));
    else if (clean == 0)
        answer = Py_NewRef(Py_None);
    Py_DECREF(shapes);
    PyMem_Free(hashes.numbers);
    return answer;
}

PyObject *hash_clean_truths(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    return sort_truths(arguments, NULL);
}

PyObject *sort_out_truths(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *odd = PyList_New(0), *answer;
    if (!odd)
        return NULL;
    answer = sort_truths(arguments, odd);
    Py_DECREF(odd);
    return answer;
}
