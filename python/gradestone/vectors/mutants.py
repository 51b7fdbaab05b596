"""Shows that the vectors would notice: each of many small faults, put into the reference, makes some vector fail.

    python vectors/mutants.py [NAME…]

A mutation is a text of one source file replaced by another: an off-by-one, a `<` for a `<=`, a border that is dropped. Each
is applied to a copy of the package, and the vectors of the graders that it concerns are run there on the Python backend.
Exit 0 when every mutant is killed, 1 when one survives, 2 when a mutation no longer fits its source.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

VECTORS = Path(__file__).resolve().parent
PACKAGE = VECTORS.parent


class Mutant(NamedTuple):
    """One fault: where, what becomes what, and the vector files that must notice."""

    name: str
    file: str
    old: str
    new: str
    graders: tuple[str, ...]


TOKEN_GRADERS = ("bleu_score", "rouge_score", "semantic")
R = "reference/"

MUTANTS = (
    Mutant("pinned whitespace takes NBSP", R + "text.py", 'PINNED_WHITESPACE: Final = " \\t', 'PINNED_WHITESPACE: Final = "\\u00a0 \\t', TOKEN_GRADERS),
    Mutant("pinned whitespace lacks VT", R + "text.py", 'PINNED_WHITESPACE: Final = " \\t\\n\\r\\f\\v"', 'PINNED_WHITESPACE: Final = " \\t\\n\\r\\f"', TOKEN_GRADERS),
    Mutant("trim is Python's", R + "text.py", "return text.strip(ECMASCRIPT_WHITESPACE)", "return text.strip()", ("exact_match",)),
    Mutant("trim drops U+0085", R + "text.py", '"\\u2028\\u2029\\u202f', '"\\x85\\u2028\\u2029\\u202f', ("exact_match",)),
    Mutant("no final sigma", R + "text.py", '"ς" if preceded and not followed else "σ"', '"σ"', ("exact_match", "blocklist", "bleu_score")),
    Mutant("every last sigma is final", R + "text.py", '"ς" if preceded and not followed else', '"ς" if not followed else', ("exact_match",)),
    Mutant("a sigma ignores what follows", R + "text.py", "if preceded and not followed", "if preceded", ("exact_match",)),
    Mutant("older Unicode tables", R + "text.py", "if _LISTED.search(text):", "if False:", ("exact_match", "blocklist")),
    Mutant("ASCII lowercasing", R + "text.py", "    return text.lower()\n", "    return ''.join(c.lower() if c.isascii() else c for c in text)\n", ("exact_match", "blocklist")),
    Mutant("lowercasing is case folding", R + "text.py", "    return text.lower()\n", "    return text.casefold()\n", ("exact_match", "blocklist")),
    Mutant("tokens keep no digits", R + "tokenizer.py", '"[a-z0-9]+|', '"[a-z]+|', TOKEN_GRADERS),
    Mutant("symbols are joined", R + "tokenizer.py", "[^{PINNED_WHITESPACE}]\")", "[^a-z0-9{PINNED_WHITESPACE}]+\")", TOKEN_GRADERS),
    Mutant("symbols are dropped", R + "tokenizer.py", "|[^{PINNED_WHITESPACE}]\")", "\")", TOKEN_GRADERS),
    Mutant("one token less than the cap", R + "tokenizer.py", "> MAX_TOKENS:", ">= MAX_TOKENS:", ("bleu_score", "rouge_score")),
    Mutant("one token more than the cap", R + "limits.py", "MAX_TOKENS: Final = 4096", "MAX_TOKENS: Final = 4097", ("bleu_score", "rouge_score")),
    Mutant("a blank reference is scored", R + "tokenizer.py", "if is_blank(reference) or not", "if not", ("bleu_score", "rouge_score")),
    Mutant("counts are not clipped", R + "ngram.py", "return (ngrams(candidate, order) & ngrams(reference, order)).total()", "known = ngrams(reference, order)\n    return sum(n for gram, n in ngrams(candidate, order).items() if gram in known)", ("bleu_score", "rouge_score")),
    Mutant("counts are sets", R + "ngram.py", "return (ngrams(candidate, order) & ngrams(reference, order)).total()", "return len(ngrams(candidate, order).keys() & ngrams(reference, order).keys())", ("bleu_score", "rouge_score")),
    Mutant("BLEU-3", R + "bleu.py", "MAX_ORDER: Final = 4", "MAX_ORDER: Final = 3", ("bleu_score",)),
    Mutant("order of the candidate alone", R + "bleu.py", "min(MAX_ORDER, len(candidate), len(reference))", "min(MAX_ORDER, len(candidate))", ("bleu_score",)),
    Mutant("smoothing to 1/n", R + "bleu.py", "1 / (2 * possible)", "1 / possible", ("bleu_score",)),
    Mutant("smoothing to zero", R + "bleu.py", "1 / (2 * possible)", "1e-9", ("bleu_score",)),
    Mutant("n-grams off by one", R + "bleu.py", "candidate_length - order + 1", "candidate_length - order + 2", ("bleu_score",)),
    Mutant("no brevity penalty", R + "bleu.py", "if candidate_length >= reference_length:", "if True:", ("bleu_score",)),
    Mutant("brevity penalty the wrong way round", R + "bleu.py", "exp(1.0 - reference_length / candidate_length)", "exp(1.0 - candidate_length / reference_length)", ("bleu_score",)),
    Mutant("precision and recall swapped", R + "rouge.py", "precision = overlap / candidate_length\n    recall = overlap / reference_length", "recall = overlap / candidate_length\n    precision = overlap / reference_length", ("rouge_score",)),
    Mutant("arithmetic mean", R + "rouge.py", "return 2 * precision * recall / (precision + recall)", "return (precision + recall) / 2", ("rouge_score", "context_f1")),
    Mutant("longest common substring", R + "lcs.py", "else max(upper, cell)", "else 0", ("rouge_score",)),
    Mutant("rouge_l counts unigrams", R + "rouge.py", '"rouge_l": lcs_length', '"rouge_l": clipped_unigrams', ("rouge_score",)),
    Mutant("threshold not reached at equality", R + "row.py", "score >= threshold", "score > threshold", (*TOKEN_GRADERS, "context_f1")),
    Mutant("union counts both sides", R + "jaccard.py", "union = len(candidate_set | reference_set)", "union = len(candidate_set) + len(reference_set)", ("semantic",)),
    Mutant("a substitution costs two", R + "levenshtein.py", "1 + min(diagonal, upper, cell)", "1 + min(diagonal + 1, upper, cell)", ("context_f1",)),
    Mutant("similarity over the shorter side", R + "levenshtein.py", "longest = max(len(left), len(right))", "longest = min(len(left), len(right)) or 1", ("context_f1",)),
    Mutant("similar only above the threshold", R + "context.py", "similarity(one, other) >= similarity_threshold", "similarity(one, other) > similarity_threshold", ("context_f1",)),
    Mutant("63 contexts", R + "context.py", "len(members) > MAX_CONTEXT_MEMBERS", "len(members) >= MAX_CONTEXT_MEMBERS", ("context_f1",)),
    Mutant("65 contexts", R + "limits.py", "MAX_CONTEXT_MEMBERS: Final = 64", "MAX_CONTEXT_MEMBERS: Final = 65", ("context_f1",)),
    Mutant("8193 characters of context", R + "limits.py", "MAX_CONTEXT_CHARS: Final = 8192", "MAX_CONTEXT_CHARS: Final = 8193", ("context_f1",)),
    Mutant("8191 characters of context", R + "limits.py", "MAX_CONTEXT_CHARS: Final = 8192", "MAX_CONTEXT_CHARS: Final = 8191", ("context_f1",)),
    Mutant("contexts are counted in bytes", R + "context.py", "sum(map(len, members))", "sum(len(one.encode('utf-8', 'surrogatepass')) for one in members)", ("context_f1",)),
    Mutant("empty contexts do not count", R + "context.py", "for member in retrieved]", "for member in retrieved if normalise(member)]", ("context_f1",)),
    Mutant("contexts keep inner whitespace", R + "context.py", '_WHITESPACE_RUN.sub(" ", lower(member))', "lower(member)", ("context_f1",)),
    Mutant("terms inside words hit", R + "blocklist.py", "if before not in _WORD_CHARACTERS and after not in _WORD_CHARACTERS:", "if True:", ("blocklist",)),
    Mutant("no left border", R + "blocklist.py", "if before not in _WORD_CHARACTERS and after", "if after", ("blocklist",)),
    Mutant("no right border", R + "blocklist.py", " and after not in _WORD_CHARACTERS:", ":", ("blocklist",)),
    Mutant("digits are a border", R + "blocklist.py", "uvwxyz0123456789", "uvwxyz", ("blocklist",)),
    Mutant("underscore is no border", R + "blocklist.py", "xyz0123456789", "xyz_0123456789", ("blocklist",)),
    Mutant("occurrences do not overlap", R + "blocklist.py", "text.find(term, start + 1)", "text.find(term, end)", ("blocklist",)),
    Mutant("the first occurrence decides", R + "blocklist.py", "        start = text.find(term, start + 1)\n", "        break\n", ("blocklist",)),
    Mutant("12-digit cards", R + "pii.py", "{13,19}(?![0-9])", "{12,19}(?![0-9])", ("no_pii",)),
    Mutant("18-digit cards at most", R + "pii.py", "{13,19}(?![0-9])", "{13,18}(?![0-9])", ("no_pii",)),
    Mutant("cards inside longer numbers", R + "pii.py", "{13,19}(?![0-9])", "{13,19}", ("no_pii",)),
    Mutant("no Luhn", R + "pii.py", "any(is_luhn_valid(match.group())", "any(True", ("no_pii",)),
    Mutant("Luhn from the left", R + "pii.py", "digits[-2::-2]]", "digits[0::2]]", ("no_pii",)),
    Mutant("no mod 97", R + "pii.py", "any(is_mod97_valid(match.group())", "any(True", ("no_pii",)),
    Mutant("mod 97 is case-sensitive", R + "pii.py", "    rearranged = iban[4:] + iban[:4]\n", "    rearranged = iban[4:] + iban[:4]\n    if not iban.isupper(): return False\n", ("no_pii",)),
    Mutant("IBAN of 14 characters", R + "pii.py", "{11,30}", "{10,30}", ("no_pii",)),
    Mutant("IBAN of 33 characters at most", R + "pii.py", "{11,30}", "{11,29}", ("no_pii",)),
    Mutant("octet 256", R + "pii.py", "25[0-5]", "25[0-6]", ("no_pii",)),
    Mutant("octets with leading zeros", R + "pii.py", "[1-9]?[0-9])", "[0-9]?[0-9])", ("no_pii",)),
    Mutant("IPv4 inside digits", R + "pii.py", "{_OCTET}(?![0-9])", "{_OCTET}", ("no_pii",)),
    Mutant("std::vector is an address", R + "pii.py", "return sides_are_groups and _DIGIT.search(run) is not None", "return sides_are_groups", ("no_pii",)),
    Mutant("seven groups are enough", R + "pii.py", 'run.count(":") == 7', 'run.count(":") >= 6', ("no_pii",)),
    Mutant("six-digit phones", R + "pii.py", "7 <= len(", "6 <= len(", ("no_pii",)),
    Mutant("sixteen-digit phones", R + "pii.py", "<= 15 for", "<= 16 for", ("no_pii",)),
    Mutant("top level of one letter", R + "pii.py", "[A-Za-z]{2}\")", "[A-Za-z]\")", ("no_pii",)),
    Mutant("base58 with 0", R + "pii.py", '"[1-9A-HJ-NP', '"[0-9A-HJ-NP', ("no_pii",)),
    Mutant("25 characters of base58", R + "pii.py", "{{25,34}}", "{{24,34}}", ("no_pii",)),
    Mutant("bc1 in capitals", R + "pii.py", "(?<![a-z0-9])bc1", "(?<![a-z0-9])(?i:bc1)", ("no_pii",)),
    Mutant("punctuation goes before trimming", R + "matching.py", "    text = trim(text)\n", "    if remove_punctuation:\n        text = text.translate(_WITHOUT_PUNCTUATION)\n    text = trim(text)\n", ("exact_match",)),
    Mutant("always case-sensitive", R + "matching.py", "    if not case_sensitive:\n", "    if False:\n", ("exact_match",)),
    Mutant("any fragment is enough", R + "matching.py", "    if not hits:\n        return plain(\"ok\")", "    if len(hits) < len(fragments):\n        return plain(\"ok\")", ("contains", "not_contains")),
    Mutant("not_regex drops every last newline", R + "matching.py", '.removesuffix("\\n")', '.rstrip("\\n")', ("not_regex",)),
    Mutant("not_regex keeps CR", R + "matching.py", '.replace("\\r", "\\n")', "", ("not_regex",)),
    Mutant("regex normalises newlines too", R + "matching.py", "unify_newlines(candidate) if forbid else candidate", "unify_newlines(candidate)", ("regex",)),
    Mutant("65 537 characters are searched", R + "limits.py", "MAX_REGEX_INPUT_CHARS: Final = 65_536", "MAX_REGEX_INPUT_CHARS: Final = 65_537", ("regex", "not_regex")),
)  # fmt: skip


def fitting(mutant: Mutant) -> bool:
    """Whether the mutation still fits its source, at one place only."""
    return (PACKAGE / mutant.file).read_text("utf-8").count(mutant.old) == 1


def survives(mutant: Mutant) -> bool:
    """Whether no vector notices the fault."""
    with tempfile.TemporaryDirectory() as home:
        copy = Path(home) / "gradestone"
        shutil.copytree(
            PACKAGE, copy, symlinks=True, ignore=shutil.ignore_patterns("*.so", "__pycache__", "vectors")
        )
        source = copy / mutant.file
        source.write_text(source.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
        files = [str(VECTORS / f"{grader}.json") for grader in mutant.graders]
        done = subprocess.run(
            [sys.executable, "-m", "gradestone", "verify", "--backend", "python", *files],
            env={**os.environ, "PYTHONPATH": home, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1):
        sys.exit(f"{mutant.name}: verify ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main() -> int:
    """Runs the mutants that were named, or all."""
    chosen = [mutant for mutant in MUTANTS if not sys.argv[1:] or mutant.name in sys.argv[1:]]
    stale = [mutant.name for mutant in chosen if not fitting(mutant)]
    if stale:
        print("these no longer fit their source:", *stale, sep="\n  ")
        return 2
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alive = [
            mutant.name for mutant, lives in zip(chosen, pool.map(survives, chosen), strict=True) if lives
        ]
    print(f"{len(chosen) - len(alive)} of {len(chosen)} mutants killed")
    if alive:
        print("alive:", *alive, sep="\n  ")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
