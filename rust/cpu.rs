//! Functions that are compiled twice: for every processor of an architecture, and for those of the last ten years.
//!
//! One wheel serves all of x86-64, whose oldest members cannot even count the ones of a word. What most have since 2013
//! (Haswell; "x86-64-v3": AVX2, BMI, POPCNT) makes scanning twice as fast, so the hottest loops ask, once a text,
//! which of both they may be. The source is one: the compiler makes both, and both give the same answers.

/// Whether the processor has what [`by_processor`] compiles for.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no function is compiled twice there"))]
pub(crate) fn is_modern() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Asks for the start of a text that is read soon: of strings that lie about the memory, none follows from the last.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn prefetch(bytes: &[u8]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    const LINE: usize = 64;
    const MOST: usize = 4096;
    for line in bytes[..bytes.len().min(MOST)].chunks(LINE) {
        // SAFETY: a prefetch reads nothing that could be seen and fails nowhere, and the address is of a slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

/// The compiler has no way yet to ask other processors.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn prefetch(_: &[u8]) {}

/// Defines a function that does what another one does, compiled for the processor that it runs on.
///
/// The other one has to be `#[inline(always)]`, and so have the functions that are hot in it: what is not inlined is
/// compiled for every processor. Where the modern processors want another way, a second one is named, which has the
/// `#[target_feature]` of this macro.
macro_rules! by_processor {
    ($(#[$attribute:meta])* $visible:vis fn $name:ident$(<$life:lifetime>)?(
        $($argument:ident: $type:ty),* $(,)?
    ) $(-> $result:ty)? => $plain:path;) => {
        crate::cpu::by_processor! {
            $(#[$attribute])* $visible fn $name$(<$life>)?($($argument: $type),*) $(-> $result)? => $plain, $plain;
        }
    };
    ($(#[$attribute:meta])* $visible:vis fn $name:ident$(<$life:lifetime>)?(
        $($argument:ident: $type:ty),* $(,)?
    ) $(-> $result:ty)? => $plain:path, $modern:path;) => {
        $(#[$attribute])*
        $visible fn $name$(<$life>)?($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn modern$(<$life>)?($($argument: $type),*) $(-> $result)? {
                    $modern($($argument),*)
                }
                if crate::cpu::is_modern() {
                    // SAFETY: `modern` is an ordinary function but for the features, and the processor has them all.
                    return unsafe { modern($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    };
}
pub(crate) use by_processor;
