"""The x86-64 wheel on old processors: the oldest there are, and the oldest that NumPy takes."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import zipfile
from collections import defaultdict
from pathlib import Path

import pytest
from tests.wheel.running import run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1_200),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="about the x86-64 wheel"),
]

EMULATOR = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
emulated = pytest.mark.skipif(EMULATOR is None, reason="needs qemu-user-static")

# AVX and later begin with v. The rest are the mnemonics of SSE3 to SSE4.2, BMI and their like that compilers emit;
# tzcnt is not among them, for it is how the disassembler spells the `rep bsf` that every x86-64 takes.
BEYOND = re.compile(
    r"v(?!err|erw)\w+|p(shuf|blendv|align|max[su][bdw]|min[su][bdw]|mull|insr|extr|cmpeq|cmpgt|cmp[ei]str|abs|hadd|test)"
    r"(b|r|d|q|ri|rm|[iw])?|popcnt|lzcnt|crc32\w?|andn|bextr|bls\w+|mulx|rorx|s[ahr][lr]x|bzhi|pdep|pext|movbe|round[ps][sd]"
    r"|h(add|sub)p[sd]|addsubp[sd]|mov[ds]\w*dup|lddqu|pclmul\w+|aes\w+|cmpxchg16b"
)
EVER_SINCE = frozenset(
    {
        "pmaxub", "pmaxsw", "pminub", "pminsw", "pmullw", "pinsrw", "pextrw", "pcmpeqb", "pcmpeqw", "pcmpeqd",
        "pcmpgtb", "pcmpgtw", "pcmpgtd", "pshufd", "pshufw", "palignb",
    }
)  # fmt: skip
"""SSE and SSE2, which every x86-64 has."""
CHOSEN = re.compile(
    r"(memchr|aho_corasick)::.*(avx2|ssse3)|gradestone::.*(::modern|_modern|::wide|::prefixes)\b",
    re.IGNORECASE,
)
"""Functions that memchr, aho-corasick and `rust/cpu.rs` call only where the processor has what they use."""


def beyond_the_baseline(module: Path) -> dict[str, set[str]]:
    """The instructions of each function that an x86-64 need not have."""
    listing = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", module],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, set[str]] = defaultdict(set)
    function = ""
    for line in listing.splitlines():
        if heading := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            function = heading[1]
            continue
        parts = line.split("\t")
        mnemonic = parts[1].split()[0] if len(parts) > 1 and parts[1].strip() else ""
        if BEYOND.fullmatch(mnemonic) and mnemonic not in EVER_SINCE:
            found[function].add(mnemonic)
    return found


def test_what_an_old_processor_lacks_is_used_where_it_was_asked_for(wheel: Path, tmp_path: Path) -> None:
    """No function beyond x86-64's first instruction set but those that are chosen at run time; AVX2 is there."""
    module = Path(zipfile.ZipFile(wheel).extract("gradestone/_core.abi3.so", tmp_path))
    symbols = subprocess.run(["nm", "--demangle", module], capture_output=True, text=True, check=True).stdout
    if "memchr::" not in symbols:
        pytest.skip("this wheel was stripped of its functions' names")
    functions = beyond_the_baseline(module)
    assert {name: used for name, used in functions.items() if not CHOSEN.search(name)} == {}
    assert any("memchr::arch::x86_64::avx2" in name for name in functions)
    assert any("gradestone::tokenizer::split::modern" in name for name in functions)


@emulated
def test_the_vectors_agree_on_the_oldest_processor_of_numpy(installed: Path, tmp_path: Path) -> None:
    """Nehalem, of 2008: x86-64-v2, no AVX."""
    done = run(EMULATOR, "-cpu", "Nehalem", installed / "python", "-m", "gradestone", "verify", cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    assert " 0 differences" in done.stdout


@emulated
def test_the_kernels_run_on_the_first_x86_64(installed: Path, tmp_path: Path) -> None:
    """Without SSSE3 and without NumPy, which needs more: the searches take their plain path."""
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from gradestone import grade\n"
        "for options, text in (\n"
        "    ({'type': 'exact_match', 'expected': 'x' * 99}, 'x' * 99),\n"
        "    ({'type': 'contains', 'fragments': ['needle']}, 'hay ' * 99 + 'needle'),\n"
        "    ({'type': 'regex', 'pattern': '[a-z]+ needle|thread'}, 'hay ' * 99 + 'needle'),\n"
        "    ({'type': 'blocklist', 'terms': ['bad', 'worse']}, 'all good ' * 99),\n"
        "    ({'type': 'no_pii'}, 'nothing here ' * 99),\n"
        "    ({'type': 'bleu_score', 'reference': 'the cat sat on the mat'}, 'the cat sat on the mat'),\n"
        "    ({'type': 'rouge_score', 'reference': 'the cat sat'}, 'the cat sat'),\n"
        "):\n"
        "    result = grade(options, text)\n"
        "    print(options['type'], result.code)\n"
    )
    done = run(EMULATOR, "-cpu", "qemu64,-ssse3", installed / "python", "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = ("exact_match", "contains", "regex", "blocklist", "no_pii", "bleu_score", "rouge_score")
    assert done.stdout.split() == [word for name in names for word in (name, "ok")]
