//! `carrel extract`: a long-running filter that extracts one page at a time in this process.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context;
use clap::Args;

/// Arguments of `carrel extract`.
#[derive(Debug, Args)]
#[command(after_help = "In:  {\"id\":\"1\",\"url\":\"https://example.com/\",\"html_path\":\"page.html\"}
Out: {\"id\":\"1\",\"text\":\"…\",\"title\":\"…\",\"author\":null,\"date\":null,\"site\":null,\"lang\":\"en\",\"ms\":3.2}")]
pub(super) struct ExtractArgs {
    /// Read one JSON object per line from standard input and print one per line. This is the only mode.
    #[arg(long)]
    jsonl: bool,
}

/// Answers each input line until standard input ends.
pub(super) fn run(arguments: &ExtractArgs) -> anyhow::Result<()> {
    if !arguments.jsonl && std::io::stdin().is_terminal() {
        eprintln!("reading one JSON object per line; see `carrel extract --help`");
    }
    ::extract::tokens::warm();
    // Extraction recurses over the page, so it gets the same stack size as in a sandbox process.
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(answer_all)?;
    thread.join().map_err(|_| anyhow::anyhow!("the extraction thread panicked"))?
}

fn answer_all() -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("failed to read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = ::extract::jsonl::answer(&line, |path| std::fs::read(path));
        writeln!(output, "{}", answer.trim_end())
            .and_then(|()| output.flush())
            .context("standard output is closed")?;
    }
    Ok(())
}
