//! Columns out of Arrow memory whose offsets, views and keys lead anywhere.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{DataType, Field};
use gradestone_arrow as kernel;
use std::sync::Arc;

use crate::input::Input;
use crate::words::PROSE;

/// Rows of a column.
const MOST: usize = 12;

/// What is in a cell.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Null,
    Bytes(Vec<u8>),
    /// It leads out of the memory.
    Outside,
}

/// The first field is the memory of texts, the second makes the places of texts in it, the third those of lists or
/// the keys. The head chooses the type, nulls, and where the column starts.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let field = |index: usize| input.fields.get(index).copied().unwrap_or_default();
    let (texts, cells) = match input.head[1] % 3 {
        0 => offsets::<i32>(DataType::Utf8, field(0), field(1)),
        1 => offsets::<i64>(DataType::LargeUtf8, field(0), field(1)),
        _ => views(field(0), field(1)),
    };
    match input.head[1] / 3 % 5 {
        0 => check_column(&texts, &cells, &input),
        1 => {
            let (keys, cells) = dictionary(&texts, &cells, field(2));
            check_column(&keys, &cells, &input);
        }
        2 => check_lists(&list::<i32>(&texts, field(2)), &cells),
        3 => check_lists(&list::<i64>(&texts, field(2)), &cells),
        _ => check_lists(&fixed(&texts), &cells),
    }
}

/// A number that a byte stands for: itself, or one that leads far away.
trait Offset: Copy {
    fn of(byte: u8) -> Self;
    fn index(self) -> Option<usize>;
}

macro_rules! offset {
    ($type:ty) => {
        impl Offset for $type {
            fn of(byte: u8) -> Self {
                const FAR: [$type; 6] = [-1, <$type>::MIN, <$type>::MAX, <$type>::MAX - 1, 1 << 20, -7];
                FAR.get(usize::from(byte.wrapping_sub(0xf0)))
                    .copied()
                    .unwrap_or(<$type>::from(byte as i8) & 0x7f)
            }

            fn index(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }
    };
}

offset!(i32);
offset!(i64);

fn build(builder: ArrayDataBuilder) -> ArrayData {
    // SAFETY: there is none: the point is that what reads the array looks for itself. Each buffer is as long as the
    // array needs for its own rows, which is what the interface leaves to the producer.
    unsafe { builder.skip_validation(true) }.build().expect("nothing is checked")
}

fn offsets<O: Offset + arrow_buffer::ArrowNativeType>(
    of: DataType,
    memory: &[u8],
    places: &[u8],
) -> (ArrayRef, Vec<Cell>) {
    let offsets: Vec<O> = places.iter().take(MOST + 1).map(|byte| O::of(*byte)).chain([O::of(0)]).collect();
    let between = |pair: &[O]| {
        let range = pair[0].index()..pair[1].index();
        let bytes = range.start.zip(range.end).and_then(|(start, end)| memory.get(start..end));
        bytes.map_or(Cell::Outside, |bytes| Cell::Bytes(bytes.to_vec()))
    };
    let cells: Vec<Cell> = offsets.windows(2).map(between).collect();
    let builder = ArrayData::builder(of).len(cells.len());
    let builder = builder.add_buffer(Buffer::from_vec(offsets)).add_buffer(Buffer::from_slice_ref(memory));
    (make_array(build(builder)), cells)
}

/// Each row out of three bytes: length, buffer, place in it.
fn views(memory: &[u8], places: &[u8]) -> (ArrayRef, Vec<Cell>) {
    let rows: Vec<&[u8; 3]> = places.as_chunks::<3>().0.iter().take(MOST).collect();
    let (mut views, mut cells) = (Vec::new(), Vec::new());
    for [length, buffer, place] in rows {
        let [long, number, start] = [*length, *buffer % 4, *place].map(|byte| i32::of(byte) as u32);
        let tail = u128::from(number) << 64 | u128::from(start) << 96;
        // What lies in the view itself is the text, or its beginning.
        let inline = u128::from(*place) << 32 | u128::from(*buffer) << 40 | tail;
        let view = if long <= 12 { u128::from(long) | inline } else { u128::from(long) | tail };
        cells.push(viewed(view, memory));
        views.push(view);
    }
    let builder = ArrayData::builder(DataType::Utf8View).len(cells.len()).add_buffer(Buffer::from_vec(views));
    let halves = memory.split_at(memory.len() / 2);
    let builder =
        builder.add_buffer(Buffer::from_slice_ref(halves.0)).add_buffer(Buffer::from_slice_ref(halves.1));
    (make_array(build(builder)), cells)
}

/// As Arrow's specification lays a view out; the memory is in two buffers.
fn viewed(view: u128, memory: &[u8]) -> Cell {
    let bytes = view.to_le_bytes();
    let figure = |from: usize| {
        u32::from_le_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]]) as usize
    };
    let length = figure(0);
    if length <= 12 {
        return Cell::Bytes(bytes[4..4 + length].to_vec());
    }
    let halves = memory.split_at(memory.len() / 2);
    let buffer = [halves.0, halves.1].get(figure(8)).copied().unwrap_or_default();
    let is_there = figure(8) < 2 && figure(12) + length <= buffer.len();
    if is_there { Cell::Bytes(buffer[figure(12)..figure(12) + length].to_vec()) } else { Cell::Outside }
}

