//! Splits a JSON file into its elements, of which only one is in memory at a time.

use serde_json::Value;

use super::mapping;
use super::row::{InvalidRow, MAX_ROW_BYTES};

/// Names of lists that contain rows, in a file that is an object.
const LISTS: &[&str] =
    &["bookmarks", "items", "entries", "links", "articles", "rows", "results", "data", "recommendations"];
/// Name of the object that contains the lists in responses of the wallabag API.
const INNER: &str = "_embedded";
/// Names of lists that describe rows of other lists.
const OTHER_LISTS: &[&str] =
    &["tags", "labels", "lists", "folders", "collections", "categories", "feeds", "users", "errors"];
/// Maximum number of bytes of a list name that are compared.
const MAX_NAME_BYTES: usize = 64;

/// True if a file is an empty list, or an object whose lists are all empty.
pub(super) fn has_no_rows(file: &Value) -> bool {
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    match file {
        Value::Object(members) => {
            LISTS.iter().any(|name| members.contains_key(*name))
                && members.values().all(|value| !value.is_array() || is_empty(value))
                && members.values().any(is_empty)
        }
        other => is_empty(other),
    }
}

/// Finds the elements of the outermost list, or of a list of rows in the outermost object.
pub(super) struct Elements {
    /// Names of lists that contain rows. `None` if all but [`OTHER_LISTS`] may contain rows.
    lists: Option<&'static [&'static str]>,
    depth: usize,
    /// 1 inside the object that contains the lists of an API page, otherwise 0.
    inner: usize,
    /// Depth inside the list; `None` outside of it.
    list: Option<usize>,
    in_string: bool,
    escaped: bool,
    /// Last string at the top level of the outermost object, which names the next value.
    name: Vec<u8>,
    element: Vec<u8>,
    too_long: bool,
    outermost: Outermost,
}

/// Current outermost object. An object without a list of rows is itself a row, as in files with one object
/// per line.
enum Outermost {
    /// Outermost objects are not rows.
    Ignored,
    /// Bytes of the object.
    Read(Vec<u8>),
    /// The object contains a list of rows.
    HasRows,
    TooLong,
}

impl Default for Elements {
    fn default() -> Self {
        Self { outermost: Outermost::Read(Vec::new()), ..Self::of(LISTS) }
    }
}

impl Elements {
    /// Reader of the lists with these names.
    pub(super) fn of(lists: &'static [&'static str]) -> Self {
        Self::named(Some(lists))
    }

    /// Reader of all lists of the outermost object that may contain rows.
    pub(super) fn any() -> Self {
        Self { outermost: Outermost::Read(Vec::new()), ..Self::named(None) }
    }

    fn named(lists: Option<&'static [&'static str]>) -> Self {
        Self {
            lists,
            depth: 0,
            inner: 0,
            list: None,
            in_string: false,
            escaped: false,
            name: Vec::new(),
            element: Vec::new(),
            too_long: false,
            outermost: Outermost::Ignored,
        }
    }

    /// Finishes the file. If the file is truncated, its last element is still read if it is complete.
    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(Result<Value, InvalidRow>)) {
        if self.list == Some(self.depth) && !self.in_string && self.element.ends_with(b"}") {
            self.emit(visit);
        }
        if self.depth > 0 || self.in_string {
            visit(Err(InvalidRow::Truncated));
        }
    }

    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(Result<Value, InvalidRow>)) {
        for &byte in piece {
            let depth = self.depth;
            self.step(byte, visit);
            self.follow_outermost(byte, depth, visit);
        }
    }

    /// Adds a byte to the outermost object, and passes the object on if it is a row. `depth` is the depth
    /// before the byte.
    fn follow_outermost(&mut self, byte: u8, depth: usize, visit: &mut dyn FnMut(Result<Value, InvalidRow>)) {
        let is_outside = depth == 0 && self.depth == 0;
        if is_outside || matches!(self.outermost, Outermost::Ignored) {
            return;
        }
        if self.list.is_some() {
            self.outermost = Outermost::HasRows;
        }
        match &mut self.outermost {
            Outermost::Read(bytes) if bytes.len() < MAX_ROW_BYTES => bytes.push(byte),
            Outermost::Read(_) => self.outermost = Outermost::TooLong,
            Outermost::Ignored | Outermost::HasRows | Outermost::TooLong => {}
        }
        if self.depth > 0 {
            return;
        }
        match std::mem::replace(&mut self.outermost, Outermost::Read(Vec::new())) {
            Outermost::Read(bytes) => {
                if let Ok(Value::Object(members)) = serde_json::from_slice(&bytes)
                    && mapping::has_url(members.keys().map(String::as_str))
                {
                    visit(Ok(Value::Object(members)));
                }
            }
            Outermost::TooLong => visit(Err(InvalidRow::TooLong)),
            Outermost::Ignored | Outermost::HasRows => {}
        }
    }

    fn step(&mut self, byte: u8, visit: &mut dyn FnMut(Result<Value, InvalidRow>)) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ if self.depth == 1 + self.inner
                    && self.list.is_none()
                    && self.name.len() < MAX_NAME_BYTES =>
                {
                    self.name.push(byte);
                }
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                if self.depth == 1 + self.inner && self.list.is_none() {
                    self.name.clear();
                }
                self.keep(byte);
            }
            b'[' | b'{' => {
                if byte == b'{' && self.depth == 1 && self.list.is_none() && self.name == INNER.as_bytes() {
                    self.inner = 1;
                }
                self.keep(byte);
                self.depth += 1;
                let is_list = byte == b'[' && self.list.is_none();
                let is_in = |lists: &[&str]| lists.iter().any(|name| name.as_bytes() == self.name);
                let is_named = self.lists.map_or_else(|| !is_in(OTHER_LISTS), is_in);
                let is_rows = self.depth == 1 || self.depth == 2 + self.inner && is_named;
                if is_list && is_rows {
                    self.list = Some(self.depth);
                    self.element.clear();
                }
            }
            b']' | b'}' if self.list == Some(self.depth) => {
                self.emit(visit);
                self.list = None;
                self.depth = self.depth.saturating_sub(1);
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 1 {
                    self.inner = 0;
                }
                self.keep(byte);
            }
            b',' if self.list == Some(self.depth) => self.emit(visit),
            other => self.keep(other),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.list.is_none() || self.too_long {
            return;
        }
        if self.element.len() == MAX_ROW_BYTES {
            self.too_long = true;
            self.element = Vec::new();
            return;
        }
        self.element.push(byte);
    }

    fn emit(&mut self, visit: &mut dyn FnMut(Result<Value, InvalidRow>)) {
        if std::mem::take(&mut self.too_long) {
            self.element.clear();
            visit(Err(InvalidRow::TooLong));
        } else if !self.element.trim_ascii().is_empty() {
            let parsed = serde_json::from_slice(&self.element)
                .or_else(|_| serde_json::from_str(&String::from_utf8_lossy(&self.element)));
            visit(parsed.map_err(|_| InvalidRow::Malformed));
            self.element.clear();
        }
    }
}
