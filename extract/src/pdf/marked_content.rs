//! Determines the marked content and the font of each glyph, which `pdf-extract` does not report.
//!
//! `pdf-extract` reports filled areas. Therefore, before a page is read, its content is rewritten: at each
//! change of state, an empty area is inserted that does not occur in real pages. A corner of the area encodes
//! the index of the new state in a table.

use std::collections::HashMap;

use pdf_extract::{
    Dictionary, Document, Object, ObjectId, Path, PathOp, Stream, content::Content, content::Operation,
};

use super::text;

/// Coordinate of a corner that identifies an inserted area.
const CORNER: f64 = -7_340_033.0;
/// Maximum number of states of a page.
const MAX_STATES: usize = 60_000;
/// Maximum nesting depth of marked content.
const MAX_NESTED: usize = 256;

/// Maximum number of bytes of a page's content that is rewritten.
const MAX_BYTES: usize = 16 << 20;

/// State of the glyphs that follow an inserted area.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct MarkedContentState {
    /// Id of the marked content, which is unique within its page.
    pub(super) content: Option<i64>,
    /// Replacement text of the glyphs.
    pub(super) actual: Option<ActualText>,
    /// True if the font is monospaced.
    pub(super) mono: bool,
    pub(super) bold: bool,
}

/// Replacement text of rendered glyphs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActualText {
    pub(super) text: String,
    /// Number that distinguishes adjacent replacement texts with the same value.
    number: usize,
}

/// States of a page by index. The first element is the initial state.
pub(super) type States = Vec<MarkedContentState>;

/// Rewrites the content of a page and returns its states. Content that cannot be parsed is unchanged.
pub(super) fn mark(document: &mut Document, page: ObjectId) -> States {
    let mut states = vec![MarkedContentState::default()];
    let Ok(bytes) = document.get_page_content(page) else { return states };
    if bytes.len() > MAX_BYTES {
        return states;
    }
    let Ok(content) = Content::decode(&bytes) else { return states };
    drop(bytes);
    let resources = Resources::of(document, page);
    let mut writer = MarkedTextWriter::new(resources, &mut states);
    for operation in content.operations {
        writer.add(operation);
    }
    let Ok(marked) = (Content { operations: writer.out }).encode() else {
        return vec![MarkedContentState::default()];
    };
    let contents = document.add_object(Stream::new(Dictionary::new(), marked));
    if let Ok(own) = document.get_object_mut(page).and_then(Object::as_dict_mut) {
        own.set("Contents", contents);
    }
    states
}

/// Empties the content of a page that has been read.
pub(super) fn drop_content(document: &mut Document, page: ObjectId) {
    let contents =
        document.get_dictionary(page).and_then(|own| own.get(b"Contents")).and_then(Object::as_reference);
    if let Ok(id) = contents
        && let Some(Object::Stream(stream)) = document.objects.get_mut(&id)
    {
        stream.set_content(Vec::new());
    }
}

/// Index of the state that an area announces. `None` if the area was not inserted.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number that does not fit is not a state"
)]
pub(super) fn state_of(path: &Path) -> Option<usize> {
    match path.ops.last()? {
        PathOp::Rect(x, number, _, _) if (*x - CORNER).abs() < 1.0 => Some(number.max(0.0) as usize),
        _ => None,
    }
}

/// Fonts and property lists of a page, by name.
#[derive(Default)]
struct Resources {
    /// For each font, true if it is monospaced, and true if it is bold.
    fonts: HashMap<Vec<u8>, (bool, bool)>,
    properties: HashMap<Vec<u8>, Dictionary>,
}

impl Resources {
    fn of(document: &Document, page: ObjectId) -> Self {
        let mut resources = Self::default();
        let mut at = Some(page);
        for _ in 0..64 {
            let Some(own) = at.and_then(|id| document.get_dictionary(id).ok()) else { break };
            if let Some(own) = text::dictionary(document, own, b"Resources") {
                for (name, font) in text::dictionary(document, own, b"Font").into_iter().flatten() {
                    if let Some(font) = text::resolved(document, font).and_then(|font| font.as_dict().ok()) {
                        resources.fonts.insert(name.clone(), face(document, font));
                    }
                }
                for (name, list) in text::dictionary(document, own, b"Properties").into_iter().flatten() {
                    if let Some(list) = text::resolved(document, list).and_then(|list| list.as_dict().ok()) {
                        resources.properties.insert(name.clone(), list.clone());
                    }
                }
                break;
            }
            at = own.get(b"Parent").and_then(Object::as_reference).ok();
        }
        resources
    }
}

