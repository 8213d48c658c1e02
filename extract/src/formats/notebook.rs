//! Reads Jupyter notebooks: the text and the code of their cells, and the text of their outputs.

use serde_json::Value;

use crate::{
    charset, clean,
    document::{Block, BlockKind, Category, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
    html, markdown, plain,
};

/// Maximum number of cells in a notebook.
const MAX_CELLS: usize = 10_000;

/// True for JSON with the top-level keys of a notebook.
pub(super) fn is_notebook(bytes: &[u8]) -> bool {
    let has = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
    bytes.trim_ascii_start().first() == Some(&b'{')
        && has(b"\"nbformat\"")
        && (has(b"\"cells\"") || has(b"\"worksheets\""))
}

pub(super) fn read(input: &Input) -> DraftResult {
    let text = charset::decode(&input.bytes, input.content_type.as_deref());
    let Ok(notebook) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else {
        return plain::read(input);
    };
    // In version 3, the cells are in worksheets.
    let sheets =
        notebook["worksheets"].as_array().into_iter().flatten().filter_map(|sheet| sheet["cells"].as_array());
    let cells: Vec<&Value> = notebook["cells"].as_array().into_iter().chain(sheets).flatten().collect();
    if cells.is_empty() && notebook["cells"].as_array().is_none() {
        return Err(ReadError::Broken);
    }
    let language = language(&notebook["metadata"]);
    let mut reader =
        CellReader { language, url: input.url.as_deref(), blocks: Vec::new(), is_partial: false };
    reader.is_partial = cells.len() > MAX_CELLS;
    for cell in cells.into_iter().take(MAX_CELLS) {
        reader.cell(cell);
    }
    let heading = reader.blocks.iter().find(|block| block.kind == BlockKind::Heading);
    let mut draft = Draft {
        title: title(&notebook["metadata"]).or_else(|| heading.map(|block| clean::fold(&block.title()))),
        author: author(&notebook["metadata"]),
        quality: Some(Quality::Complete),
        category: Some(Category::Code),
        blocks: reader.blocks,
        ..Draft::default()
    };
    if reader.is_partial {
        draft.report_missing_part();
    }
    Ok(draft)
}

fn title(metadata: &Value) -> Option<String> {
    let title = metadata["title"].as_str().map(clean::fold);
    title.filter(|title| !title.is_empty())
}

fn author(metadata: &Value) -> Option<String> {
    let authors = metadata["authors"].as_array()?.iter();
    let names: Vec<String> =
        authors.filter_map(|author| Some(clean::fold(author["name"].as_str()?))).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Language of the code cells.
fn language(metadata: &Value) -> Option<String> {
    let name = metadata["kernelspec"]["language"]
        .as_str()
        .or_else(|| metadata["language_info"]["name"].as_str())
        .or_else(|| {
            metadata["kernelspec"]["name"]
                .as_str()
                .filter(|name| name.starts_with("python"))
                .map(|_| "python")
        })?;
    let name = name.to_ascii_lowercase();
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'-'));
    (is_word && !name.is_empty() && name.len() <= 24).then_some(name)
}

struct CellReader<'n> {
    language: Option<String>,
    url: Option<&'n str>,
    blocks: Vec<Block>,
    /// True if content was omitted.
    is_partial: bool,
}

impl CellReader<'_> {
    fn cell(&mut self, cell: &Value) {
        let source = joined(if cell["source"].is_null() { &cell["input"] } else { &cell["source"] });
        match cell["cell_type"].as_str().unwrap_or_default() {
            "markdown" => self.blocks.extend(markdown::read_text(&source, self.url).blocks),
            "heading" => {
                let level = cell["level"].as_u64().and_then(|level| u8::try_from(level.clamp(1, 6)).ok());
                let text = clean::fold(&source);
                self.blocks.push(Block { kind: BlockKind::Heading, text, level, ..Block::default() });
            }
            "code" => {
                let language = cell["language"].as_str().map(str::to_owned).or_else(|| self.language.clone());
                self.code(&source, language);
                for output in cell["outputs"].as_array().into_iter().flatten() {
                    self.output(output);
                }
            }
            _ => self.code(&source, None),
        }
    }

    fn code(&mut self, text: &str, language: Option<String>) {
        self.blocks.push(plain::code_block(text, language));
    }

    /// Reads the richest text of an output. Outputs without text, such as images, are omitted.
    fn output(&mut self, output: &Value) {
        match output["output_type"].as_str().unwrap_or_default() {
            "stream" => self.code(&without_colours(&joined(&output["text"])), None),
            "error" | "pyerr" => {
                let traceback = output["traceback"].as_array();
                let lines: Vec<&str> = traceback.into_iter().flatten().filter_map(Value::as_str).collect();
                let name = output["ename"].as_str().unwrap_or_default();
                let summary = || format!("{name}: {}", output["evalue"].as_str().unwrap_or_default());
                let text = if lines.is_empty() { summary() } else { lines.join("\n") };
                self.code(&without_colours(&text), None);
            }
            _ => self.data(if output["data"].is_object() { &output["data"] } else { output }),
        }
    }

    fn data(&mut self, data: &Value) {
        // Version 3 uses short keys instead of media types for the formats of an output.
        let form = |media_type: &str, name: &str| {
            [media_type, name].iter().map(|key| joined(&data[*key])).find(|text| !text.trim().is_empty())
        };
        // Version 3 uses the image formats as keys.
        let is_image = |key: &String| key.contains("image") || matches!(key.as_str(), "png" | "jpeg" | "svg");
        let has_image = data.as_object().is_some_and(|forms| forms.keys().any(is_image));
        if let Some(text) = form("text/markdown", "markdown") {
            self.blocks.extend(markdown::read_text(&text, self.url).blocks);
        } else if let Some(table) = form("text/html", "html").map(|markup| html::whole_page(&markup))
            && table.iter().any(|block| block.kind == BlockKind::Table)
        {
            self.blocks.extend(table);
        } else if let Some(text) = form("text/latex", "latex").as_deref().and_then(formula) {
            self.blocks.push(Block { kind: BlockKind::Math, text: text.to_owned(), ..Block::default() });
        } else if let Some(text) = form("text/plain", "text") {
            // The plain text of an image is only the name of its class.
            self.is_partial |= has_image && text.trim_start().starts_with('<');
            self.code(&without_colours(&text), None);
        } else if let Some(text) = form("text/latex", "latex") {
            self.code(&text, Some("latex".to_owned()));
        } else {
            self.is_partial |= has_image;
        }
    }
}

