//! Property lists of Apple, as XML and binary, and the bookmarks of Safari in them.

use chrono::DateTime;
use serde_json::{Map, Value};

use super::row::{ImportRow, ImportStatus, InvalidRow, RowResult};
use super::values;
use super::xml_tree::{self, XmlElement};

const BINARY: &[u8] = b"bplist00";
/// Length of the trailer of a binary list, in bytes.
const TRAILER_BYTES: usize = 32;
/// Maximum number of objects of a binary list. An object is counted for each reference to it.
const MAX_OBJECTS: usize = 1_000_000;
/// Maximum number of bytes of all texts of a binary list.
const MAX_TEXT_BYTES: usize = 64 * 1024 * 1024;
const MAX_DEPTH: usize = 120;

/// True if the file contains bookmarks of Safari.
pub(super) fn is_bookmarks(head: &[u8]) -> bool {
    let has = |mark: &[u8]| memchr::memmem::find(head, mark).is_some();
    (head.starts_with(BINARY) || has(b"<plist")) && has(b"WebBookmarkType")
}

/// Reads bookmarks of Safari: folders with `Title` and `Children`, bookmarks with `URLString` and
/// `URIDictionary`.
pub(super) fn safari(bytes: &[u8], visit: &mut dyn FnMut(RowResult)) {
    if bytes.starts_with(BINARY) {
        return match Binary::of(bytes).and_then(|(mut list, top)| list.object(top, 0)) {
            Some(list) => folder(&list, &BookmarkLocation::default(), visit),
            None => visit(Err(InvalidRow::Malformed)),
        };
    }
    let text = String::from_utf8_lossy(bytes);
    match xml_tree::parse(&text) {
        Ok(tree) => {
            let list = tree.root.child("plist").and_then(|list| list.children.first());
            match list {
                Some(list) => folder(&value_of(list), &BookmarkLocation::default(), visit),
                None => visit(Err(InvalidRow::Malformed)),
            }
            if tree.is_truncated {
                visit(Err(InvalidRow::Truncated));
            }
        }
        Err(reason) => visit(Err(reason)),
    }
}

/// Folder of a bookmark.
#[derive(Clone, Default)]
struct BookmarkLocation {
    names: Vec<String>,
    /// Outermost folder of the bookmark, if Safari created it: `BookmarksBar` or `BookmarksMenu`.
    root: Option<String>,
    status: Option<ImportStatus>,
}

fn folder(list: &Value, location: &BookmarkLocation, visit: &mut dyn FnMut(RowResult)) {
    for child in list["Children"].as_array().into_iter().flatten() {
        if child["Children"].is_array() {
            let mut inner = location.clone();
            match values::json_text(child.get("Title")) {
                Some(title) if title == "com.apple.ReadingList" => inner.status = Some(ImportStatus::Later),
                Some(title) if title == "BookmarksBar" || title == "BookmarksMenu" => {
                    inner.root = Some(title);
                }
                title => inner.names.extend(title.map(values::folder_name)),
            }
            folder(child, &inner, visit);
        } else if let Some(url) = values::json_text(child.get("URLString")) {
            visit(Ok(bookmark(child, url, location)));
        }
    }
}

fn bookmark(member: &Value, url: String, location: &BookmarkLocation) -> ImportRow {
    let mut extra = Map::new();
    extra.extend(location.root.clone().map(|root| ("root".to_owned(), Value::from(root))));
    for (name, value) in member["ReadingList"].as_object().into_iter().flatten() {
        if name != "DateAdded" {
            extra.extend(values::extra(value.clone()).map(|value| (name.clone(), value)));
        }
    }
    let title = values::json_text(member["URIDictionary"].get("title"));
    ImportRow {
        title: title.filter(|title| *title != url),
        url: Some(url),
        saved_at: values::json_time(member["ReadingList"].get("DateAdded")),
        status: location.status,
        folders: values::folders(&location.names),
        extra,
        ..ImportRow::default()
    }
}

/// Converts an element of an XML list to a value. `data` elements are left out.
fn value_of(element: &XmlElement<'_>) -> Value {
    match element.name() {
        "dict" => {
            let (mut members, mut name) = (Map::new(), None);
            for child in &element.children {
                match (child.name(), name.take()) {
                    ("key", _) => name = child.text(),
                    (_, Some(name)) => drop(members.insert(name, value_of(child))),
                    (_, None) => {}
                }
            }
            members.into()
        }
        "array" => element.children.iter().map(value_of).collect::<Vec<_>>().into(),
        "true" => true.into(),
        "false" => false.into(),
        "data" => Value::Null,
        _ => element.text().into(),
    }
}

