//! Proposes fields for the columns of a table or the members of JSON objects: by their names, or else by
//! their values. Only the start of a file is read.

use std::collections::HashSet;

use serde_json::Value;

use super::column_map::{ColumnField, ColumnMap};
use super::guess::start_of;
use super::json::Elements;
use super::mapping;
use super::row::Format;
use super::table::{Cells, TableReader};
use super::values;

/// Maximum number of rows that are read.
const MAX_ROWS: usize = 50;
/// Maximum number of names that are compared.
const MAX_NAMES: usize = 500;

/// Name with its first values.
type ColumnSample = (String, Vec<String>);

/// Format of a table or a list of objects, and the fields of its columns. `None` if the file is neither, or
/// has no row.
pub fn propose_columns(head: &[u8]) -> Option<(Format, ColumnMap)> {
    let text = start_of(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() || text.contains('\0') || text.starts_with('<') {
        return None;
    }
    let (format, samples) =
        if text.starts_with(['[', '{']) { (Format::Json, members(text)) } else { (Format::Csv, cells(text)) };
    if samples.is_empty() { None } else { Some((format, fields(&samples))) }
}

pub fn has_urls(columns: &ColumnMap) -> bool {
    columns.columns().any(|(field, _)| field == ColumnField::Url)
}

fn fields(samples: &[ColumnSample]) -> ColumnMap {
    let mut fields: Vec<(Option<usize>, ColumnField, String)> = Vec::new();
    for (name, _) in samples {
        let known = mapping::known(name);
        let field = known.map_or(ColumnField::Metadata, |(_, meaning)| ColumnField::of(meaning));
        fields.push((known.map(|(at, _)| at), field, name.clone()));
    }
    if fields.iter().all(|(_, field, _)| *field != ColumnField::Url) {
        let with_urls = samples.iter().position(|(_, values)| are_urls(values));
        if let Some((_, field, _)) = with_urls.and_then(|at| fields.get_mut(at)) {
            *field = ColumnField::Url;
        }
    }
    if fields.iter().all(|(_, field, _)| *field != ColumnField::Title) {
        let is_title =
            |((_, values), (_, field, _)): (&ColumnSample, &(Option<usize>, ColumnField, String))| {
                *field == ColumnField::Metadata && are_titles(values)
            };
        let titles = samples.iter().zip(&fields).position(is_title);
        if let Some((_, field, _)) = titles.and_then(|at| fields.get_mut(at)) {
            *field = ColumnField::Title;
        }
    }
    // If several columns have the same field, the column with the usual name is read first.
    fields.sort_by_key(|(at, ..)| at.unwrap_or(usize::MAX));
    ColumnMap::of(fields.into_iter().map(|(_, field, name)| (field, name)))
}

fn are_urls(values: &[String]) -> bool {
    let is_url = |value: &String| value.starts_with("http://") || value.starts_with("https://");
    !values.is_empty() && values.iter().all(is_url)
}

/// True if the values are different texts with letters, and most of them have several words.
fn are_titles(values: &[String]) -> bool {
    let different: HashSet<&String> = values.iter().collect();
    let is_text = |value: &&String| value.chars().any(char::is_alphabetic) && !value.contains("://");
    let has_words = values.iter().filter(|value| value.contains(char::is_whitespace)).count();
    values.len() > 1
        && different.len() == values.len()
        && different.iter().all(|value| is_text(value) && values::time(value).is_none())
        && has_words * 2 > values.len()
}

fn cells(text: &str) -> Vec<ColumnSample> {
    let (mut head, mut rows): (Option<Vec<String>>, Vec<Vec<String>>) = (None, Vec::new());
    let mut add = |cells: Cells| {
        let Ok(cells) = cells else { return };
        if head.is_none() {
            head = Some(cells);
        } else if rows.len() < MAX_ROWS {
            rows.push(cells);
        }
    };
    let mut table = TableReader::default();
    table.push(text.as_bytes(), &mut add);
    table.finish(&mut add);
    let head = head.unwrap_or_default();
    if head.len() < 2 && rows.is_empty() {
        return Vec::new();
    }
    let values = |at: usize| {
        let column = rows.iter().filter_map(|row| row.get(at));
        column.map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect()
    };
    let named = head.iter().take(MAX_NAMES).enumerate();
    named.map(|(at, name)| (name.trim().to_owned(), values(at))).collect()
}

fn members(text: &str) -> Vec<ColumnSample> {
    let (mut samples, mut count): (Vec<ColumnSample>, usize) = (Vec::new(), 0);
    Elements::any().push(text.as_bytes(), &mut |element| {
        if let Ok(Value::Object(members)) = element
            && count < MAX_ROWS
        {
            count += 1;
            for (name, value) in mapping::flattened(members) {
                let text = value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
                let is_below_limit = samples.len() < MAX_NAMES;
                match samples.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, values)) => values.extend(text),
                    None if is_below_limit => samples.push((name, text.into_iter().collect())),
                    None => {}
                }
            }
        }
    });
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(text: &str) -> (Format, String) {
        let (format, map) = propose_columns(text.as_bytes()).unwrap();
        (format, map.to_string())
    }

    #[test]
    fn columns_are_recognised_by_their_names_and_values() {
        let table = "Name;Adresse;Topics;Rank\nOne;https://a.example/1;x;4\nTwo;https://a.example/2;;5\n";
        let expected = "title=Name,url=Adresse,metadata=Topics,metadata=Rank";
        assert_eq!(proposed(table), (Format::Csv, expected.to_owned()));
        let two_urls = "sourceUrl,url,state\nhttps://a.example/1,https://b.example/1,read\n";
        assert_eq!(proposed(two_urls).1, "url=url,url=sourceUrl,status=state");
        let no_urls = propose_columns(b"a,b\n1,2").unwrap();
        assert!(!has_urls(&no_urls.1));
        assert!(propose_columns(b"just words").is_none());
        assert!(propose_columns(b"<p>x").is_none());
    }

    #[test]
    fn columns_are_recognised_in_other_languages_and_titles_by_their_values() {
        let german = "Nr.;Bezeichnung;Verweis;Rubrik;Angelegt;Bemerkung;Wichtig\n\
            1;Brot backen;https://a.example/1;K\u{fc}che;01.03.2023;gut;ja\n";
        let expected = "title=Bezeichnung,saved=Angelegt,folder=Rubrik,star=Wichtig,note=Bemerkung,metadata=Nr.,url=Verweis";
        assert_eq!(proposed(german).1, expected);
        let unnamed = "no,when,what,kind,where\n1,2024-01-01,How to bake,bread,https://a.example/1\n\
            2,2024-01-02,Seven rivers,water,https://a.example/2\n3,2024-01-03,Tea,tea,https://a.example/3\n";
        let expected = "metadata=no,metadata=when,title=what,metadata=kind,url=where";
        assert_eq!(proposed(unnamed).1, expected);
    }

    #[test]
    fn members_of_objects_are_recognised() {
        let json = r#"{"version":1,"saved":[{"page":{"where":"https://a.example/1","heading":"One"},"labels":["x"]}"#;
        let complete = format!("{json}]}}");
        let expected = "tags=labels,url=page.where,metadata=page.heading";
        assert_eq!(proposed(&complete), (Format::Json, expected.to_owned()));
        assert!(propose_columns(b"{\"a\":1}").is_none());
        let with_nul = r#"[{"url":"https://a.example/1","a\u0000b":"x"}]"#;
        assert_eq!(proposed(with_nul).1, "url=url");
    }
}
