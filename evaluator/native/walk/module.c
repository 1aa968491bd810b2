/* The module and its functions; fallback.py documents them. */

#include "walk.h"

static PyMethodDef functions[] = {
    {"are_flat", are_flat, METH_O, "Whether all values are objects without nested ones."},
    {"are_plain_texts", are_plain_texts, METH_VARARGS, "Whether all texts are ASCII and not blank."},
    {"hash_clean_texts", hash_clean_texts, METH_O, "Hash strings of visible ASCII; None for others."},
    {"hash_clean_truths", hash_clean_truths, METH_VARARGS, "Sizes and hashes of clean ground truths; else None."},
    {"sort_out_truths", sort_out_truths, METH_VARARGS, "The same of the clean ones, and the numbers of others."},
    {"find_odd_ids", find_odd_ids, METH_O, "Numbers of values that are no plain ids."},
    {"find_odd_rankings", find_odd_rankings, METH_O, "Numbers of rankings that are not plain by themselves."},
    {"find_odd_truths", find_odd_truths, METH_O, "Numbers of ground truths that are not plain by themselves."},
    {"find_unclear", find_unclear, METH_O, "Numbers of rankings that may have odd or repeated ids."},
    {"find_unclear_texts", find_unclear_texts, METH_VARARGS, "The same for rankings that are texts of a buffer."},
    {"count_key_ends", count_key_ends, METH_O, "Count colons behind a quote."},
    {"count_keys", count_keys, METH_O, "Count the keys within a value; None if too deep."},
    {"count_repeated_keys", count_repeated_keys, METH_O, "Count keys that objects of a text repeat; None if unsure."},
    {"find_lost_keys", find_lost_keys, METH_VARARGS, "Numbers of texts with other keys than their values."},
    {"kind_of_rankings", kind_of_rankings, METH_O, "The kind of all ids of plain rankings; else None."},
    {"kind_of_truths", kind_of_truths, METH_O, "The kind of all ids of plain ground truths; else None."},
    {"match_plain", match_plain, METH_VARARGS, "Check and match in one walk; None if any is not plain."},
    {"match_rankings", match_rankings, METH_VARARGS, "Match rankings with ground truths."},
    {"match_texts", match_texts, METH_VARARGS, "Match rankings that are texts of a buffer."},
    {"drop_lists", drop_lists, METH_VARARGS, "Empty plain lists, and lists of them, in lines of JSON."},
    {"pack_rankings", pack_rankings, METH_VARARGS, "Cut plain rankings out of JSON; None if one is not plain."},
    {"pack_plain_rankings", pack_plain_rankings, METH_VARARGS, "Cut the plain ones of the rankings out of lines of JSON."},
    {"parse_run_lines", parse_run_lines, METH_VARARGS, "Parse lines of a TREC run; None if one is irregular."},
    {"decode_lists", decode_lists, METH_VARARGS, "Decode lists of texts of a buffer."},
    {"decode_texts", decode_texts, METH_VARARGS, "Decode texts of a buffer."},
    {"hash_texts", hash_texts, METH_O, "Hash strings; None if any is not a string."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_compiled",
    .m_doc = "The compiled walk over ids.",
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__compiled(void) { return PyModuleDef_Init(&definition); }
