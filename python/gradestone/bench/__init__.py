"""The kernels beside their plain twins and beside the libraries that do the same work, timed on the same rows.

`works` says what is compared, `sample` on which texts, `peers` with whom; `contest` lets all sides answer, holds the
answers against each other, and only then takes the time. ``gradestone bench`` is the short version for a user's own
file; ``make bench`` in a checkout runs the whole of it. Nothing here is imported unless one of them asks for it.
"""
