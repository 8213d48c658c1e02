//! Formulas of DOCX files (Office Math), as TeX.

use crate::{
    formats::xml::{XmlEvent, value},
    tex::{Expr, is_function, parse_characters},
};

/// Maximum nesting depth of a formula. Deeper elements are skipped.
const MAX_DEPTH: usize = 100;

#[derive(Debug, Default)]
struct FormulaElement {
    name: String,
    value: Option<String>,
    text: String,
    children: Vec<FormulaElement>,
}

/// Reader that builds a formula from the events of the XML parser.
#[derive(Debug, Default)]
pub(super) struct FormulaReader {
    open: Vec<FormulaElement>,
    /// Number of open elements beyond the maximum depth.
    skipped: usize,
}

impl FormulaReader {
    /// Reads one event. Returns the formula as TeX when its root element closes.
    pub(super) fn read(&mut self, step: &XmlEvent<'_>) -> Option<String> {
        match step {
            XmlEvent::Open(..) if self.open.len() >= MAX_DEPTH => self.skipped += 1,
            XmlEvent::Open(name, attributes) => self.open.push(FormulaElement {
                name: (*name).to_owned(),
                value: value(attributes, "val").map(str::to_owned),
                ..FormulaElement::default()
            }),
            XmlEvent::Text(text) => {
                if let Some(open) = self.open.last_mut().filter(|open| open.name == "t") {
                    open.text.push_str(text);
                }
            }
            XmlEvent::Close(_) if self.skipped > 0 => self.skipped -= 1,
            XmlEvent::Close(_) => {
                let done = self.open.pop()?;
                match self.open.last_mut() {
                    Some(parent) => parent.children.push(done),
                    None => return Some(done.content().tex()),
                }
            }
        }
        None
    }
}

impl FormulaElement {
    fn child(&self, name: &str) -> Option<&FormulaElement> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Expression in the child with this name. Empty if the child is missing.
    #[expect(clippy::unnecessary_box_returns, reason = "expressions contain boxes")]
    fn part(&self, name: &str) -> Box<Expr> {
        Box::new(self.child(name).map_or_else(Expr::empty, FormulaElement::content))
    }

    /// Value of a property. `None` if the property is missing.
    fn property(&self, name: &str) -> Option<&str> {
        let properties = self.children.iter().find(|child| child.name.ends_with("Pr"))?;
        Some(properties.child(name)?.value.as_deref().unwrap_or_default())
    }

    /// True if an on/off property is present and not switched off.
    fn is_on(&self, name: &str) -> bool {
        self.property(name).is_some_and(|value| !matches!(value, "0" | "off" | "false"))
    }

    fn content(&self) -> Expr {
        let mut items: Vec<Expr> = self.children.iter().flat_map(FormulaElement::expressions).collect();
        if items.len() == 1 { items.remove(0) } else { Expr::Row(items) }
    }

    fn expressions(&self) -> Vec<Expr> {
        let script = |name: &str| Some(self.part(name));
        vec![match self.name.as_str() {
            "r" => return self.run(),
            name if name.ends_with("Pr") => return Vec::new(),
            "f" if self.property("type") == Some("noBar") => Expr::Stack(self.part("num"), self.part("den")),
            "f" => Expr::Fraction(self.part("num"), self.part("den")),
            "rad" => {
                let index = self.part("deg");
                let is_square = self.is_on("degHide") || *index == Expr::empty();
                Expr::Root { radicand: self.part("e"), index: (!is_square).then_some(index) }
            }
            "sSup" => Expr::Scripts { base: self.part("e"), sub: None, sup: script("sup") },
            "sSub" => Expr::Scripts { base: self.part("e"), sub: script("sub"), sup: None },
            "sSubSup" => Expr::Scripts { base: self.part("e"), sub: script("sub"), sup: script("sup") },
            "sPre" => {
                let empty = Box::new(Expr::empty());
                let before = Expr::Scripts { base: empty, sub: script("sub"), sup: script("sup") };
                return vec![before, *self.part("e")];
            }
            "nary" => return self.large_operator(),
            "d" => self.delimited(),
            "func" => return vec![*self.part("fName"), *self.part("e")],
            "limLow" => Expr::Limits { base: self.part("e"), under: script("lim"), over: None },
            "limUpp" => Expr::Limits { base: self.part("e"), under: None, over: script("lim") },
            "acc" => self.accented("\u{302}", false),
            "bar" => self.accented("‾", self.property("pos") != Some("top")),
            "groupChr" => self.accented("⏟", self.property("pos") != Some("top")),
            "m" => self.table("mr", false),
            "eqArr" => self.table("", true),
            "borderBox" => Expr::Command("\\boxed", self.part("e")),
            "phant" => Expr::Command("\\phantom", self.part("e")),
            _ => self.content(),
        }]
    }

    /// Content of a run of characters. A run marked as normal text is prose, not symbols.
    fn run(&self) -> Vec<Expr> {
        let texts = self.children.iter().filter(|child| child.name == "t");
        let text: String = texts.map(|child| child.text.as_str()).collect();
        if self.is_on("nor") {
            return vec![Expr::Text(text)];
        }
        let font = match (self.property("scr"), self.property("sty")) {
            (Some("double-struck"), _) => Some("\\mathbb"),
            (Some("script"), _) => Some("\\mathcal"),
            (Some("fraktur"), _) => Some("\\mathfrak"),
            (_, Some("p")) => Some("\\mathrm"),
            (_, Some("b")) => Some("\\mathbf"),
            // Some editors do not mark function names such as `sin` as upright.
            _ => is_function(text.trim()).then_some("\\mathrm"),
        };
        parse_characters(&text, font)
    }

    /// Sum, product or integral with its limits, followed by the expression to which it applies.
    fn large_operator(&self) -> Vec<Expr> {
        let symbol = self.property("chr").filter(|symbol| !symbol.is_empty()).unwrap_or("∫");
        let limit = |name: &str, hidden: &str| (!self.is_on(hidden)).then(|| self.part(name));
        let base = Box::new(Expr::Operator(symbol.to_owned()));
        let (under, over) = (limit("sub", "subHide"), limit("sup", "supHide"));
        vec![Expr::Limits { base, under, over }, *self.part("e")]
    }

    fn delimited(&self) -> Expr {
        let delimiter = |name: &str, default: &str| self.property(name).unwrap_or(default).to_owned();
        let items = self.children.iter().filter(|child| child.name == "e").map(FormulaElement::content);
        Expr::Fenced {
            open: delimiter("begChr", "("),
            close: delimiter("endChr", ")"),
            separator: delimiter("sepChr", "|"),
            items: items.collect(),
        }
    }

    fn accented(&self, default: &str, is_below: bool) -> Expr {
        let symbol = self.property("chr").unwrap_or(default).to_owned();
        let accent = Some(Box::new(Expr::Operator(symbol)));
        let (under, over) = if is_below { (accent, None) } else { (None, accent) };
        Expr::Limits { base: self.part("e"), under, over }
    }

    /// Table from the rows of a matrix, or from equations that are arranged vertically if `row` is empty.
    fn table(&self, row: &str, is_aligned: bool) -> Expr {
        let rows: Vec<Vec<Expr>> = if row.is_empty() {
            let lines = self.children.iter().filter(|child| child.name == "e");
            lines.map(|line| vec![line.content()]).collect()
        } else {
            let cells = |row: &FormulaElement| {
                row.children.iter().filter(|child| child.name == "e").map(FormulaElement::content).collect()
            };
            self.children.iter().filter(|child| child.name == row).map(cells).collect()
        };
        Expr::Table { rows, is_aligned }
    }
}
