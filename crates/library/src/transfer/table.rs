//! Export of a library as a CSV table (RFC 4180). Cells that a spreadsheet program could interpret as
//! formulas are escaped.

use entities::library_item;

use kernel::rfc3339;

/// Header line with the names of the columns.
pub(super) const HEAD: &str = "id,url,title,author,publishedAt,savedAt,status,tags,contentKind,readProgress,lastReadAt,externalId,\
     originalUrl,domain,finishedAt,notes,metadata\r\n";

/// Formats an item as a line of the table. `notes` are the texts of its notes.
pub(super) fn line(row: &library_item::Model, tags: &[String], notes: &[String]) -> String {
    let cells = [
        row.id.to_string(),
        row.url.clone(),
        row.title.clone(),
        row.author.clone().unwrap_or_default(),
        row.published_at.clone().unwrap_or_default(),
        rfc3339(row.saved_at),
        row.status.as_str().to_owned(),
        tag_cell(tags),
        row.content_kind.as_str().to_owned(),
        row.read_progress.map(|percent| percent.to_string()).unwrap_or_default(),
        row.last_read_at.map(rfc3339).unwrap_or_default(),
        row.external_id.clone().unwrap_or_default(),
        row.original_url.clone().unwrap_or_default(),
        row.domain.clone(),
        row.finished_at.map(rfc3339).unwrap_or_default(),
        notes.join("\n\n"),
        row.metadata.clone().unwrap_or_default(),
    ];
    cells.map(|cell| quoted(&cell)).join(",") + "\r\n"
}

/// Joins tags with commas. If a tag contains a character that separates or encloses tags, returns a JSON list instead.
pub(super) fn tag_cell(tags: &[String]) -> String {
    let is_ambiguous = |tag: &String| {
        tag.contains([',', '|', ';', '"']) || tag.starts_with(['[', '\'']) || tag.ends_with('\'')
    };
    if tags.iter().any(is_ambiguous) {
        return serde_json::Value::from(tags.to_vec()).to_string();
    }
    tags.join(", ")
}

/// Returns true if a spreadsheet program could interpret a cell as a formula.
pub(super) fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

/// Quotes a cell of a table if necessary. Escapes text that a spreadsheet program could interpret as a
/// formula.
pub(super) fn quoted(cell: &str) -> String {
    let is_formula = is_formula(cell);
    let guard = if is_formula { "'" } else { "" };
    if is_formula || cell.contains(['"', ',', '\n', '\r']) {
        return format!("\"{guard}{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use entities::ids::{AccountId, ItemId};

    use super::*;
    use crate::item;

    #[test]
    fn table_line_has_one_cell_per_column() {
        let row = library_item::Model {
            url: "https://example.org/1".to_owned(),
            original_url: Some("https://example.org/1?utm_source=a".to_owned()),
            domain: "example.org".to_owned(),
            finished_at: Some(1_704_067_200_000),
            metadata: Some("{\"a\":1}".to_owned()),
            ..item::blank(ItemId::from_u128(1), AccountId::MAX, 0)
        };
        let text = line(&row, &["x".to_owned()], &["First".to_owned(), "Second".to_owned()]);
        let end = text.split_once("https://example.org/1?").unwrap().1;
        assert_eq!(
            end,
            "utm_source=a,example.org,2024-01-01T00:00:00.000Z,\"First\n\nSecond\",\"{\"\"a\"\":1}\"\r\n"
        );
        assert_eq!(text.split(',').count(), HEAD.split(',').count());
        assert!(HEAD.ends_with("originalUrl,domain,finishedAt,notes,metadata\r\n"));
    }

    #[test]
    fn cell_that_starts_like_a_formula_is_escaped() {
        assert_eq!(quoted("a"), "a");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        for evil in ["=1+1", "+1", "-1", "@x", "\tx", "\rx"] {
            assert!(quoted(evil).starts_with("\"'"), "{evil:?}");
        }
    }

    #[test]
    fn tags_with_separators_or_enclosing_characters_are_written_as_a_json_list() {
        let tags =
            |names: &[&str]| tag_cell(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(tags(&["a", "b c"]), "a, b c");
        assert_eq!(tags(&["don't", "a[1]"]), "don't, a[1]");
        assert_eq!(tags(&["a,b", "c"]), r#"["a,b","c"]"#);
        for tag in ["[x]", "[x", r#"["x"]"#, r#"say "x""#, "'x", "x'", "x;y", "x|y"] {
            let cell = tags(&["a", tag]);
            assert_eq!(serde_json::from_str::<Vec<String>>(&cell).unwrap(), ["a", tag], "{cell}");
        }
    }
}
