/* Rankings in JSON text: lists of plain strings are cut out of it and packed into a buffer, so that
 * no object is created for their ids. What is left of the text is parsed as ever.
 *
 * A cut list is the value of a key of the name, provided that the rest of the text is JSON: a quote
 * without a backslash before it would end a string, after which no name may follow. */

#include "walk.h"

/* Where a text is read, and where it ends. Lists may go on over lines only if `lines`. */
typedef struct {
    const char *place, *end;
    int lines;
} Cursor;

/* What has been packed: the characters of ids, where each begins, and the first id of each list. If
   lists that are not plain are left in the text (`sorts`), also where each list was, and its line. */
typedef struct {
    PyObject *data, *rest;
    Py_ssize_t size, kept;
    int sorts;
    int64_t line;
    Column offsets, borders, places, lines;
} Packed;

static void skip_space(Cursor *cursor)
{
    while (cursor->place < cursor->end &&
           (*cursor->place == ' ' || *cursor->place == '\t' ||
            (cursor->lines && (*cursor->place == '\n' || *cursor->place == '\r'))))
        cursor->place++;
}

/* Pass a character, and space before it: 1 if it is there. */
static int pass(Cursor *cursor, char expected)
{
    skip_space(cursor);
    if (cursor->place == cursor->end || *cursor->place != expected)
        return 0;
    cursor->place++;
    return 1;
}

static inline int is_special(char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; }

/* `mark_special` marks the bytes of a chunk that are not printable ASCII, a quote or a backslash;
   the first one that is marked is such a byte. `count_plain` returns how many are before it. */
#if defined(__SSE2__)

#include <emmintrin.h>
#define CHUNK 16
typedef int Marks;

static inline Marks mark_special(const char *place)
{
    __m128i chunk = _mm_loadu_si128((const __m128i *)place);
    __m128i marks = _mm_cmplt_epi8(chunk, _mm_set1_epi8(' ')); /* and bytes from 128 on */
    marks = _mm_or_si128(marks, _mm_cmpeq_epi8(chunk, _mm_set1_epi8('"')));
    marks = _mm_or_si128(marks, _mm_cmpeq_epi8(chunk, _mm_set1_epi8('\\')));
    return _mm_movemask_epi8(_mm_or_si128(marks, _mm_cmpeq_epi8(chunk, _mm_set1_epi8(127))));
}

#else

#define CHUNK 8
#define EVERY_BYTE(one) (~(uint64_t)0 / 255 * (one))
typedef uint64_t Marks;

static inline Marks mark_special(const char *place)
{
    uint64_t word, quote, slash, marks;
    memcpy(&word, place, sizeof word);
    quote = word ^ EVERY_BYTE('"');
    slash = word ^ EVERY_BYTE('\\');
    marks = ((word - EVERY_BYTE(' ')) & ~word) | (word + EVERY_BYTE(1)) | word;
    marks |= ((quote - EVERY_BYTE(1)) & ~quote) | ((slash - EVERY_BYTE(1)) & ~slash);
    return marks & EVERY_BYTE(128);
}

#endif

static inline Py_ssize_t count_plain(const char *place, Marks marks)
{
#if defined(__SSE2__) && defined(__GNUC__)
    (void)place;
    return __builtin_ctz((unsigned)marks);
#elif defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)place;
    return __builtin_ctzll(marks) >> 3;
#else
    Py_ssize_t count = 0;
    (void)marks;
    while (!is_special(place[count]))
        count++;
    return count;
#endif
}

/* Copy characters up to a special one; there is as much room as there is text. */
static void copy_plain(Cursor *cursor, Packed *packed)
{
    const char *place = cursor->place;
    char *target = PyBytes_AS_STRING(packed->data) + packed->size;
    for (; cursor->end - place >= CHUNK; place += CHUNK, target += CHUNK) {
        Marks marks = mark_special(place);
        memcpy(target, place, CHUNK);
        if (marks) {
            Py_ssize_t count = count_plain(place, marks);
            place += count;
            target += count;
            break;
        }
    }
    while (place < cursor->end && !is_special(*place))
        *target++ = *place++;
    cursor->place = place;
    packed->size = target - PyBytes_AS_STRING(packed->data);
}

/* Pack a string: 1, or 0 if it is not plain or begins with a space, or -1 on error. */
static int pack_string(Cursor *cursor, Packed *packed)
{
    if (!pass(cursor, '"') || cursor->place == cursor->end || *cursor->place == ' ' ||
        *cursor->place == '"')
        return 0;
    copy_plain(cursor, packed);
    if (cursor->place == cursor->end || *cursor->place != '"')
        return 0;
    cursor->place++;
    return append(&packed->offsets, packed->size) ? -1 : 1;
}