/// Binary list.
struct Binary<'b> {
    bytes: &'b [u8],
    /// Position of the table of object offsets.
    table: usize,
    offset_bytes: usize,
    reference_bytes: usize,
    /// Objects and bytes of texts that may still be read.
    objects_left: usize,
    text_left: usize,
}

impl<'b> Binary<'b> {
    /// Parses the trailer. Returns the list and the number of its outermost object.
    fn of(bytes: &'b [u8]) -> Option<(Self, u64)> {
        let trailer = bytes.get(bytes.len().checked_sub(TRAILER_BYTES)?..)?;
        let list = Self {
            bytes,
            table: number(trailer.get(24..32)?)?.try_into().ok()?,
            offset_bytes: usize::from(*trailer.get(6)?),
            reference_bytes: usize::from(*trailer.get(7)?),
            objects_left: MAX_OBJECTS,
            text_left: MAX_TEXT_BYTES,
        };
        Some((list, number(trailer.get(16..24)?)?))
    }

    fn slice(&self, from: usize, count: usize) -> Option<&'b [u8]> {
        self.bytes.get(from..from.checked_add(count)?)
    }

    /// Reads the object with this number. `None` if it cannot be read, or if the list is too large.
    fn object(&mut self, index: u64, depth: usize) -> Option<Value> {
        self.objects_left = self.objects_left.checked_sub(1).filter(|_| depth <= MAX_DEPTH)?;
        let entry = usize::try_from(index).ok()?.checked_mul(self.offset_bytes)?.checked_add(self.table)?;
        let at = usize::try_from(number(self.slice(entry, self.offset_bytes)?)?).ok()?;
        let marker = *self.bytes.get(at)?;
        let (kind, low) = (marker >> 4, marker & 0x0f);
        match kind {
            0x0 => Some(if matches!(low, 8 | 9) { Value::Bool(low == 9) } else { Value::Null }),
            0x1 => {
                let digits = self.slice(at + 1, 1 << low.min(5))?;
                // Integers of 16 bytes are signed, and their values are small.
                Some(number(digits.get(digits.len().saturating_sub(8)..)?)?.into())
            }
            0x2 => Some(real(self.slice(at + 1, 1 << low.min(5))?)?.into()),
            0x3 => {
                let time = values::apple_time(real(self.slice(at + 1, 8)?)?);
                let time = time.and_then(DateTime::from_timestamp_millis);
                Some(time.map(|time| time.to_rfc3339()).into())
            }
            0x5 | 0x6 => self.text(at, low, kind == 0x6),
            0xa | 0xc => {
                let (from, count) = self.length(at, low)?;
                let items = (0..count).map(|item| self.reference(from, item, depth));
                Some(Value::Array(items.collect::<Option<_>>()?))
            }
            0xd => {
                let (from, count) = self.length(at, low)?;
                let mut members = Map::new();
                for member in 0..count {
                    let name = self.reference(from, member, depth)?;
                    let value = self.reference(from, count.checked_add(member)?, depth)?;
                    members.insert(name.as_str()?.to_owned(), value);
                }
                Some(members.into())
            }
            _ => Some(Value::Null),
        }
    }

    /// Reads the object that an array or a dictionary refers to at index `item` of its references, which
    /// begin at `from`.
    fn reference(&mut self, from: usize, item: usize, depth: usize) -> Option<Value> {
        let at = item.checked_mul(self.reference_bytes)?.checked_add(from)?;
        let index = number(self.slice(at, self.reference_bytes)?)?;
        self.object(index, depth + 1)
    }

    fn text(&mut self, at: usize, low: u8, is_wide: bool) -> Option<Value> {
        let (from, count) = self.length(at, low)?;
        let bytes = self.slice(from, if is_wide { count.checked_mul(2)? } else { count })?;
        self.text_left = self.text_left.checked_sub(bytes.len())?;
        if !is_wide {
            return Some(String::from_utf8_lossy(bytes).into());
        }
        let (pairs, _) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
        Some(String::from_utf16_lossy(&units).into())
    }

    /// Returns the position of an object's content and its length.
    fn length(&self, at: usize, low: u8) -> Option<(usize, usize)> {
        if low < 0x0f {
            return Some((at + 1, usize::from(low)));
        }
        let size = 1 << (*self.bytes.get(at + 1)? & 0x0f).min(3);
        let count = usize::try_from(number(self.slice(at + 2, size)?)?).ok()?;
        Some((at + 2 + size, count))
    }
}

