//! The native kernels of gradestone.

pub mod batch;
pub mod limits;