fn dictionary(texts: &ArrayRef, cells: &[Cell], keys: &[u8]) -> (ArrayRef, Vec<Cell>) {
    let keys: Vec<i8> = keys.iter().take(MOST).map(|byte| *byte as i8).collect();
    let entry = |key: &i8| {
        usize::try_from(*key).ok().and_then(|key| cells.get(key)).cloned().unwrap_or(Cell::Outside)
    };
    let cells = keys.iter().map(entry).collect();
    let of = DataType::Dictionary(Box::new(DataType::Int8), Box::new(texts.data_type().clone()));
    let builder = ArrayData::builder(of).len(keys.len()).add_buffer(Buffer::from_vec(keys));
    (make_array(build(builder.add_child_data(texts.to_data()))), cells)
}

/// Lists, and for each the members that it has, if they are there.
struct Lists {
    array: ArrayRef,
    places: Vec<Option<std::ops::Range<usize>>>,
}

fn list<O: Offset + arrow_buffer::ArrowNativeType>(texts: &ArrayRef, places: &[u8]) -> Lists {
    let offsets: Vec<O> = places.iter().take(MOST + 1).map(|byte| O::of(*byte)).chain([O::of(0)]).collect();
    let between = |pair: &[O]| {
        let (start, end) = (pair[0].index()?, pair[1].index()?);
        (start <= end && end <= texts.len()).then_some(start..end)
    };
    let places: Vec<_> = offsets.windows(2).map(between).collect();
    let field = Arc::new(Field::new_list_field(texts.data_type().clone(), true));
    let of = if size_of::<O>() == 4 { DataType::List(field) } else { DataType::LargeList(field) };
    let builder = ArrayData::builder(of).len(places.len()).add_buffer(Buffer::from_vec(offsets));
    Lists { array: make_array(build(builder.add_child_data(texts.to_data()))), places }
}

fn fixed(texts: &ArrayRef) -> Lists {
    let of = DataType::FixedSizeList(Arc::new(Field::new_list_field(texts.data_type().clone(), true)), 2);
    let rows = texts.len() / 2;
    let array = build(ArrayData::builder(of).len(rows).add_child_data(texts.to_data()));
    Lists { array: make_array(array), places: (0..rows).map(|row| Some(2 * row..2 * row + 2)).collect() }
}

/// A part of a column, some cells of which are null.
fn check_column(array: &ArrayRef, cells: &[Cell], input: &Input<'_>) {
    let is_null = |row: usize| input.head[2] >> (row % 8) & 1 == 1;
    let nulls = NullBuffer::from_iter((0..cells.len()).map(|row| !is_null(row)));
    let array = make_array(build(array.to_data().into_builder().nulls(Some(nulls))));
    let start = usize::from(input.head[3]) % (cells.len() + 1);
    let array = array.slice(start, cells.len() - start);
    let seen: Vec<Cell> =
        (start..cells.len()).map(|row| if is_null(row) { Cell::Null } else { cells[row].clone() }).collect();
    for (row, cell) in seen.iter().enumerate() {
        let expected = if let Cell::Bytes(bytes) = cell { Some(bytes.as_slice()) } else { None };
        assert_eq!(kernel::text(&*array, row), expected, "{row} of {seen:?} in {:?}", array.data_type());
        assert_eq!(kernel::texts(&*array, row), None);
    }
    check_values(&*array, &seen);
}

/// Every cell in order, up to the first that leads outside.
fn check_values(array: &dyn Array, cells: &[Cell]) {
    let mut visited = Vec::new();
    let ended = kernel::each_value(array, &mut |value| {
        visited.push(match value {
            kernel::Value::Null => Cell::Null,
            kernel::Value::Text(text) => Cell::Bytes(text.as_bytes().to_vec()),
            kernel::Value::Bytes(bytes) if std::str::from_utf8(bytes).is_err() => Cell::Bytes(bytes.to_vec()),
            other => return Err(format!("{other:?}")),
        });
        Ok::<(), String>(())
    });
    let inside = cells.iter().position(|cell| *cell == Cell::Outside);
    assert_eq!(visited, cells[..inside.unwrap_or(cells.len())], "{:?}", array.data_type());
    assert_eq!(ended.is_err(), inside.is_some(), "{ended:?}");
}

fn check_lists(lists: &Lists, cells: &[Cell]) {
    for (row, places) in lists.places.iter().enumerate() {
        let members = places.clone().map(|places| &cells[places]);
        let utf8 = |cell: &Cell| match cell {
            Cell::Bytes(bytes) => std::str::from_utf8(bytes).is_ok().then(|| bytes.clone()),
            _ => None,
        };
        let expected = members.and_then(|members| members.iter().map(utf8).collect::<Option<Vec<_>>>());
        let found = kernel::texts(&*lists.array, row)
            .map(|texts| texts.into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
        assert_eq!(found, expected, "{row} of {:?} among {cells:?}", lists.places);
        assert_eq!(kernel::text(&*lists.array, row), None);
    }
    let mut rows = lists.places.iter();
    let ended = kernel::each_value(&*lists.array, &mut |value| {
        let kernel::Value::List(members) = value else { return Err(format!("{value:?}")) };
        let places = rows.next().cloned().flatten().expect("only lists that are there");
        check_values(&*members, &cells[places]);
        Ok::<(), String>(())
    });
    assert_eq!(ended.is_err(), lists.places.iter().any(Option::is_none), "{ended:?}");
}
