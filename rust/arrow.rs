//! Columns from the Arrow C data interface, as the cells that graders know.
//!
//! A producer hands over a stream of arrays, or one array with its schema, behind raw pointers (the `PyCapsule`
//! protocol). They are imported once and then read where they lie: a text is never copied. What a grader has no use
//! for (dates, binary, structs…) is refused by name instead of being turned into text by some rule of ours.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, NullArray, make_array};
use arrow_schema::DataType;
use std::ffi::CStr;
use std::sync::Arc;

/// One cell.
#[derive(Debug)]
pub enum Value<'a> {
    /// A null of any type.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(&'a str),
    /// A list; its members are the cells of this array.
    List(ArrayRef),
}

/// The arrays of a column, one after the other.
#[derive(Debug, Default)]
pub struct Chunked {
    arrays: Vec<ArrayRef>,
    /// The row at which each array begins, and the number of rows.
    starts: Vec<usize>,
}

impl Chunked {
    /// Checks that graders can read the arrays, and numbers their rows.
    ///
    /// # Errors
    /// The type that no grader can read.
    pub fn new(arrays: Vec<ArrayRef>) -> Result<Self, String> {
        let mut starts = vec![0];
        for array in &arrays {
            check_type(array.data_type())?;
            starts.push(starts[starts.len() - 1] + array.len());
        }
        Ok(Self { arrays, starts })
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `visit` with each array and row in it, for `count` rows from `start` on.
    pub fn each<'a>(&'a self, start: usize, count: usize, mut visit: impl FnMut(&'a dyn Array, usize)) {
        let mut chunk = self.starts.partition_point(|first| *first <= start).saturating_sub(1);
        let mut row = start;
        while row < start + count {
            let end = (start + count).min(self.starts[chunk + 1]);
            (row..end).for_each(|row| visit(&*self.arrays[chunk], row - self.starts[chunk]));
            row = end.max(row);
            chunk += 1;
        }
    }

    /// One row as an array of its own.
    #[must_use]
    pub fn row(&self, row: usize) -> ArrayRef {
        let chunk = self.starts.partition_point(|first| *first <= row) - 1;
        self.arrays[chunk].slice(row - self.starts[chunk], 1)
    }
}

fn check_type(data_type: &DataType) -> Result<(), String> {
    match data_type {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            check_type(field.data_type())
        }
        DataType::Dictionary(_, values) => check_type(values),
        DataType::Null | DataType::Boolean | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            Ok(())
        }
        DataType::Float16 => Err(refusal(data_type)),
        number if number.is_integer() || number.is_floating() => Ok(()),
        other => Err(refusal(other)),
    }
}

fn refusal(data_type: &DataType) -> String {
    format!("an Arrow column of type {data_type} cannot be graded; cast it to text")
}

/// The text at `index`, where it lies; none for a null, and where the array holds no texts.
#[must_use]
pub fn text(array: &dyn Array, index: usize) -> Option<&[u8]> {
    if array.is_null(index) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(index).as_bytes()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(index).as_bytes()),
        DataType::Utf8View => Some(array.as_string_view().value(index).as_bytes()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            text(dictionary.values(), entry(dictionary.keys(), index)?)
        }
        _ => None,
    }
}

fn entry(keys: &dyn Array, index: usize) -> Option<usize> {
    macro_rules! key {
        ($type:ty) => {
            usize::try_from(keys.as_primitive::<$type>().value(index)).ok()
        };
    }
    match keys.data_type() {
        DataType::Int8 => key!(Int8Type),
        DataType::Int16 => key!(Int16Type),
        DataType::Int32 => key!(Int32Type),
        DataType::Int64 => key!(Int64Type),
        DataType::UInt8 => key!(UInt8Type),
        DataType::UInt16 => key!(UInt16Type),
        DataType::UInt32 => key!(UInt32Type),
        DataType::UInt64 => key!(UInt64Type),
        _ => None,
    }
}

/// The texts of the list at `index`, where they lie; none where it is no list of texts.
#[must_use]
pub fn texts(array: &dyn Array, index: usize) -> Option<Vec<&[u8]>> {
    if array.is_null(index) {
        return None;
    }
    let (members, range) = match array.data_type() {
        DataType::List(_) => {
            let offsets = array.as_list::<i32>().value_offsets();
            let place = |offset: i32| usize::try_from(offset).ok();
            (array.as_list::<i32>().values(), place(offsets[index])?..place(offsets[index + 1])?)
        }
        DataType::LargeList(_) => {
            let offsets = array.as_list::<i64>().value_offsets();
            let place = |offset: i64| usize::try_from(offset).ok();
            (array.as_list::<i64>().values(), place(offsets[index])?..place(offsets[index + 1])?)
        }
        DataType::FixedSizeList(_, length) => {
            let length = usize::try_from(*length).ok()?;
            (array.as_fixed_size_list().values(), index * length..(index + 1) * length)
        }
        _ => return None,
    };
    range.map(|member| text(members, member)).collect()
}
/// Imports every array of a stream and leaves the stream released.
///
/// # Errors
/// The producer's own error text, or that the stream is not usable.
///
/// # Safety
/// `stream` points to an initialised `ArrowArrayStream` that nobody else uses, as its capsule guarantees.
pub unsafe fn import_stream(stream: *mut FFI_ArrowArrayStream) -> Result<Vec<ArrayRef>, String> {
    // SAFETY: the caller's promise; the move leaves the capsule's struct marked as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema(), stream.get_next()) else {
        return Err("the Arrow stream was consumed already".to_owned());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the callback is the stream's own and writes into an empty schema that we own.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err("the Arrow stream has no schema".to_owned());
    }
    let data_type = DataType::try_from(&schema).map_err(|error| error.to_string())?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above; the end of the stream is an array that stays released.
        if unsafe { get_next(&raw mut stream, &raw mut array) } != 0 {
            return Err(format!("the Arrow stream broke off: {}", last_error(&mut stream)));
        }
        if array.is_released() {
            return Ok(arrays);
        }
        if data_type == DataType::Null {
            // Some producers add a buffer, of which an array without values has no need.
            arrays.push(Arc::new(NullArray::new(array.len())) as ArrayRef);
            continue;
        }
        // SAFETY: the stream's contract is that its arrays have the type of its schema.
        let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
        arrays.push(make_array(data.map_err(|error| error.to_string())?));
    }
}

