//! Reads delimited text (CSV, TSV and similar) as a table.

use super::sheets::Sheets;
use crate::charset;
use crate::delimited::{self, Records};
use crate::document::{ExtractionSource, Input};
use crate::draft::DraftResult;

#[expect(clippy::unnecessary_wraps, reason = "all readers in the format table have one type")]
pub(in crate::formats) fn read(input: &Input) -> DraftResult {
    let text = charset::decode(&input.bytes, input.content_type.as_deref());
    let mut sheets = Sheets::default();
    let mut records = Records::new(delimited::guess(&text));
    let mut take = |record: Result<delimited::DelimitedRecord<'_>, delimited::Oversized>| match record {
        Ok(record) => {
            for (column, cell) in record.fields().enumerate() {
                sheets.put(column, &cell);
            }
            sheets.end_row(1);
        }
        Err(_) => sheets.cut = true,
    };
    records.push(text.as_bytes(), &mut take);
    records.finish(&mut take);
    let mut draft = sheets.finish("");
    draft.source = Some(ExtractionSource::PlainText);
    Ok(draft)
}
