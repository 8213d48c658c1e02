//! Archives: writes and reads tar entries, with the checksums of all entries at the end.

use std::io::{self, Read, Write};

use anyhow::{Context, bail, ensure};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::{ABOUT, About, CHECKSUMS, FORMAT};

/// Maximum size of `backup.json`, in bytes.
const MAX_ABOUT_BYTES: u64 = 64 * 1024;
/// Permissions of entries. They are strict, because an archive contains password hashes and the signing
/// secret.
const MODE: u32 = 0o600;

/// Writes an archive entry by entry.
pub(super) struct ArchiveWriter<W: Write> {
    tar: tar::Builder<W>,
    created_at: u64,
    checksums: String,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive with its description. `created_at` is in seconds since 1970.
    pub(super) fn start(out: W, about: &About, created_at: u64) -> anyhow::Result<Self> {
        let mut writer = Self { tar: tar::Builder::new(out), created_at, checksums: String::new() };
        let text = serde_json::to_vec_pretty(about)?;
        writer.add(ABOUT, text.len() as u64, text.as_slice())?;
        Ok(writer)
    }

    /// Appends an entry of `size` bytes.
    ///
    /// # Errors
    /// If the content cannot be read or has another size, or the archive cannot be written.
    pub(super) fn add(&mut self, name: &str, size: u64, content: impl Read) -> anyhow::Result<()> {
        let mut content = HashingReader::new(content.take(size));
        self.append(name, size, &mut content).with_context(|| format!("{name} cannot be copied"))?;
        ensure!(content.bytes == size, "{name} has {} bytes instead of {size}", content.bytes);
        self.checksums.push_str(&checksum_line(name, content.hash));
        Ok(())
    }

    fn append(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(MODE);
        header.set_mtime(self.created_at);
        self.tar.append_data(&mut header, name, content)
    }

    /// Appends the checksums and completes the archive.
    pub(super) fn finish(mut self) -> anyhow::Result<W> {
        let checksums = std::mem::take(&mut self.checksums);
        self.append(CHECKSUMS, checksums.len() as u64, checksums.as_bytes())?;
        Ok(self.tar.into_inner()?)
    }
}

/// Entry of an archive after `backup.json`.
pub(super) struct ArchiveEntry<'a> {
    pub(super) name: String,
    /// Size in bytes.
    pub(super) size: u64,
    pub(super) content: &'a mut dyn Read,
}

