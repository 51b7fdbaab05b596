#!/usr/bin/env bash
# Runs what is unsafe under AddressSanitizer: the crate's tests, then the extension, in an interpreter, with the Python
# tests that hold its unsafe code.
#
#     packaging/sanitize.sh [PYTHON]     one with the package's tests installed
#
# A read or write outside what is allocated, or of what is freed, ends the run with where it happened. The toolchain
# brings the sanitizer's runtime along, and RUSTC_BOOTSTRAP lets a stable compiler take the flag. The extension that
# PYTHON has stays as it is: all is built in target/sanitize, and a copy of the package there takes this one.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath --no-symlinks "${1:-.venv/bin/python}")
target=$(rustc -vV | sed -n 's/^host: //p')
home=$PWD/target/sanitize
built=$home/$target/debug

# Some tests leak on purpose, and so does every interpreter.
export ASAN_OPTIONS=detect_leaks=0
# The standard library's checks of unsafe calls come with the profile; only some optimising makes the tests bearable.
export RUST_BACKTRACE=0 RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=line-tables-only
cargo test --quiet --locked --lib --target "$target" --target-dir "$home"
PYO3_BUILD_EXTENSION_MODULE=1 PYO3_PYTHON=$python \
  cargo build --quiet --locked --lib --features python --target "$target" --target-dir "$home"

rm -rf "$home/package"
mkdir "$home/package"
cp -r python/gradestone "$home/package"
rm -f "$home"/package/gradestone/_core*.so
cp "$built/libgradestone.so" "$home/package/gradestone/_core.abi3.so"

# An interpreter that knows nothing of the sanitizer must load its runtime first, as a shared library; the toolchain has
# the archive alone. A shared library may not have what its preinit object holds.
cp "$(rustc --print target-libdir)"/librustc-*_rt.asan.a "$home/runtime.a"
ar d "$home/runtime.a" asan_preinit.cpp.o
cc -shared -o "$home/runtime.so" -Wl,--whole-archive "$home/runtime.a" -Wl,--no-whole-archive -lpthread -ldl -lrt -lm

# The interpreter's own allocator would hide from the sanitizer what is freed.
sanitized() {
  env LD_PRELOAD="$home/runtime.so" PYTHONMALLOC=malloc PYTHONPATH="$home/package" "$python" "$@"
}

# Silence proves something only if the sanitizer speaks, and if it is this extension that it looks into.
refuse() { echo "$1" >&2; exit 1; }
said=$(sanitized -c 'import ctypes; ctypes.string_at(ctypes.create_string_buffer(64), 128)' 2>&1) || true
[[ $said == *heap-buffer-overflow* ]] || refuse "a read past the end of a block is not reported in $python"
symbols=$(nm --dynamic "$home/package/gradestone/_core.abi3.so")
[[ $symbols == *__asan_report* ]] || refuse "the extension was built without the sanitizer"
loaded=$(sanitized -c 'from gradestone import _core; print(_core.__file__)')
[[ $loaded == "$home"/* ]] || refuse "$python loads another extension: $loaded"

# A report goes to the process's own stderr, which is not to be captured. (The tests of memory count what is allocated,
# the sanitizer's own included, so they are not among these.)
sanitized -m pytest -q --capture=sys -p no:cacheprovider \
  tests/door/test_arrow_memory.py tests/door/test_hostile_columns.py tests/property/test_columns_property.py \
  tests/property/test_backends_agree.py tests/threads/test_threads.py
