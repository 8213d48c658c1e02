//! Path of an invalid field in a request, and the reason. Names are the field names of domain types, in snake case; a
//! surface with other names renders the path itself.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A field of an object.
    Name(Cow<'static, str>),
    /// An item of a list, counted from zero.
    Index(usize),
}

/// Path of a field in a request. Displayed as a JSON pointer (RFC 6901).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath(Vec<Segment>);

/// An invalid field and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    pub path: FieldPath,
    pub reason: String,
}

impl FieldError {
    pub fn new(path: impl Into<FieldPath>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

impl FieldPath {
    /// Parses a JSON pointer.
    pub fn of_pointer(pointer: &str) -> Self {
        let unescape = |step: &str| step.replace("~1", "/").replace("~0", "~");
        let segment = |step: &str| match step.parse() {
            Ok(index) => Segment::Index(index),
            Err(_) => Segment::Name(unescape(step).into()),
        };
        Self(pointer.split('/').skip(1).map(segment).collect())
    }

    /// Prefixes the path with `parent`.
    #[must_use]
    pub fn below(self, parent: &'static str) -> Self {
        let mut segments = vec![Segment::Name(parent.into())];
        segments.extend(self.0);
        Self(segments)
    }

    /// Steps of the path, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Name of the outermost field; `None` for the request as a whole.
    pub fn root(&self) -> Option<&str> {
        match self.0.first() {
            Some(Segment::Name(name)) => Some(name),
            Some(Segment::Index(_)) | None => None,
        }
    }

    /// Path as words for a sentence, for example `interval minutes`.
    pub fn words(&self) -> String {
        let words: Vec<String> = self
            .0
            .iter()
            .map(|segment| match segment {
                Segment::Name(name) => name.replace('_', " "),
                Segment::Index(index) => index.to_string(),
            })
            .collect();
        words.join(" ")
    }

    /// JSON pointer with every name converted by `spell`.
    pub fn pointer(&self, spell: impl Fn(&str) -> String) -> String {
        let mut pointer = String::new();
        for segment in &self.0 {
            pointer.push('/');
            match segment {
                Segment::Name(name) => pointer.push_str(&spell(name).replace('~', "~0").replace('/', "~1")),
                Segment::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

impl From<&'static str> for FieldPath {
    fn from(name: &'static str) -> Self {
        Self(vec![Segment::Name(name.into())])
    }
}

impl Display for FieldPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.pointer(str::to_owned))
    }
}

impl Display for FieldError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.reason)
    }
}

#[cfg(test)]
mod tests;
