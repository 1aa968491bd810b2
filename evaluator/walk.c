/* The walk over ids: what is done for every id of every record, at the speed of memory.

   Everything here has a twin in Python, which is taken where this could not be built, and which
   takes what this leaves: ids that are not plain strings, very many alternatives, ids listed twice.
   Nothing here calls back into Python while it walks, so no list can change under it. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define MOST_ALTERNATIVES 64 /* of one query; more are left to Python, whose sets do not slow down */

/* ---- lists and texts ---- */

static Py_ssize_t length(PyObject *list) { return PyList_GET_SIZE(list); }

static PyObject *item(PyObject *list, Py_ssize_t place) { return PyList_GET_ITEM(list, place); }

/* A string of Python's own type, with its characters in place. */
static int is_text(PyObject *value)
{
#if PY_VERSION_HEX < 0x030C0000
    return PyUnicode_CheckExact(value) && PyUnicode_IS_READY(value);
#else
    return PyUnicode_CheckExact(value);
#endif
}

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

/* Whether all members are lists of what is asked for, and at least one of them holds something. */
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

static PyObject *are_rankings(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return all_lists_of(lists, are_ids_in);
}

static PyObject *are_truths(PyObject *Py_UNUSED(module), PyObject *lists)
{
    return all_lists_of(lists, are_groups_in);
}

/* ---- columns of numbers, handed to Python as bytes ---- */

typedef struct {
    int64_t *numbers;
    Py_ssize_t count, room;
} Column;

static int append(Column *column, int64_t number)
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

static PyObject *as_bytes(const Column *column)
{
    Py_ssize_t size = column->count * (Py_ssize_t)sizeof(int64_t);
    return PyBytes_FromStringAndSize((const char *)column->numbers, size);
}

/* ---- ids that are looked for ---- */

/* The characters of an id. Equal strings have equal characters of equal width. */
typedef struct {
    const char *characters;
    size_t size;
    int width;
} Text;

static Text text_of(PyObject *id)
{
    int width = PyUnicode_KIND(id);
    return (Text){PyUnicode_DATA(id), (size_t)PyUnicode_GET_LENGTH(id) * (size_t)width, width};
}

static int are_equal(Text one, Text other)
{
    return one.size == other.size && one.width == other.width &&
           !memcmp(one.characters, other.characters, one.size);
}

/* A number that tells most texts apart by their length and their first and last characters. */
static uint64_t sketch_of(Text text)
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

/* The alternatives of one query. `bits` has a bit for each sketch, and rules out most results. */
typedef struct {
    Text texts[MOST_ALTERNATIVES];
    uint64_t sketches[MOST_ALTERNATIVES];
    uint64_t bits;
    int count;
} Wanted;

static int place_of(const Wanted *wanted, Text text)
{
    int place;
    uint64_t sketch = sketch_of(text);
    if (!(wanted->bits >> (sketch & 63) & 1))
        return -1;
    for (place = 0; place < wanted->count; place++)
        if (wanted->sketches[place] == sketch && are_equal(wanted->texts[place], text))
            return place;
    return -1;
}

/* Add an alternative; 0 if it cannot be looked for here. */
static int want(Wanted *wanted, PyObject *id)
{
    Text text;
    if (!is_text(id) || wanted->count == MOST_ALTERNATIVES)
        return 0;
    text = text_of(id);
    if (place_of(wanted, text) >= 0)
        return 0;
    wanted->texts[wanted->count] = text;
    wanted->sketches[wanted->count] = sketch_of(text);
    wanted->bits |= (uint64_t)1 << (wanted->sketches[wanted->count] & 63);
    wanted->count++;
    return 1;
}

/* Add the alternatives of all groups, and count them; `whole` says whether all could be added. */
static Py_ssize_t want_all(Wanted *wanted, PyObject *groups, int *whole)
{
    Py_ssize_t group, place, listed = 0;
    wanted->bits = 0;
    wanted->count = 0;
    *whole = 1;
    for (group = 0; group < length(groups); group++) {
        PyObject *ids = item(groups, group);
        listed += length(ids);
        for (place = 0; *whole && place < length(ids); place++)
            *whole = want(wanted, item(ids, place));
    }
    return listed;
}

