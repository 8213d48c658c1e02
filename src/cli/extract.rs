//! `carrel extract`: a long-lived filter, one page at a time, in this process.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context;
use clap::Args;

/// How pages are given.
#[derive(Debug, Args)]
#[command(after_help = "In:  {\"id\":\"1\",\"url\":\"https://example.com/\",\"html_path\":\"page.html\"}
Out: {\"id\":\"1\",\"text\":\"…\",\"title\":\"…\",\"author\":null,\"date\":null,\"site\":null,\"lang\":\"en\",\"ms\":3.2}")]
pub(super) struct Arguments {
    /// One JSON object a line on standard input, one a line on standard output: the one form there is.
    #[arg(long)]
    jsonl: bool,
}

/// Answers line by line until the input ends.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.jsonl && std::io::stdin().is_terminal() {
        eprintln!("reading JSON objects, one a line; `carrel extract --help` shows them");
    }
    ::extract::tokens::warm();
    // Extraction recurses over the page; it gets the stack that a worker's child process has.
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(answer_all)?;
    thread.join().map_err(|_| anyhow::anyhow!("the filter broke"))?
}

fn answer_all() -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("standard input cannot be read")?;
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
