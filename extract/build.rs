//! Writes the vocabulary of `o200k_base` in the compact form that `src/tokens/vocabulary.rs` reads: the
//! number of tokens, the length of each token, and then the bytes of all tokens. The tables of the tokenizer
//! crate would take 40 MB in every process.

#![expect(clippy::disallowed_methods, reason = "build scripts read their settings from the environment")]

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let tokenizer = tiktoken_rs::o200k_base()?;
    let mut lengths = Vec::new();
    let mut bytes = Vec::new();
    // Ranks are consecutive up to the special tokens, which do not occur in text.
    for rank in 0.. {
        let Ok(token) = tokenizer.decode_bytes(&[rank]) else { break };
        if token.starts_with(b"<|end") {
            break;
        }
        lengths.push(u8::try_from(token.len())?);
        bytes.extend(token);
    }
    let mut file = u32::try_from(lengths.len())?.to_le_bytes().to_vec();
    file.extend(lengths);
    file.extend(bytes);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("o200k.bin"), file)?;
    Ok(())
}
