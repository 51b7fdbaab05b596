#!/bin/sh
# cargo's RUSTC_WRAPPER: compiles the kernels, and the crate that reads JSON for one, with the coverage that guides
# libFuzzer. The oracles stay without: they would be most of the work, and lead it to what only they do.
case " $* " in
*" --crate-name gradestone "* | *" --crate-name gradestone_arrow "* | *" --crate-name jiter "*)
  exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares
  ;;
esac
exec "$@"