/* Pack a list whose bracket has been passed; answers as for a string. */
static int pack_list(Cursor *cursor, Packed *packed)
{
    int done = 1;
    if (!pass(cursor, ']')) {
        do
            done = pack_string(cursor, packed);
        while (done == 1 && pass(cursor, ','));
        if (done == 1)
            done = pass(cursor, ']');
    }
    if (done == 1 && append(&packed->borders, packed->offsets.count - 1))
        return -1;
    return done;
}

static void keep(Packed *packed, const char *start, const char *end)
{
    memcpy(PyBytes_AS_STRING(packed->rest) + packed->kept, start, (size_t)(end - start));
    packed->kept += end - start;
}

/* Find the next quoted name from a place on; NULL if there is none. */
static const char *find_name(Cursor cursor, const char *name, Py_ssize_t size)
{
    while (cursor.end - cursor.place >= size &&
           (cursor.place = memchr(cursor.place, '"', (size_t)(cursor.end - cursor.place)))) {
        if (cursor.end - cursor.place >= size && !memcmp(cursor.place, name, (size_t)size))
            return cursor.place;
        cursor.place++;
    }
    return NULL;
}

/* Pack the list that follows a name, if it is plain; answers as for a string. */
static int pack_value(Cursor *cursor, int is_escaped, Packed *packed)
{
    Py_ssize_t size = packed->size, count = packed->offsets.count;
    int done = !is_escaped && pass(cursor, '[') ? pack_list(cursor, packed) : 0;
    if (!done) {
        packed->size = size;
        packed->offsets.count = count;
    }
    return done;
}

/* Note where a list was that has been cut, and the number of its line. */
static int note_place(Packed *packed, const char *start, const char *from, const char *list)
{
    for (const char *end; (end = memchr(from, '\n', (size_t)(list - from))); from = end + 1)
        packed->line++;
    return append(&packed->places, list - start) || append(&packed->lines, packed->line) ? -1 : 1;
}

/* Cut all lists that are values of a name: 1, or 0 if one of them is not plain, -1 on error. */
static int cut_lists(Cursor cursor, const char *name, Py_ssize_t size, Packed *packed)
{
    const char *start = cursor.place, *from = start, *found, *list;
    while ((found = find_name(cursor, name, size))) {
        int done;
        cursor.place = found + size;
        if (!pass(&cursor, ':'))
            continue;
        skip_space(&cursor);
        list = cursor.place;
        done = pack_value(&cursor, found > start && found[-1] == '\\', packed);
        if (done == 1 && packed->sorts)
            done = note_place(packed, start, from, list);
        if (done < 0 || (!done && !packed->sorts))
            return done;
        if (done) {
            keep(packed, from, list + 1);
            from = cursor.place - 1;
        }
    }
    keep(packed, from, cursor.end);
    return 1;
}

/* Return the rest of the text, the first ids of lists, where ids begin, and their characters; if
   lists were left in the text, also where the others were, and their lines. */
static PyObject *build_packed(Packed *packed)
{
    if (_PyBytes_Resize(&packed->data, packed->size) || _PyBytes_Resize(&packed->rest, packed->kept))
        return NULL;
    if (!packed->sorts)
        return Py_BuildValue("(ONNO)", packed->rest, as_bytes(&packed->borders),
                             as_bytes(&packed->offsets), packed->data);
    return Py_BuildValue("(ONNONN)", packed->rest, as_bytes(&packed->borders),
                         as_bytes(&packed->offsets), packed->data, as_bytes(&packed->places),
                         as_bytes(&packed->lines));
}

static PyObject *pack_text(Cursor cursor, const char *name, Py_ssize_t size, int sorts)
{
    Packed packed = {.sorts = sorts};
    PyObject *answer = NULL;
    int done = -1;
    packed.data = PyBytes_FromStringAndSize(NULL, cursor.end - cursor.place);
    packed.rest = PyBytes_FromStringAndSize(NULL, cursor.end - cursor.place);
    if (packed.data && packed.rest && !append(&packed.offsets, 0) && !append(&packed.borders, 0))
        done = cut_lists(cursor, name, size, &packed);
    if (done >= 0)
        answer = done ? build_packed(&packed) : Py_NewRef(Py_None);
    PyMem_Free(packed.offsets.numbers);
    PyMem_Free(packed.borders.numbers);
    PyMem_Free(packed.places.numbers);
    PyMem_Free(packed.lines.numbers);
    Py_XDECREF(packed.data);
    Py_XDECREF(packed.rest);
    return answer;
}

