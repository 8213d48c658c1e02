//! Prints the units of pages and their features, for fitting the main-part classifier: requests of the
//! benchmark protocol on standard input, one JSON object per page on standard output.

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question: serde_json::Value = serde_json::from_str(&line?)?;
        let markup = std::fs::read_to_string(question["html_path"].as_str().unwrap_or_default())?;
        let page = extract::fitting::units(&markup, question["url"].as_str());
        let mut line = serde_json::to_value(page)?;
        line["id"] = question["id"].clone();
        writeln!(stdout, "{line}")?;
        stdout.flush()?;
    }
    Ok(())
}
