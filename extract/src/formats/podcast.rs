//! Reads the JSON files of Podcasting 2.0: the chapters of an episode as a list, each with its start time, and
//! transcripts.

use serde_json::Value;

use super::transcript::Transcript;
use crate::{
    charset, clean,
    document::{Block, BlockKind, Input, Link, ListItemPosition, Mark, Quality, Style, bound},
    draft::{Draft, DraftResult, ReadError},
    feed, plain,
};

/// Maximum number of chapters in a file.
const MAX_CHAPTERS: usize = 1_000;
/// Maximum number of segments of a transcript, which may be single words.
const MAX_SEGMENTS: usize = 200_000;

/// True for a JSON object with the members of a chapters file or of a transcript.
pub(super) fn is_podcast_file(bytes: &[u8]) -> bool {
    let has = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
    bytes.trim_ascii_start().first() == Some(&b'{')
        && has(b"\"version\"")
        && has(b"\"startTime\"")
        && (has(b"\"chapters\"") || has(b"\"segments\"") && has(b"\"body\""))
}

pub(super) fn read(input: &Input) -> DraftResult {
    let text = charset::decode(&input.bytes, input.content_type.as_deref());
    let Ok(file) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else {
        return plain::read(input);
    };
    match (file["chapters"].as_array(), file["segments"].as_array()) {
        (Some(listed), _) => chapters(&file, listed),
        (None, Some(segments)) => transcript(segments),
        (None, None) => plain::read(input),
    }
}

fn chapters(file: &Value, listed: &[Value]) -> DraftResult {
    let mut blocks: Vec<Block> = listed.iter().take(MAX_CHAPTERS).filter_map(chapter).collect();
    if blocks.is_empty() {
        return Err(ReadError::Broken);
    }
    blocks.sort_by(|a, b| a.start_seconds.unwrap_or(0.0).total_cmp(&b.start_seconds.unwrap_or(0.0)));
    let line = |name: &str| file[name].as_str().map(clean::fold).filter(|line| !line.is_empty());
    let mut draft = Draft {
        title: line("title"),
        author: line("author"),
        publisher: line("podcastName"),
        quality: Some(Quality::Complete),
        blocks,
        ..Draft::default()
    };
    if listed.len() > MAX_CHAPTERS {
        draft.report_missing_part();
    }
    Ok(draft)
}

/// Converts a chapter to a block. `None` for chapters without a title, and for chapters that the file hides
/// from lists. Such chapters are only positions for players.
fn chapter(chapter: &Value) -> Option<Block> {
    let start_seconds = chapter["startTime"].as_f64().filter(|start| *start >= 0.0)?;
    let text = chapter["title"].as_str().map(clean::fold).filter(|title| !title.is_empty())?;
    if chapter["toc"] == Value::Bool(false) {
        return None;
    }
    let url = chapter["url"].as_str().and_then(feed::readable_url);
    let links: Vec<Link> = url.map(|url| Link { text: text.clone(), url }).into_iter().collect();
    let mark = |_: &Link| Mark { start: 0, end: bound(text.len()), style: Style::Link(0) };
    Some(Block {
        kind: BlockKind::ListItem,
        marks: links.iter().map(mark).collect(),
        links,
        list: Some(ListItemPosition { depth: 0, number: None }),
        start_seconds: Some(start_seconds),
        text,
        ..Block::default()
    })
}

fn transcript(segments: &[Value]) -> DraftResult {
    let mut transcript = Transcript::default();
    let mut last_end = 0.0;
    for segment in segments.iter().take(MAX_SEGMENTS) {
        let start = segment["startTime"].as_f64().unwrap_or(last_end);
        last_end = segment["endTime"].as_f64().unwrap_or(start);
        let speaker = segment["speaker"].as_str().map(clean::fold).filter(|name| !name.is_empty());
        let text = clean::fold(segment["body"].as_str().unwrap_or_default());
        transcript.add(speaker, &text, (start, last_end));
    }
    let mut draft = transcript.draft()?;
    draft.media_type = Some("application/json".to_owned());
    if segments.len() > MAX_SEGMENTS {
        draft.report_missing_part();
    }
    Ok(draft)
}

#[cfg(test)]
mod tests;
