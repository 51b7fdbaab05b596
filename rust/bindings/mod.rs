//! The Python face: converts columns in, rows out, and does nothing else.

mod arrow_in;
mod arrow_out;
mod columns;
mod grading;
mod kernels;
mod lines;
mod rows;
mod strings;
mod words;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::Code;
use crate::limits;

/// The compiled kernels of gradestone.
#[pymodule]
mod _core {
    use super::{Bound, Code, PyDict, PyDictMethods, PyModule, PyModuleMethods, PyResult, PyTuple, limits};

    #[pymodule_export]
    use super::arrow_in::ArrowColumn;
    #[pymodule_export]
    use super::arrow_out::{export_reasoned, export_verdicts};
    #[pymodule_export]
    use super::grading::{Interrupted, run_tasks};
    #[pymodule_export]
    use super::kernels::{
        PairKernel, TextKernel, bleu, blocklist, contains, context_f1, exact_match, jaccard, pattern, pii,
        rouge,
    };
    #[pymodule_export]
    use super::lines::{JsonLines, LineColumn, write_lines};
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::words::Wording;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let limits = PyDict::new(py);
        for (name, value) in limits::TABLE {
            limits.set_item(name, value)?;
        }
        let (major, minor, patch) = char::UNICODE_VERSION;
        module.add("CODES", PyTuple::new(py, Code::NAMES)?)?;
        module.add("LIMITS", limits)?;
        module.add("UNICODE_VERSION", (major, minor, patch))?;
        module.add("VERSION", env!("CARGO_PKG_VERSION"))
    }
}
