#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gradestone_fuzz::targets::bleu::run(data));
