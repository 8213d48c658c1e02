//! Delimited text in pieces of any size.

use super::*;

fn read(text: &str, step: usize) -> Vec<Option<Vec<String>>> {
    let mut rows = Vec::new();
    let mut records = Records::new(guess(text));
    let mut take = |record: Result<DelimitedRecord<'_>, Oversized>| {
        rows.push(record.ok().map(|record| record.fields().map(Cow::into_owned).collect()));
    };
    for piece in text.as_bytes().chunks(step) {
        records.push(piece, &mut take);
    }
    records.finish(&mut take);
    rows
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be missing")]
fn row(cells: &[&str]) -> Option<Vec<String>> {
    Some(cells.iter().map(|&cell| cell.to_owned()).collect())
}

#[test]
fn records_do_not_depend_on_piece_size() {
    let text = "a,b\r\n\"x, \"\"y\"\"\nz\",ü\n\nlast,";
    for step in 1..text.len() {
        let rows = [row(&["a", "b"]), row(&["x, \"y\"\nz", "ü"]), row(&["last", ""])];
        assert_eq!(read(text, step), rows, "{step}");
    }
    assert!(read("", 1).is_empty());
}

#[test]
fn oversized_record_is_reported_and_the_next_record_is_read() {
    let long = format!("a,b\n\"{}\",c\nd,e\n", "x".repeat(MAX_RECORD_BYTES + 1));
    assert_eq!(read(&long, 64 * 1024), [row(&["a", "b"]), None, row(&["d", "e"])]);
    let wide = format!("a,b\n{}\nd,e\n", ",".repeat(MAX_FIELDS * 3));
    assert_eq!(read(&wide, 64 * 1024), [row(&["a", "b"]), None, row(&["d", "e"])]);
    // An unclosed quote extends the record to the end of the file. Memory use must remain within the limit.
    let open = format!("a,b\n\"{}", "x\n".repeat(MAX_RECORD_BYTES));
    assert_eq!(read(&open, 64 * 1024), [row(&["a", "b"]), None]);
}

#[test]
fn delimiter_is_guessed_from_first_line() {
    assert_eq!(guess("a;b;\"c,,,,\"\n1,2,3,4,5"), b';');
    assert_eq!(guess("a\tb"), b'\t');
    assert_eq!(guess("one"), b',');
    assert_eq!(guess("a,b;c"), b',');
}
