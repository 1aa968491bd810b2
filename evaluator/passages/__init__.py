"""Which chunks of a corpus hold a text: wholly, or how much of it and where.

The whole interface is two calls. ``read_chunks`` reads a corpus of any format that groupwise
knows, and ``PassageIndex`` finds texts in it:

>>> from groupwise.evaluator.passages.chunks import read_chunks
>>> from groupwise.evaluator.passages.index import PassageIndex
>>> chunks = read_chunks({"n1": "To be, or not", "n2": "to be: that is the question"})
>>> index = PassageIndex(chunks)
>>> for holding in index.find("Or not to be, that is the question"):
...     print(chunks[holding.chunk].id, round(holding.coverage, 2), holding.parts)
n2 0.81 [(5, 26)]

``find`` returns the chunks that hold at least ``least`` of the letters of a text, those that hold
most of it first. ``find_whole`` returns those that hold all of it, and is faster. ``among`` limits
both to some chunks, such as those of a document (``index.of_document``). ``index.locate`` says
where in a chunk the text is.

Texts are compared by their letters and digits, in the normal form of the ``text`` matcher: case,
white space, punctuation and forms of Unicode do not count. This is the same for languages with and
without spaces, and for chunks that are cut within a word.
"""
