//! Line filter of the extraction benchmark: requests on standard input, responses on standard output, one
//! page at a time in this process. With an argument (`jsonl TREES.bin`), it uses the classifier trees of that
//! file instead of the compiled ones.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    extract::tokens::warm();
    if let Some(path) = std::env::args().nth(1)
        && !extract::fitting::load_override(&std::fs::read(&path)?)
    {
        return Err(io::Error::other(format!("{path} contains no classifier trees")));
    }
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = extract::jsonl::answer(&line?, |path| std::fs::read(path));
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}