/* ---- texts in one buffer, as Arrow has them: the nth is data[offsets[n]:offsets[n + 1]] ---- */

typedef struct {
    Py_buffer offsets, data;
} Texts;

static void release(Texts *texts)
{
    PyBuffer_Release(&texts->offsets);
    PyBuffer_Release(&texts->data);
}

static const int64_t *numbers(const Py_buffer *buffer) { return buffer->buf; }

static Py_ssize_t count_of(const Py_buffer *buffer)
{
    return buffer->len / (Py_ssize_t)sizeof(int64_t);
}

/* The text of a number, which must be there and within the data: -1 if not. */
static int text_at(const Texts *texts, int64_t number, Text *text)
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

static int out_of_range(void)
{
    PyErr_SetString(PyExc_ValueError, "a text is outside of its buffer");
    return -1;
}

static int is_ascii(Text text)
{
    unsigned char all = 0;
    size_t place;
    for (place = 0; place < text.size; place++)
        all |= (unsigned char)text.characters[place];
    return all < 128;
}

/* Whether all texts are within the data, are ASCII and begin with something that is seen. */
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

static PyObject *are_plain_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
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
    PyObject *list = PyList_New(0);
    for (number = start; list && number < end; number++)
        if (add_string(list, texts, number))
            Py_CLEAR(list);
    return list;
}

static PyObject *strings(PyObject *Py_UNUSED(module), PyObject *arguments)
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