static PyObject *pack_buffer(Py_buffer *text, const char *name, Py_ssize_t size, int lines, int sorts)
{
    Cursor cursor = {bytes_of(text), bytes_of(text) + text->len, lines};
    if (size)
        return pack_text(cursor, name, size, sorts);
    PyErr_SetString(PyExc_ValueError, "a name cannot be empty");
    return NULL;
}

PyObject *pack_rankings(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Py_buffer text;
    const char *name;
    Py_ssize_t size;
    int lines;
    PyObject *answer;
    if (!PyArg_ParseTuple(arguments, "y*y#p", &text, &name, &size, &lines))
        return NULL;
    answer = pack_buffer(&text, name, size, lines, 0);
    PyBuffer_Release(&text);
    return answer;
}

PyObject *pack_plain_rankings(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Py_buffer text;
    const char *name;
    Py_ssize_t size;
    PyObject *answer;
    if (!PyArg_ParseTuple(arguments, "y*y#", &text, &name, &size))
        return NULL;
    answer = pack_buffer(&text, name, size, 0, 1);
    PyBuffer_Release(&text);
    return answer;
}

/* ---- the same lists, and lists of them, dropped: for a reading that has no use for ids ---- */

#define NESTED 8 /* lists within each other; those in more are kept */

/* Pass a string of printable ASCII without escapes: 1 if there is one. */
static int pass_string(Cursor *cursor)
{
    const char *place;
    if (!pass(cursor, '"'))
        return 0;
    place = cursor->place;
    while (cursor->end - place >= CHUNK) {
        Marks marks = mark_special(place);
        if (marks) {
            place += count_plain(place, marks);
            break;
        }
        place += CHUNK;
    }
    while (place < cursor->end && !is_special(*place))
        place++;
    cursor->place = place;
    return pass(cursor, '"') && cursor->place == place + 1;
}

/* Pass what follows a value in lists of some depth: the brackets that close, and a comma unless all
   are closed. Return the depth, or -1 if something else follows. */
static int pass_closing(Cursor *cursor, int depth)
{
    while (depth && pass(cursor, ']'))
        depth--;
    return !depth || pass(cursor, ',') ? depth : -1;
}

/* Pass a list of plain strings, or of such lists, whose bracket has been passed: 1 if it is one. */
static int pass_list(Cursor *cursor)
{
    int depth = 1, is_open = 1;
    while (depth > 0) {
        if (pass(cursor, '[')) {
            is_open = 1;
            if (++depth > NESTED)
                return 0;
            continue;
        }
        if (is_open && pass(cursor, ']'))
            depth--; /* an empty list is a value */
        else if (!pass_string(cursor))
            return 0;
        is_open = 0;
        depth = pass_closing(cursor, depth);
    }
    return depth == 0;
}

/* Copy a text without the content of plain lists that are values of a name; return the size. */
static Py_ssize_t copy_without(Cursor cursor, const char *name, Py_ssize_t size, char *target)
{
    const char *start = cursor.place, *from = start, *found;
    char *begin = target;
    while ((found = find_name(cursor, name, size))) {
        Cursor ahead = {found + size, cursor.end, 0};
        cursor.place = found + size;
        if ((found > start && found[-1] == '\\') || !pass(&ahead, ':') || !pass(&ahead, '['))
            continue;
        cursor.place = ahead.place;
        if (!pass_list(&ahead))
            continue;
        memcpy(target, from, (size_t)(cursor.place - from));
        target += cursor.place - from;
        from = ahead.place - 1;
        cursor.place = ahead.place;
    }
    memcpy(target, from, (size_t)(cursor.end - from));
    return target + (cursor.end - from) - begin;
}

PyObject *drop_lists(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    const char *text, *name;
    Py_ssize_t length, size;
    PyObject *rest;
    if (!PyArg_ParseTuple(arguments, "y#y#", &text, &length, &name, &size))
        return NULL;
    if (!size) {
        PyErr_SetString(PyExc_ValueError, "a name cannot be empty");
        return NULL;
    }
    rest = PyBytes_FromStringAndSize(NULL, length);
    if (rest) {
        Cursor cursor = {text, text + length, 0};
        length = copy_without(cursor, name, size, PyBytes_AS_STRING(rest));
        _PyBytes_Resize(&rest, length);
    }
    return rest;
}
