//! Python strings as UTF-8.
//!
//! An ASCII string is read where it lies. Any other is encoded into memory that lives for its chunk only, so that CPython
//! does not keep a second, UTF-8 copy of every string. CPython would encode it one character after the other; short ones,
//! which nearly all are, are copied out as code points and encoded here in half the time.

use std::cell::RefCell;
use std::ptr;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCFunction, PyString};

use crate::utf32;

/// A Python string for as long as its chunk is graded.
#[derive(Clone)]
pub enum Held<'py> {
    Ascii(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
    Encoded(Arc<[u8]>),
    Other,
}

impl<'py> Held<'py> {
    pub fn take(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(text) = value.cast::<PyString>() else {
            return Ok(Self::Other);
        };
        if is_ascii(text)? {
            return Ok(Self::Ascii(text.clone()));
        }
        match SCRATCH.with_borrow_mut(|scratch| scratch.encode(text))? {
            Some(encoded) => Ok(Self::Encoded(encoded)),
            None => encode_long(text).map(Self::Bytes),
        }
    }

    pub fn bytes(&self) -> PyResult<Option<&[u8]>> {
        Ok(match self {
            Self::Ascii(text) => Some(text.to_str()?.as_bytes()),
            Self::Bytes(bytes) => Some(bytes.as_bytes()),
            Self::Encoded(bytes) => Some(bytes),
            Self::Other => None,
        })
    }
}

/// Asks `str` itself: a subclass may have a method of that name, but what is graded is its text.
fn is_ascii(text: &Bound<'_, PyString>) -> PyResult<bool> {
    let py = text.py();
    let Some(function) = ISASCII.get_or_try_init(py, || find_isascii(py))? else {
        return py.get_type::<PyString>().call_method1("isascii", (text,))?.is_truthy();
    };
    // SAFETY: the function is that of a method of `str` without arguments, and `text` is a string. It returns a
    // reference of our own, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, function(text.as_ptr(), ptr::null_mut())) }?.is_truthy()
}

/// The function behind `str.isascii`: asked by its name, it takes longer than all else that is done to take a string.
static ISASCII: PyOnceLock<Option<ffi::PyCFunction>> = PyOnceLock::new();

/// None in an interpreter in which that is no C function without arguments.
fn find_isascii(py: Python<'_>) -> PyResult<Option<ffi::PyCFunction>> {
    let method = PyString::new(py, "").getattr("isascii")?;
    if !method.is_exact_instance_of::<PyCFunction>() {
        return Ok(None);
    }
    // SAFETY: the method is an instance of the type that both functions are for. The type that the second returns is
    // that of functions with the flag that is compared here.
    unsafe {
        let has_no_arguments = ffi::PyCFunction_GetFlags(method.as_ptr()) == ffi::METH_NOARGS;
        Ok(ffi::PyCFunction_GetFunction(method.as_ptr()).filter(|_| has_no_arguments))
    }
}

fn encode_long<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(encoded) = text.encode_utf8() {
        return Ok(encoded);
    }
    // Only a lone surrogate keeps a text from being encoded.
    let py = text.py();
    let encoded = py.get_type::<PyString>().call_method1(
        pyo3::intern!(py, "encode"),
        (text, pyo3::intern!(py, "utf-8"), pyo3::intern!(py, "surrogatepass")),
    )?;
    Ok(encoded.cast_into()?)
}

/// Code points of the longest text that is encoded here: a buffer of four times a long one is no small thing.
const SHORT: usize = 16 * 1024;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// What encoding reuses from text to text: 128 KiB at most.
#[derive(Default)]
struct Scratch {
    code_points: Vec<u32>,
    bytes: Vec<u8>,
}

impl Scratch {
    /// The text in UTF-8; none if it is too long for the buffers.
    fn encode(&mut self, text: &Bound<'_, PyString>) -> PyResult<Option<Arc<[u8]>>> {
        // SAFETY: the text is a string. Its own `__len__`, that of a subclass, is not asked.
        let length = unsafe { ffi::PyUnicode_GetLength(text.as_ptr()) } as usize;
        if length > SHORT {
            return Ok(None);
        }
        if self.code_points.len() < length {
            self.code_points.resize(length.next_power_of_two(), 0);
        }
        let buffer = self.code_points.as_mut_ptr();
        let capacity = self.code_points.len() as ffi::Py_ssize_t;
        // SAFETY: the text is a string, and at most `capacity` code points are written into a buffer that has so many.
        let written = unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), buffer, capacity, 0) };
        if written.is_null() {
            return Err(PyErr::fetch(text.py()));
        }
        Ok(Some(utf32::encode(&self.code_points[..length], &mut self.bytes).into()))
    }
}