/// What the producer says of the error that it just returned.
fn last_error(stream: &mut FFI_ArrowArrayStream) -> String {
    let Some(get_last_error) = stream.get_last_error() else {
        return "no reason is given".to_owned();
    };
    // SAFETY: the callback is the stream's own and was preceded by an error.
    let message = unsafe { get_last_error(stream) };
    if message.is_null() {
        return "no reason is given".to_owned();
    }
    // SAFETY: a message that is there is a string that ends with a zero and lives until the next call.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

/// Imports one array with its schema and leaves both released.
///
/// # Errors
/// That the array is not usable.
///
/// # Safety
/// Both pointers are those of the capsules of one `__arrow_c_array__` call, not consumed yet.
pub unsafe fn import_array(
    schema: *mut FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
) -> Result<ArrayRef, String> {
    // SAFETY: the caller's promise; both moves leave the capsules' structs marked as released.
    let (schema, array) = unsafe { (FFI_ArrowSchema::from_raw(schema), FFI_ArrowArray::from_raw(array)) };
    if array.is_released() {
        return Err("the Arrow array was consumed already".to_owned());
    }
    // SAFETY: the two belong together, as the caller promises.
    let data = unsafe { from_ffi(array, &schema) };
    Ok(make_array(data.map_err(|error| error.to_string())?))
}

/// Calls `visit` with every cell of `array`, in order.
///
/// # Errors
/// The first error of `visit`, or the array's type if no grader can read it.
pub fn each_value<E: From<String>>(
    array: &dyn Array,
    visit: &mut dyn FnMut(Value<'_>) -> Result<(), E>,
) -> Result<(), E> {
    macro_rules! cells {
        ($cells:expr, $value:expr) => {{
            let cells = $cells;
            for index in 0..cells.len() {
                visit(if cells.is_null(index) { Value::Null } else { $value(cells.value(index)) })?;
            }
            Ok(())
        }};
    }
    match array.data_type() {
        DataType::Null => (0..array.len()).try_for_each(|_| visit(Value::Null)),
        DataType::Utf8 => cells!(array.as_string::<i32>(), Value::Text),
        DataType::LargeUtf8 => cells!(array.as_string::<i64>(), Value::Text),
        DataType::Utf8View => cells!(array.as_string_view(), Value::Text),
        DataType::Boolean => cells!(array.as_boolean(), Value::Bool),
        DataType::Int8 => cells!(array.as_primitive::<Int8Type>(), |value| Value::Int(i64::from(value))),
        DataType::Int16 => cells!(array.as_primitive::<Int16Type>(), |value| Value::Int(i64::from(value))),
        DataType::Int32 => cells!(array.as_primitive::<Int32Type>(), |value| Value::Int(i64::from(value))),
        DataType::Int64 => cells!(array.as_primitive::<Int64Type>(), Value::Int),
        DataType::UInt8 => {
            cells!(array.as_primitive::<UInt8Type>(), |value| Value::Unsigned(u64::from(value)))
        }
        DataType::UInt16 => {
            cells!(array.as_primitive::<UInt16Type>(), |value| Value::Unsigned(u64::from(value)))
        }
        DataType::UInt32 => {
            cells!(array.as_primitive::<UInt32Type>(), |value| Value::Unsigned(u64::from(value)))
        }
        DataType::UInt64 => cells!(array.as_primitive::<UInt64Type>(), Value::Unsigned),
        DataType::Float32 => {
            cells!(array.as_primitive::<Float32Type>(), |value| Value::Float(f64::from(value)))
        }
        DataType::Float64 => cells!(array.as_primitive::<Float64Type>(), Value::Float),
        DataType::List(_) => cells!(array.as_list::<i32>(), Value::List),
        DataType::LargeList(_) => cells!(array.as_list::<i64>(), Value::List),
        DataType::FixedSizeList(..) => cells!(array.as_fixed_size_list(), Value::List),
        DataType::Dictionary(..) => each_entry(array, visit),
        other => Err(E::from(refusal(other))),
    }
}

fn each_entry<E: From<String>>(
    array: &dyn Array,
    visit: &mut dyn FnMut(Value<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let dictionary = array.as_any_dictionary();
    let entries = dictionary.values();
    if entries.is_empty() {
        return (0..array.len()).try_for_each(|_| visit(Value::Null));
    }
    for (index, key) in dictionary.normalized_keys().into_iter().enumerate() {
        if array.is_null(index) {
            visit(Value::Null)?;
        } else {
            each_value(&entries.slice(key, 1), visit)?;
        }
    }
    Ok(())
}
