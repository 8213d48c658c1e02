//! Compares the blocks of printed pages with the blocks of their HTML: block F1 of `NAME.tagged.pdf` and
//! `NAME.plain.pdf` against `NAME.html`, for all names in a folder. Blocks match if kind and text are equal;
//! white space outside of code is ignored. `-v` prints the differences.
//!
//! `cargo run -p carrel-extract --example pdf_blocks -- extract/tests/pdf [-v] [NAME ...]`

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
    time::Instant,
};

use extract::{Block, BlockKind, ExtractionOutcome, Input};

type BlockCounts = BTreeMap<(String, String), i64>;

fn main() -> io::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|arg| arg == "-v");
    args.retain(|arg| arg != "-v");
    let Some(folder) = args.first().cloned() else { return Ok(()) };
    let mut names: Vec<String> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".html").map(str::to_owned))
        .filter(|name| args.len() == 1 || args[1..].contains(name))
        .collect();
    names.sort();
    let mut out = io::stdout().lock();
    for form in ["tagged", "plain"] {
        let mut total = (0, 0, 0);
        for name in &names {
            let path = |end: &str| Path::new(&folder).join(format!("{name}.{end}"));
            let page = counts(&blocks(&path("html"), "text/html")?);
            let began = Instant::now();
            let printed = counts(&blocks(&path(&format!("{form}.pdf")), "application/pdf")?);
            let took = began.elapsed();
            let same: i64 =
                page.iter().map(|(key, count)| printed.get(key).map_or(0, |other| *count.min(other))).sum();
            let (own, other): (i64, i64) = (page.values().sum(), printed.values().sum());
            total = (total.0 + same, total.1 + own, total.2 + other);
            writeln!(
                out,
                "{form:7} {name:10} {:.3}  {same}/{own}/{other}  {} ms",
                f1(same, own, other),
                took.as_millis()
            )?;
            if verbose {
                differ(&mut out, "-", &page, &printed)?;
                differ(&mut out, "+", &printed, &page)?;
            }
        }
        writeln!(out, "{form:7} all        {:.3}", f1(total.0, total.1, total.2))?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "numbers of blocks are small")]
fn f1(same: i64, one: i64, other: i64) -> f64 {
    2.0 * same as f64 / (one + other).max(1) as f64
}

fn blocks(path: &Path, mime: &str) -> io::Result<Vec<Block>> {
    let bytes = std::fs::read(path)?;
    let input = Input { bytes, content_type: Some(mime.to_owned()), url: None };
    Ok(match extract::extract(&input) {
        ExtractionOutcome::Document(document) => document.blocks,
        _ => Vec::new(),
    })
}

fn counts(blocks: &[Block]) -> BlockCounts {
    let mut counts = BlockCounts::new();
    for block in blocks {
        let text = match block.kind {
            BlockKind::Code => block.text.clone(),
            _ => block.text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        *counts.entry((block.kind.as_str().to_owned(), text)).or_default() += 1;
    }
    counts
}

fn differ(out: &mut impl Write, sign: &str, one: &BlockCounts, other: &BlockCounts) -> io::Result<()> {
    for ((kind, text), count) in one {
        if count > other.get(&(kind.clone(), text.clone())).unwrap_or(&0) {
            writeln!(out, "    {sign} {kind}: {text:?}")?;
        }
    }
    Ok(())
}
