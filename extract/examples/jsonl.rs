//! The line filter of the extraction benchmark as a program of its own: questions on standard input, answers on standard
//! output, one page at a time in this process.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    extract::tokens::warm();
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = extract::jsonl::answer(&line?, |path| std::fs::read(path));
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}
