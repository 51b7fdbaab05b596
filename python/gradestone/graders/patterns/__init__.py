"""Users' patterns: checked, and translated for two engines.

A pattern is CPython's ``re`` with the ASCII flag. Where it lies in the subset that means the same on Rust's
linear-time engine it runs there; the rest runs on an engine that can really be stopped. Its way: ``scan``
applies the rules on its text, ``reading`` has CPython's parser read it and works its flags in, which leaves
the tree of ``nodes``, and ``to_rust`` and ``to_engine`` write that tree anew.
"""

from gradestone.graders.patterns.engine import CompiledPattern, check_pattern, compile_pattern

__all__ = ["CompiledPattern", "check_pattern", "compile_pattern"]