/// Text of a string or of a list of lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// TeX of a text that consists of one formula, without its delimiters. `None` for other LaTeX, such as a table.
fn formula(text: &str) -> Option<&str> {
    let text = text.trim();
    let delimited = [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")]
        .into_iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    let environments = ["equation", "align", "gather", "multline", "eqnarray"];
    let is_environment = || {
        text.strip_prefix("\\begin{")
            .is_some_and(|rest| environments.iter().any(|name| rest.starts_with(name)))
    };
    let tex = delimited.or_else(|| is_environment().then_some(text))?.trim();
    (!tex.is_empty() && !tex.contains('$')).then_some(tex)
}

/// Removes the escape sequences that colour the output of a terminal.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = match sequence.strip_prefix('[') {
            Some(codes) => {
                let end = codes.find(|c: char| !matches!(c, '0'..='9' | ';' | '?')).unwrap_or(codes.len());
                codes[end..].strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(&codes[end..])
            }
            None => sequence,
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use crate::{
        BlockKind, Quality, Warning,
        formats::tests::{read, texts},
    };

    const NOTEBOOK: &str = r##"{"cells": [
        {"cell_type": "markdown", "source": ["# Lamps\n", "\n", "See *this*."]},
        {"cell_type": "code", "source": "def a():\n    return 1\n", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["\u001b[31mred\u001b[0m\n", "  two\n"]},
            {"output_type": "execute_result", "data": {"text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "text/plain": "a b"}},
            {"output_type": "display_data", "data": {"image/png": "iVBORw0=", "text/plain": "<Figure size 640x480>"}},
            {"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}]},
        {"cell_type": "raw", "source": "raw"}],
        "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4, "nbformat_minor": 5}"##;

    #[test]
    fn cells_and_outputs_are_read_in_order() {
        for kind in ["application/json", "text/plain", "application/x-ipynb+json", "application/octet-stream"]
        {
            let document = read(NOTEBOOK.as_bytes().to_vec(), Some(kind));
            assert_eq!(document.title, "Lamps");
            assert_eq!(document.blocks[2].language.as_deref(), Some("python"));
            assert_eq!(
                (document.quality, document.warnings.as_slice()),
                (Some(Quality::Partial), [Warning::TruncatedSource].as_slice()),
                "a picture is missing"
            );
            assert_eq!(
                texts(&document.blocks),
                [
                    (BlockKind::Heading, "Lamps"),
                    (BlockKind::Paragraph, "See this."),
                    (BlockKind::Code, "def a():\n    return 1"),
                    (BlockKind::Code, "red\n  two"),
                    (BlockKind::Table, "| a | b |\n| --- | --- |\n| 1 | 2 |"),
                    (BlockKind::Code, "<Figure size 640x480>"),
                    (BlockKind::Code, "E: v"),
                    (BlockKind::Code, "raw"),
                ]
            );
        }
    }

    #[test]
    fn cells_of_version_3_are_read() {
        let notebook = r#"{"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": ["Two"]},
            {"cell_type": "code", "language": "python", "input": ["a = 1"], "outputs": [{"output_type": "pyout", "text": ["1"]}]}]}],
            "metadata": {"name": ""}, "nbformat": 3}"#;
        let document = read(notebook.as_bytes().to_vec(), Some("application/json"));
        assert_eq!(document.quality, Some(Quality::Complete));
        assert_eq!(
            texts(&document.blocks),
            [(BlockKind::Heading, "Two"), (BlockKind::Code, "a = 1"), (BlockKind::Code, "1")]
        );
    }

    #[test]
    fn latex_output_is_a_formula_unless_it_is_a_table() {
        let expected = [
            (r"$\\displaystyle x_{1}$", BlockKind::Math, r"\displaystyle x_{1}"),
            ("$$x_1$$", BlockKind::Math, "x_1"),
            (r"\\[x_1\\]", BlockKind::Math, "x_1"),
            (r"\\begin{align}x_1\\end{align}", BlockKind::Math, r"\begin{align}x_1\end{align}"),
            (r"\\begin{tabular}{l}1\\end{tabular}", BlockKind::Code, "x1"),
            ("$x_1$ and $x_2$", BlockKind::Code, "x1"),
        ];
        for (latex, kind, text) in expected {
            let notebook = format!(
                r#"{{"cells": [{{"cell_type": "code", "source": "x", "outputs": [{{"output_type": "execute_result",
                "data": {{"text/latex": ["{latex}"], "text/plain": "x1"}}}}]}}], "metadata": {{}}, "nbformat": 4}}"#
            );
            let document = read(notebook.into_bytes(), Some("application/json"));
            assert_eq!(texts(&document.blocks)[1], (kind, text), "{latex}");
        }
    }

    #[test]
    fn broken_notebook_is_read_as_text() {
        let document = read(NOTEBOOK.as_bytes()[..300].to_vec(), Some("application/x-ipynb+json"));
        assert_eq!(document.blocks[0].kind, BlockKind::Code);
    }
}