/// Returns two flags, which are derived from the flags and the name of the font. The first is true if the
/// font is monospaced, and the second if it is bold.
fn face(document: &Document, font: &Dictionary) -> (bool, bool) {
    let own = text::array(document, font, b"DescendantFonts")
        .and_then(|fonts| text::resolved(document, fonts.first()?))
        .and_then(|font| font.as_dict().ok())
        .unwrap_or(font);
    let flags = text::dictionary(document, own, b"FontDescriptor")
        .and_then(|about| about.get(b"Flags").and_then(Object::as_i64).ok())
        .unwrap_or(0);
    let name = font.get(b"BaseFont").and_then(Object::as_name).unwrap_or_default();
    let name = String::from_utf8_lossy(name).to_lowercase();
    let fixed = ["mono", "courier", "consol", "typewriter", "menlo", "cmtt", "fixed"];
    let heavy = ["bold", "black", "heavy"];
    (
        flags & 1 != 0 || fixed.iter().any(|word| name.contains(word)),
        flags & 0x4_0000 != 0 || heavy.iter().any(|word| name.contains(word)),
    )
}

struct MarkedTextWriter<'s> {
    resources: Resources,
    states: &'s mut States,
    out: Vec<Operation>,
    /// Current state.
    now: MarkedContentState,
    /// Enclosing marked content. Its nesting is independent of the saved graphics states in `fonts`.
    contents: Vec<(Option<i64>, Option<ActualText>)>,
    fonts: Vec<(bool, bool)>,
    actuals: usize,
}

impl MarkedTextWriter<'_> {
    fn add(&mut self, mut operation: Operation) {
        // The reader ignores these operators and retains their path, which the next painting operator would
        // then paint.
        if matches!(operation.operator.as_str(), "f*" | "B" | "B*" | "b" | "b*" | "s") {
            "f".clone_into(&mut operation.operator);
        }
        let before = self.now.clone();
        match operation.operator.as_str() {
            "BMC" => self.open(None),
            "BDC" => self.open(operation.operands.get(1).cloned()),
            "EMC" => {
                if let Some((content, actual)) = self.contents.pop() {
                    self.now.content = content;
                    self.now.actual = actual;
                }
            }
            "Tf" => {
                let name =
                    operation.operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
                (self.now.mono, self.now.bold) = self.resources.fonts.get(name).copied().unwrap_or_default();
            }
            "q" if self.fonts.len() < MAX_STATES => self.fonts.push((self.now.mono, self.now.bold)),
            "Q" => {
                if let Some(font) = self.fonts.pop() {
                    (self.now.mono, self.now.bold) = font;
                }
            }
            _ => {}
        }
        self.out.push(operation);
        if before != self.now && self.states.len() < MAX_STATES {
            let number = i64::try_from(self.states.len()).unwrap_or_default();
            #[expect(clippy::cast_possible_truncation, reason = "an integer that fits")]
            let corner = CORNER as i64;
            self.out.push(Operation::new("n", Vec::new()));
            self.out.push(Operation::new("re", vec![corner.into(), number.into(), 0.into(), 0.into()]));
            self.out.push(Operation::new("f", Vec::new()));
            self.states.push(self.now.clone());
        }
    }

    fn open(&mut self, properties: Option<Object>) {
        if self.contents.len() >= MAX_NESTED {
            return;
        }
        self.contents.push((self.now.content, self.now.actual.clone()));
        let list = match properties {
            Some(Object::Dictionary(list)) => list,
            Some(Object::Name(name)) => match self.resources.properties.get(&name) {
                Some(list) => list.clone(),
                None => return,
            },
            _ => return,
        };
        if let Ok(content) = list.get(b"MCID").and_then(Object::as_i64) {
            self.now.content = Some(content);
        }
        if let Ok(bytes) = list.get(b"ActualText").and_then(Object::as_str) {
            self.actuals += 1;
            self.now.actual = Some(ActualText { text: text::decoded(bytes), number: self.actuals });
        }
    }
}

impl<'s> MarkedTextWriter<'s> {
    fn new(resources: Resources, states: &'s mut States) -> Self {
        Self {
            resources,
            states,
            out: Vec::new(),
            now: MarkedContentState::default(),
            contents: Vec::new(),
            fonts: Vec::new(),
            actuals: 0,
        }
    }
}