static PyObject *string_lists(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Texts texts;
    Py_buffer starts, ends;
    Py_ssize_t row;
    PyObject *lists, *list;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*", &starts, &ends, &texts.offsets, &texts.data))
        return NULL;
    lists = PyList_New(0);
    for (row = 0; lists && row < count_of(&starts) && row < count_of(&ends); row++) {
        list = strings_of(&texts, numbers(&starts)[row], numbers(&ends)[row]);
        if (!list || PyList_Append(lists, list))
            Py_CLEAR(lists);
        Py_XDECREF(list);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    release(&texts);
    return lists;
}

/* ---- matching ---- */

/* Per query its number of results and of groups, per group its size, per hit rank and alternative. */
typedef struct {
    Column lengths, groups, sizes, ranks, alternatives;
} Found;

static void forget(Found *found)
{
    PyMem_Free(found->lengths.numbers);
    PyMem_Free(found->groups.numbers);
    PyMem_Free(found->sizes.numbers);
    PyMem_Free(found->ranks.numbers);
    PyMem_Free(found->alternatives.numbers);
}

static int note_shape(Found *found, PyObject *groups, Py_ssize_t results)
{
    Py_ssize_t group, count = length(groups);
    if (append(&found->lengths, results) || append(&found->groups, count))
        return -1;
    for (group = 0; group < count; group++)
        if (append(&found->sizes, length(item(groups, group))))
            return -1;
    return 0;
}

static int note_hit(Found *found, Py_ssize_t rank, Py_ssize_t alternative)
{
    return append(&found->ranks, rank) || append(&found->alternatives, alternative) ? -1 : 0;
}

/* The results of some queries: lists of ids, or texts in a buffer from one number to another. */
typedef struct {
    PyObject *lists;
    Texts texts;
    Py_buffer starts, ends;
} Rankings;

/* Note the rank of each id of a list that is wanted; 1 if all are texts, 0 if not, -1 on error. */
static int walk_list(PyObject *list, const Wanted *wanted, Py_ssize_t first, Found *found)
{
    Py_ssize_t place, ranks = found->ranks.count, size = length(list);
    for (place = 0; place < size; place++) {
        PyObject *id = item(list, place);
        int alternative;
        if (!is_text(id)) {
            found->ranks.count = found->alternatives.count = ranks;
            return 0;
        }
        alternative = place_of(wanted, text_of(id));
        if (alternative >= 0 && note_hit(found, place + 1, first + alternative))
            return -1;
    }
    return 1;
}

/* The same for texts in a buffer, all of which are texts. */
static int walk_texts(const Rankings *rankings, Py_ssize_t row, const Wanted *wanted,
                      Py_ssize_t first, Found *found)
{
    int64_t place, start = numbers(&rankings->starts)[row];
    int64_t size = numbers(&rankings->ends)[row] - start;
    Text text;
    for (place = 0; place < size; place++) {
        int alternative;
        if (text_at(&rankings->texts, start + place, &text))
            return out_of_range();
        alternative = place_of(wanted, text);
        if (alternative >= 0 && note_hit(found, (Py_ssize_t)place + 1, first + alternative))
            return -1;
    }
    return 1;
}

static Py_ssize_t rows_of(const Rankings *rankings)
{
    return rankings->lists ? length(rankings->lists) : count_of(&rankings->starts);
}

/* How many results a query has; -1 if they are not in a list. */
static Py_ssize_t results_of(const Rankings *rankings, Py_ssize_t row)
{
    int64_t size;
    if (rankings->lists) {
        PyObject *list = item(rankings->lists, row);
        return PyList_CheckExact(list) ? length(list) : -1;
    }
    size = numbers(&rankings->ends)[row] - numbers(&rankings->starts)[row];
    return size < 0 ? 0 : (Py_ssize_t)size;
}

static int walk(const Rankings *rankings, Py_ssize_t row, const Wanted *wanted, Py_ssize_t first,
                Found *found)
{
    if (rankings->lists)
        return walk_list(item(rankings->lists, row), wanted, first, found);
    return walk_texts(rankings, row, wanted, first, found);
}

static int are_lists(PyObject *groups)
{
    Py_ssize_t group;
    if (!PyList_CheckExact(groups))
        return 0;
    for (group = 0; group < length(groups); group++)
        if (!PyList_CheckExact(item(groups, group)))
            return 0;
    return 1;
}

static int leave(PyObject *left, Py_ssize_t row, Py_ssize_t first)
{
    PyObject *pair = Py_BuildValue("(nn)", row, first);
    int failed = !pair || PyList_Append(left, pair);
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

/* Match one query; its number of alternatives, or -1 on an error. */
static Py_ssize_t match(PyObject *groups, const Rankings *rankings, Py_ssize_t row,
                        Py_ssize_t first, Found *found, PyObject *left)
{
    Wanted wanted;
    Py_ssize_t listed, results = results_of(rankings, row);
    int whole, outcome;
    if (!are_lists(groups) || results < 0) {
        PyErr_SetString(PyExc_TypeError, "ground truths are lists of lists, rankings are lists");
        return -1;
    }
    if (note_shape(found, groups, results))
        return -1;
    listed = want_all(&wanted, groups, &whole);
    outcome = whole ? walk(rankings, row, &wanted, first, found) : 0;
    if (outcome < 0 || (outcome == 0 && leave(left, row, first)))
        return -1;
    return listed;
}

static int match_all(PyObject *truths, const Rankings *rankings, Py_ssize_t *first, Found *found,
                     PyObject *left)
{
    Py_ssize_t row;
    for (row = 0; row < length(truths) && row < rows_of(rankings); row++) {
        Py_ssize_t listed = match(item(truths, row), rankings, row, *first, found, left);
        if (listed < 0)
            return -1;
        *first += listed;
    }
    return 0;
}

/* The columns of what was found, the number after the last alternative, and the rows left. */
static PyObject *matches(PyObject *truths, const Rankings *rankings, Py_ssize_t first)
{
    PyObject *answer = NULL, *left = PyList_New(0);
    Found found = {{0}, {0}, {0}, {0}, {0}};
    if (left && !match_all(truths, rankings, &first, &found, left))
        answer = Py_BuildValue("(NNNNNnO)", as_bytes(&found.lengths), as_bytes(&found.groups),
                               as_bytes(&found.sizes), as_bytes(&found.ranks),
                               as_bytes(&found.alternatives), first, left);
    Py_XDECREF(left);
    forget(&found);
    return answer;
}

static PyObject *matched(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths;
    Py_ssize_t first;
    Rankings rankings = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!n", &PyList_Type, &truths, &PyList_Type,
                          &rankings.lists, &first))
        return NULL;
    return matches(truths, &rankings, first);
}

