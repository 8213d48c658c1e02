//! The line filter of the extraction benchmark as a program of its own: questions on standard input, answers on standard
//! output, one page at a time in this process. With a file of trees as its argument it judges by them instead of those
//! compiled in: `jsonl TREES.bin`.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    extract::tokens::warm();
    if let Some(path) = std::env::args().nth(1)
        && !extract::fitting::load_override(&std::fs::read(&path)?)
    {
        return Err(io::Error::other(format!("{path} holds no trees")));
    }
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = extract::jsonl::answer(&line?, |path| std::fs::read(path));
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}
