//! Table of the formats as Markdown, for the documentation.

use super::formats::{Detection, FORMATS, FormatRow};

/// Table with a row per format: name, value of the parameter `format`, detection, fields, and example.
pub fn format_table() -> String {
    let head = "| file | `format` | recognised by | imported | example |\n|---|---|---|---|---|\n".to_owned();
    FORMATS.iter().fold(head, |table, row| table + &line(row))
}

fn line(row: &FormatRow) -> String {
    let fields: Vec<&str> = row.fields.iter().map(|field| field.label()).collect();
    let example = row.example;
    format!(
        "| {} | `{}` | {} | {} | [{example}](../extract/src/imports/examples/{example}) |\n",
        row.name,
        row.format.as_str(),
        recognised_by(&row.detection),
        fields.join(", "),
    )
}

fn recognised_by(detection: &Detection) -> String {
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match detection {
        Detection::Columns(names) => format!("columns {}", quoted(names)),
        Detection::Members(names) => format!("members {}", quoted(names)),
        Detection::Text(_, description)
        | Detection::Table(_, description)
        | Detection::Bytes(_, description) => (*description).to_owned(),
        Detection::Never => "the name in an archive".to_owned(),
    }
}
