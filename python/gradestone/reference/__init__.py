"""The oracle: every kernel once more in plain Python, written to be read and believed.

Each file restates one rule of the graders from its definition, without a fast path: counters for n-grams, the
textbook tables for the longest common subsequence and the edit distance, one expression a detector. The Rust
kernels are compared with it, and it grades whole runs where ``backend="python"`` asks for it. Speed is no
aim, but every function ends in a time that is bounded for hostile text too; each says its cost.

It needs the standard library, and the ``regex`` package for users' patterns alone; it imports nothing else of
gradestone. The functions that grade one row are called directly and return a ``Row``::

    >>> from gradestone.reference.bleu import bleu
    >>> bleu("the cat sat", "the cat sat", threshold=0.5).score
    1.0

``batch`` holds the classes that grade a column, with the signatures of the compiled extension. The rooms:
``text`` (whitespace, trimming, lowercasing), ``unicode17`` (what older tables lack), ``tokenizer``,
``ngram``, ``bleu``, ``rouge``, ``lcs``, ``jaccard``, ``levenshtein``, ``context``, ``blocklist``, ``pii``,
``matching``, ``limits`` (the caps) and ``row`` (what a kernel answers).
"""
