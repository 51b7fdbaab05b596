//! Columns from the Arrow C data interface, as the cells that graders know.
//!
//! A producer hands over a stream of arrays, or one array with its schema, behind raw pointers (the `PyCapsule`
//! protocol). They are imported once and then read where they lie: a text is never copied. What a grader has no use
//! for (dates, binary, structs…) is refused by name instead of being turned into text by some rule of ours.
//!
//! The interface takes the producer at its word for offsets, keys and UTF-8, and libraries hand on what a file says
//! without looking. Here they are looked at: nothing is read beyond its buffer, and bytes that are no UTF-8 are bytes.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, GenericListArray, GenericStringArray, NullArray, OffsetSizeTrait, StringViewArray,
    make_array,
};
use arrow_schema::{DataType, Field};
use std::ffi::CStr;
use std::ops::Range;
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
    /// What a column of texts holds where it holds no text: bytes that are no UTF-8.
    Bytes(&'a [u8]),
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
    /// Numbers the rows of arrays that were imported.
    ///
    /// # Errors
    /// That there are more rows than can be counted.
    pub fn new(arrays: Vec<ArrayRef>) -> Result<Self, String> {
        let mut starts = vec![0];
        let mut rows = 0_usize;
        for array in &arrays {
            rows =
                rows.checked_add(array.len()).ok_or("the Arrow column has more rows than can be counted")?;
            starts.push(rows);
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

/// Checks that graders can read a column.
fn check_field(field: &Field) -> Result<(), String> {
    let data_type = field.data_type();
    check_type(data_type)?;
    match field.extension_type_name() {
        // What else lies behind a type of somebody's own is not what its values are: a period is no number.
        Some(name) if !is_text(data_type) => Err(refusal(&format!("{name} in {data_type}"))),
        _ => Ok(()),
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn check_type(data_type: &DataType) -> Result<(), String> {
    match data_type {
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => {
            check_field(field)
        }
        DataType::Dictionary(_, values) => check_type(values),
        DataType::Null | DataType::Boolean => Ok(()),
        DataType::Float16 => Err(refusal(data_type)),
        plain if is_text(plain) || plain.is_integer() || plain.is_floating() => Ok(()),
        other => Err(refusal(other)),
    }
}

fn refusal(data_type: &dyn std::fmt::Display) -> String {
    format!("an Arrow column of type {data_type} cannot be graded; cast it to text")
}

/// What is wrong with a cell that leads out of the memory that its array was given.
const OUTSIDE: &str = "a cell of the Arrow column lies outside its memory";

/// The text at `index`, where it lies, which may be no UTF-8; none for a null, for what lies outside the array's memory,
/// and where the array holds no texts.
#[must_use]
pub fn text(array: &dyn Array, index: usize) -> Option<&[u8]> {
    if array.is_null(index) {
        return None;
    }
    if let DataType::Dictionary(..) = array.data_type() {
        let dictionary = array.as_any_dictionary();
        return text(dictionary.values(), entry(dictionary.keys(), index, dictionary.values().len())?);
    }
    stored(array, index)
}

/// The bytes of the text at `index`; none where its offsets lead nowhere, and where the array holds no texts.
fn stored(array: &dyn Array, index: usize) -> Option<&[u8]> {
    match array.data_type() {
        DataType::Utf8 => between(array.as_string::<i32>(), index),
        DataType::LargeUtf8 => between(array.as_string::<i64>(), index),
        DataType::Utf8View => viewed(array.as_string_view(), index),
        _ => None,
    }
}

fn between<O: OffsetSizeTrait>(array: &GenericStringArray<O>, index: usize) -> Option<&[u8]> {
    array.value_data().get(range(array.value_offsets(), index)?)
}

/// From one offset to the next.
fn range<O: OffsetSizeTrait>(offsets: &[O], index: usize) -> Option<Range<usize>> {
    Some(offsets.get(index)?.to_usize()?..offsets.get(index + 1)?.to_usize()?)
}

/// Bytes of a text that lie in its view.
const INLINE: usize = 12;

/// A view is, from its lowest bits on, a length and either the text itself or its beginning, the number of a buffer,
/// and an offset in that; each of 32 bits.
fn viewed(array: &StringViewArray, index: usize) -> Option<&[u8]> {
    let view = *array.views().get(index)?;
    let figure = |number: usize| usize::try_from((view >> (32 * number)) & u128::from(u32::MAX)).ok();
    let length = figure(0)?;
    if length <= INLINE {
        let start = 16 * index + 4;
        return array.views().inner().as_slice().get(start..start + length);
    }
    let start = figure(3)?;
    array.data_buffers().get(figure(2)?)?.as_slice().get(start..start.checked_add(length)?)
}

/// The entry that the key at `index` leads to, of so many; none where it leads nowhere.
fn entry(keys: &dyn Array, index: usize, entries: usize) -> Option<usize> {
    macro_rules! key {
        ($type:ty) => {
            usize::try_from(keys.as_primitive::<$type>().value(index)).ok()
        };
    }
    let key = match keys.data_type() {
        DataType::Int8 => key!(Int8Type),
        DataType::Int16 => key!(Int16Type),
        DataType::Int32 => key!(Int32Type),
        DataType::Int64 => key!(Int64Type),
        DataType::UInt8 => key!(UInt8Type),
        DataType::UInt16 => key!(UInt16Type),
        DataType::UInt32 => key!(UInt32Type),
        DataType::UInt64 => key!(UInt64Type),
        _ => None,
    };
    key.filter(|key| *key < entries)
}

/// The texts of the list at `index`, where they lie; none where it is no list of texts, all of them UTF-8.
#[must_use]
pub fn texts(array: &dyn Array, index: usize) -> Option<Vec<&[u8]>> {
    if array.is_null(index) {
        return None;
    }
    let (members, places) = members(array, index)?;
    let is_utf8 = |bytes: &&[u8]| std::str::from_utf8(bytes).is_ok();
    places.map(|member| text(members, member).filter(is_utf8)).collect()
}

/// The members of the list at `index`, and where they lie among those of all lists; none where they lead nowhere, and
/// where the array holds no lists.
fn members(array: &dyn Array, index: usize) -> Option<(&ArrayRef, Range<usize>)> {
    fn of<O: OffsetSizeTrait>(list: &GenericListArray<O>, index: usize) -> Option<(&ArrayRef, Range<usize>)> {
        Some((list.values(), range(list.value_offsets(), index)?))
    }
    let (members, places) = match array.data_type() {
        DataType::List(_) => of(array.as_list::<i32>(), index)?,
        DataType::LargeList(_) => of(array.as_list::<i64>(), index)?,
        DataType::FixedSizeList(_, length) => {
            let length = usize::try_from(*length).ok()?;
            (array.as_fixed_size_list().values(), index * length..(index + 1) * length)
        }
        _ => return None,
    };
    (places.start <= places.end && places.end <= members.len()).then_some((members, places))
}

/// Imports every array of a stream, once its type is one that graders can read.
///
/// # Errors
/// The type that no grader can read, the producer's own error text, or that the stream is not usable.
pub fn import_stream(mut stream: FFI_ArrowArrayStream) -> Result<Vec<ArrayRef>, String> {
    let (Some(get_schema), Some(get_next)) = (stream.get_schema(), stream.get_next()) else {
        return Err("the Arrow stream was consumed already".to_owned());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the callback is the stream's own and writes into an empty schema that we own.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(format!("the Arrow stream has no schema: {}", last_error(&mut stream)));
    }
    let data_type = type_of(&schema)?;
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
        arrays.push(made(array, data_type.clone())?);
    }
}

/// Imports one array with its schema, once its type is one that graders can read.
///
/// # Errors
/// The type that no grader can read, or that the array is not usable.
pub fn import_array(schema: &FFI_ArrowSchema, array: FFI_ArrowArray) -> Result<ArrayRef, String> {
    if array.is_released() {
        return Err("the Arrow array was consumed already".to_owned());
    }
    made(array, type_of(schema)?)
}

fn type_of(schema: &FFI_ArrowSchema) -> Result<DataType, String> {
    let field = Field::try_from(schema).map_err(|error| error.to_string())?;
    check_field(&field)?;
    Ok(field.data_type().clone())
}

fn made(array: FFI_ArrowArray, data_type: DataType) -> Result<ArrayRef, String> {
    if data_type == DataType::Null {
        // Some producers add a buffer, of which an array without values has no need.
        return Ok(Arc::new(NullArray::new(array.len())));
    }
    // SAFETY: the interface's contract is that an array has the type of the schema it comes with.
    let data = unsafe { from_ffi_and_data_type(array, data_type) };
    Ok(make_array(data.map_err(|error| error.to_string())?))
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
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    // What follows the first line, or Arrow's own word for it, is a traceback.
    let first = message.lines().next().unwrap_or_default();
    first.split(". Detail: ").next().unwrap_or_default().to_owned()
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
        text if is_text(text) && !matches!(text, DataType::Dictionary(..)) => each(array, visit, |index| {
            let bytes = stored(array, index)?;
            Some(std::str::from_utf8(bytes).map_or(Value::Bytes(bytes), Value::Text))
        }),
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
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => {
            each(array, visit, |index| {
                let (members, places) = members(array, index)?;
                Some(Value::List(members.slice(places.start, places.len())))
            })
        }
        DataType::Dictionary(..) => each_entry(array, visit),
        other => Err(E::from(refusal(other))),
    }
}

/// Calls `visit` with each cell that `value` finds; where it finds none the cell lies nowhere.
fn each<'a, E: From<String>>(
    array: &dyn Array,
    visit: &mut dyn FnMut(Value<'_>) -> Result<(), E>,
    value: impl Fn(usize) -> Option<Value<'a>>,
) -> Result<(), E> {
    for index in 0..array.len() {
        let cell = if array.is_null(index) { Some(Value::Null) } else { value(index) };
        visit(cell.ok_or_else(|| E::from(OUTSIDE.to_owned()))?)?;
    }
    Ok(())
}

fn each_entry<E: From<String>>(
    array: &dyn Array,
    visit: &mut dyn FnMut(Value<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let dictionary = array.as_any_dictionary();
    let entries = dictionary.values();
    for index in 0..array.len() {
        if array.is_null(index) {
            visit(Value::Null)?;
            continue;
        }
        let entry = entry(dictionary.keys(), index, entries.len());
        each_value(&entries.slice(entry.ok_or_else(|| E::from(OUTSIDE.to_owned()))?, 1), visit)?;
    }
    Ok(())
}