static PyObject *matched_texts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths, *answer = NULL;
    Py_ssize_t first;
    Rankings rankings = {0};
    if (!PyArg_ParseTuple(arguments, "O!y*y*y*y*n", &PyList_Type, &truths, &rankings.starts,
                          &rankings.ends, &rankings.texts.offsets, &rankings.texts.data, &first))
        return NULL;
    if (count_of(&rankings.starts) == count_of(&rankings.ends))
        answer = matches(truths, &rankings, first);
    else
        out_of_range();
    PyBuffer_Release(&rankings.starts);
    PyBuffer_Release(&rankings.ends);
    release(&rankings.texts);
    return answer;
}

/* ---- hashes: what is kept of ids and texts to find those that come twice ---- */

/* Add the hash that Python gives the text; it has no error, for a string always has one. */
static int append_hash(Column *hashes, PyObject *text)
{
    return append(hashes, PyObject_Hash(text));
}

/* The hashes of all texts; None if one of them is not as asked. */
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

static PyObject *text_hashes(PyObject *Py_UNUSED(module), PyObject *texts)
{
    return hashes_if(texts, is_text);
}

/* ---- what is clean: certain to break no rule of validation by itself ---- */

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

static PyObject *clean_hashes(PyObject *Py_UNUSED(module), PyObject *ids)
{
    return hashes_if(ids, is_clean_name);
}

/* What is too much in a ground truth: `groups`, `alternatives` of one group, and as many of either
   with an id of a single character (`single`), which may be a word that was split. */
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
        if (hashes->count - first > MOST_ALTERNATIVES || !is_new(hashes, first))
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

static PyObject *clean_truths(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *truths, *shapes, *answer = NULL;
    Limits limits;
    Column hashes = {0};
    Py_ssize_t row;
    int clean = 1;
    if (!PyArg_ParseTuple(arguments, "O!nnn", &PyList_Type, &truths, &limits.groups,
                          &limits.alternatives, &limits.single))
        return NULL;
    shapes = PyList_New(0);
    if (!shapes)
        return NULL;
    for (row = 0; row < length(truths) && clean > 0; row++)
        clean = add_clean_truth(item(truths, row), &limits, &hashes, shapes);
    if (clean > 0)
        answer = Py_BuildValue("(ON)", shapes, as_bytes(&hashes));
    else if (clean == 0)
        answer = Py_NewRef(Py_None);
    Py_DECREF(shapes);
    PyMem_Free(hashes.numbers);
    return answer;
}

/* ---- keys of JSON text ---- */

static int is_space(char one) { return one == ' ' || one == '\t' || one == '\r' || one == '\n'; }

static int follows_quote(const char *start, const char *colon)
{
    while (colon > start && is_space(colon[-1]))
        colon--;
    return colon > start && colon[-1] == '"';
}

static PyObject *ends_of_keys(PyObject *Py_UNUSED(module), PyObject *text)
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

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"are_plain_texts", are_plain_texts, METH_VARARGS, "Whether all are ASCII, and not blank."},
    {"are_rankings", are_rankings, METH_O, "Whether all are lists of non-blank strings."},
    {"are_truths", are_truths, METH_O, "Whether all are lists of non-empty lists of such."},
    {"clean_hashes", clean_hashes, METH_O, "The hashes of texts; None if one may be odd."},
    {"clean_truths", clean_truths, METH_VARARGS, "Shapes and hashes; None if one may be odd."},
    {"ends_of_keys", ends_of_keys, METH_O, "How many keys end in a text, and objects begin."},
        {"matched", matched, METH_VARARGS, "The shape and the hits of some queries, in columns."},
    {"matched_texts", matched_texts, METH_VARARGS, "The same for texts in a buffer."},
    {"string_lists", string_lists, METH_VARARGS, "Lists of texts of a buffer as strings."},
    {"strings", strings, METH_VARARGS, "The texts of a buffer as strings, from one to another."},
    {"text_hashes", text_hashes, METH_O, "The hashes of strings; None if one is not a string."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_walk",
    .m_doc = "The walk over ids.",
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__walk(void) { return PyModuleDef_Init(&definition); }