/// Reads an archive to its end. `on_about` is called first, then `on_entry` for each entry, in order. Entries
/// are verified only at the end: a caller must not use them before this function returns.
///
/// # Errors
/// If the archive is incomplete, damaged, or from a newer version, or a callback fails.
pub(super) fn read(
    source: impl Read,
    on_about: impl FnOnce(&About) -> anyhow::Result<()>,
    mut on_entry: impl FnMut(ArchiveEntry<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<About> {
    const NOT_AN_ARCHIVE: &str = "this is not a backup of Carrel, or it is damaged";
    let mut archive = tar::Archive::new(source);
    let mut entries = archive.entries().context(NOT_AN_ARCHIVE)?;
    let mut first = HashingReader::new(entries.next().context(NOT_AN_ARCHIVE)?.context(NOT_AN_ARCHIVE)?);
    ensure!(first.content.path_bytes().as_ref() == ABOUT.as_bytes(), NOT_AN_ARCHIVE);
    let mut text = Vec::new();
    (&mut first).take(MAX_ABOUT_BYTES).read_to_end(&mut text)?;
    let about: About = serde_json::from_slice(&text).context(NOT_AN_ARCHIVE)?;
    ensure!(about.format == FORMAT, "the backup was made by a newer version of Carrel ({})", about.version);
    on_about(&about)?;
    let mut checksums = checksum_line(ABOUT, first.hash);
    for entry in entries {
        let mut entry = entry.context(NOT_AN_ARCHIVE)?;
        let name = String::from_utf8(entry.path_bytes().into_owned()).context(NOT_AN_ARCHIVE)?;
        if name == CHECKSUMS {
            let mut expected = String::new();
            entry.read_to_string(&mut expected).context(NOT_AN_ARCHIVE)?;
            return compare(&checksums, &expected).map(|()| about);
        }
        let size = entry.size();
        let mut content = HashingReader::new(entry);
        on_entry(ArchiveEntry { name: name.clone(), size, content: &mut content })
            .with_context(|| format!("{name} cannot be copied"))?;
        // A callback may skip the content.
        io::copy(&mut content, &mut io::sink()).with_context(|| format!("{name} cannot be read"))?;
        ensure!(content.bytes == size, "the backup is incomplete: it breaks off in {name}");
        checksums.push_str(&checksum_line(&name, content.hash));
    }
    bail!("the backup is incomplete: it has no checksums");
}

/// Compares the checksums of the entries with the checksums in the archive.
fn compare(actual: &str, expected: &str) -> anyhow::Result<()> {
    if actual == expected {
        return Ok(());
    }
    let differs = |(actual, expected): &(&str, &str)| actual != expected;
    match actual.lines().zip(expected.lines()).find(differs) {
        Some((_, line)) => {
            bail!("the backup is damaged: {}", line.split_once("  ").map_or(line, |(_, name)| name))
        }
        None => bail!("the backup is damaged: entries are missing"),
    }
}

fn checksum_line(name: &str, hash: Sha256) -> String {
    format!("{}  {name}\n", HEXLOWER.encode(&hash.finalize()))
}

/// Reader that hashes and counts the bytes that are read through it.
struct HashingReader<R> {
    content: R,
    hash: Sha256,
    bytes: u64,
}

impl<R> HashingReader<R> {
    fn new(content: R) -> Self {
        Self { content, hash: Sha256::new(), bytes: 0 }
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.hash.update(&buffer[..count]);
        self.bytes += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::DatabaseKind;
    use super::*;

    fn about() -> About {
        About {
            format: FORMAT,
            version: "0.2.0".to_owned(),
            created_at: "2026-01-01T00:00:00Z".to_owned(),
            database: DatabaseKind::Sqlite,
        }
    }

    fn archive() -> Vec<u8> {
        let mut writer = ArchiveWriter::start(Vec::new(), &about(), 1_700_000_000).unwrap();
        writer.add("database", 3, &b"abc"[..]).unwrap();
        writer.add("files/account/1/x", 2_000, &vec![7; 2_000][..]).unwrap();
        writer.finish().unwrap()
    }

    fn names(bytes: &[u8]) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        read(
            bytes,
            |_| Ok(()),
            |entry| {
                names.push(format!("{} {}", entry.name, entry.size));
                Ok(())
            },
        )?;
        Ok(names)
    }

    #[test]
    fn archive_content_round_trips() {
        assert_eq!(names(&archive()).unwrap(), ["database 3", "files/account/1/x 2000"]);
    }

    #[test]
    fn every_changed_byte_of_an_entry_and_every_truncation_is_detected() {
        let whole = archive();
        let name = b"  files/account/1/x\n";
        let end = whole.windows(name.len()).rposition(|bytes| bytes == name).unwrap() + name.len();
        for at in (0..end).step_by(97).chain([end - 1]) {
            assert!(names(&whole[..at]).is_err(), "cut at {at}");
        }
        let content = whole.windows(3).position(|bytes| bytes == b"abc").unwrap();
        let file = whole.windows(9).position(|bytes| bytes == [7; 9]).unwrap();
        for (at, name) in [(content, "database"), (file + 100, "files/account/1/x")] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            let error = names(&damaged).unwrap_err().to_string();
            assert_eq!(error, format!("the backup is damaged: {name}"));
        }
    }

    #[test]
    fn entry_content_with_another_size_is_refused() {
        let mut writer = ArchiveWriter::start(Vec::new(), &about(), 0).unwrap();
        let error = writer.add("database", 4, &b"abc"[..]).unwrap_err().to_string();
        assert_eq!(error, "database has 3 bytes instead of 4");
    }

    #[test]
    fn archives_of_newer_versions_and_other_files_are_refused() {
        let newer = About { format: FORMAT + 1, version: "9.0.0".to_owned(), ..about() };
        let newer = ArchiveWriter::start(Vec::new(), &newer, 0).unwrap().finish().unwrap();
        let error = names(&newer).unwrap_err().to_string();
        assert_eq!(error, "the backup was made by a newer version of Carrel (9.0.0)");
        for other in [&b""[..], b"words", &[0; 2_048]] {
            assert!(names(other).unwrap_err().to_string().contains("not a backup"), "{other:?}");
        }
    }
}