/// Reads a big-endian number. `None` if it has no bytes or more than 8.
fn number(bytes: &[u8]) -> Option<u64> {
    let is_small = !bytes.is_empty() && bytes.len() <= 8;
    is_small.then(|| bytes.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte)))
}

fn real(bytes: &[u8]) -> Option<f64> {
    match bytes.len() {
        4 => Some(f64::from(f32::from_be_bytes(bytes.try_into().ok()?))),
        8 => Some(f64::from_be_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a binary list of objects, of which the first is the outermost.
    fn binary(objects: &[&[u8]]) -> Vec<u8> {
        let (mut bytes, mut offsets) = (BINARY.to_vec(), Vec::new());
        for object in objects {
            offsets.push(u8::try_from(bytes.len()).unwrap());
            bytes.extend_from_slice(object);
        }
        let table = bytes.len() as u64;
        bytes.extend(offsets);
        bytes.extend([0, 0, 0, 0, 0, 0, 1, 1]);
        for number in [objects.len() as u64, 0, table] {
            bytes.extend(number.to_be_bytes());
        }
        bytes
    }

    fn rows(bytes: &[u8]) -> Vec<RowResult> {
        let mut rows = Vec::new();
        safari(bytes, &mut |row| rows.push(row));
        rows
    }

    #[test]
    fn binary_bookmarks_are_read() {
        let list = binary(&[
            b"\xd2\x01\x02\x03\x04",
            b"\x5f\x10\x0fWebBookmarkType",
            b"\x58Children",
            b"\x51x",
            b"\xa1\x05",
            b"\xd2\x06\x07\x08\x09",
            b"\x59URLString",
            b"\x5d\x55RIDictionary",
            b"\x5f\x10\x13https://a.example/1",
            b"\xd1\x0a\x0b",
            b"\x55title",
            b"\x62\x00O\x00\xfc",
        ]);
        assert!(is_bookmarks(&list));
        let rows = rows(&list);
        let row = rows[0].as_ref().unwrap();
        assert_eq!(
            (row.url.as_deref(), row.title.as_deref()),
            (Some("https://a.example/1"), Some("O\u{fc}"))
        );
    }

    #[test]
    fn hostile_binary_list_is_refused() {
        // A list that contains itself.
        assert_eq!(rows(&binary(&[b"\xa2\x00\x00"])), [Err(InvalidRow::Malformed)]);
        assert_eq!(
            rows(&binary(&[b"\xaf\x13\xff\xff\xff\xff\xff\xff\xff\xff"])),
            [Err(InvalidRow::Malformed)]
        );
        for length in 0..40 {
            assert_eq!(
                rows(&BINARY.iter().copied().chain([0xff; 64]).take(8 + length).collect::<Vec<_>>()),
                [Err(InvalidRow::Malformed)]
            );
        }
    }

    #[test]
    fn bookmarks_in_xml_have_folders_and_the_reading_list() {
        let text = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>WebBookmarkType</key><string>WebBookmarkTypeList</string>\
            <key>Children</key><array><dict><key>Title</key><string>BookmarksBar</string><key>Children</key><array><dict>\
            <key>Title</key><string>Work</string><key>Children</key><array><dict><key>URLString</key><string>https://a.example/1\
            </string><key>URIDictionary</key><dict><key>title</key><string>A &amp; B</string></dict></dict></array></dict></array></dict>\
            <dict><key>Title</key><string>com.apple.ReadingList</string><key>Children</key><array><dict><key>URLString</key>\
            <string>https://a.example/2</string><key>ReadingList</key><dict><key>DateAdded</key><date>2024-01-01T00:00:00Z</date>\
            <key>PreviewText</key><string>words</string></dict></dict></array></dict></array></dict></plist>";
        assert!(is_bookmarks(text.as_bytes()));
        let rows = rows(text.as_bytes());
        let (first, second) = (rows[0].as_ref().unwrap(), rows[1].as_ref().unwrap());
        assert_eq!(
            (first.title.as_deref(), first.folders.clone()),
            (Some("A & B"), vec![vec!["Work".to_owned()]])
        );
        assert_eq!(first.extra["root"], "BookmarksBar");
        assert_eq!((second.status, second.saved_at), (Some(ImportStatus::Later), Some(1_704_067_200_000)));
        assert_eq!(second.extra["PreviewText"], "words");
    }
}
