/* The module. */

#include "walk.h"

static PyMethodDef functions[] = {
    {"are_flat", are_flat, METH_O, "Whether all are objects without others in them."},
    {"are_plain_texts", are_plain_texts, METH_VARARGS, "Whether all are ASCII, and not blank."},
    {"are_rankings", are_rankings, METH_O, "Whether all are lists of non-blank strings."},
    {"are_truths", are_truths, METH_O, "Whether all are lists of non-empty lists of such."},
    {"clean_hashes", clean_hashes, METH_O, "The hashes of texts; None if one may be odd."},
    {"clean_truths", clean_truths, METH_VARARGS, "Shapes and hashes; None if one may be odd."},
    {"ends_of_keys", ends_of_keys, METH_O, "How many keys end in a text."},
    {"keys_within", keys_within, METH_O, "How many keys a value has; None if it is too deep."},
    {"matched", matched, METH_VARARGS, "The shape and the hits of some queries, in columns."},
    {"matched_texts", matched_texts, METH_VARARGS, "The same for texts in a buffer."},
    {"run_rows", run_rows, METH_VARARGS, "The lines of a run; None if one may be odd."},
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
