//! Part of an export: lines and files in a ZIP archive. The archive is written to an unnamed temporary file,
//! which is then copied to the blob store. Compression and file access run on blocking threads.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use kernel::{Error, Result};

/// Size from which a part counts as complete, in bytes. A part can slightly exceed this size.
pub(super) const PART_BYTES: u64 = 2 * 1024 * 1024 * 1024 - 300 * 1024 * 1024;
/// Number of bytes of lines that are compressed in one step.
const CHUNK_BYTES: usize = 1024 * 1024;
/// Number of bytes that are copied to the blob store in one step.
const COPY_BYTES: usize = 1024 * 1024;

/// Archive that is being written.
pub(super) struct Archive {
    zip: Option<ZipWriter<File>>,
    lines: Vec<u8>,
    written: u64,
}

/// Unnamed temporary file.
pub(super) struct Spooled {
    file: Option<File>,
}

impl Archive {
    pub(super) async fn create() -> Result<Self> {
        let zip = blocking(|| Ok(ZipWriter::new(tempfile::tempfile()?))).await?;
        Ok(Self { zip: Some(zip), lines: Vec::new(), written: 0 })
    }

    /// Returns the number of bytes written, before compression.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Starts an entry with this name.
    pub(super) async fn start(&mut self, name: String, method: CompressionMethod) -> Result<()> {
        self.flush().await?;
        let options = SimpleFileOptions::default().compression_method(method).large_file(true);
        self.with(move |zip| zip.start_file(name, options).map_err(std::io::Error::other)).await
    }

    /// Writes a line of JSON to the open entry.
    pub(super) async fn line(&mut self, line: &impl serde::Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.lines, line).map_err(Error::internal)?;
        self.lines.push(b'\n');
        if self.lines.len() >= CHUNK_BYTES { self.flush().await } else { Ok(()) }
    }

    /// Writes bytes to the open entry.
    pub(super) async fn bytes(&mut self, bytes: Bytes) -> Result<()> {
        self.flush().await?;
        self.written += bytes.len() as u64;
        self.with(move |zip| zip.write_all(&bytes)).await
    }

    async fn flush(&mut self) -> Result<()> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return Ok(());
        }
        self.written += lines.len() as u64;
        self.with(move |zip| zip.write_all(&lines)).await
    }

    async fn with(
        &mut self,
        work: impl FnOnce(&mut ZipWriter<File>) -> std::io::Result<()> + Send + 'static,
    ) -> Result<()> {
        let mut zip = self.zip.take().ok_or_else(|| Error::internal("archive unusable after an error"))?;
        let zip = blocking(move || {
            work(&mut zip)?;
            Ok(zip)
        });
        self.zip = Some(zip.await?);
        Ok(())
    }

    /// Finishes the archive and returns its file, positioned at the start.
    pub(super) async fn finish(mut self) -> Result<Spooled> {
        self.flush().await?;
        let zip = self.zip.take().ok_or_else(|| Error::internal("archive unusable after an error"))?;
        let file = blocking(move || {
            let mut file = zip.finish().map_err(std::io::Error::other)?;
            file.seek(SeekFrom::Start(0))?;
            Ok(file)
        });
        Ok(Spooled { file: Some(file.await?) })
    }
}

impl Spooled {
    pub(super) async fn create() -> Result<Self> {
        let file = blocking(tempfile::tempfile).await?;
        Ok(Self { file: Some(file) })
    }

    pub(super) async fn write(&mut self, bytes: Vec<u8>) -> Result<()> {
        let mut file =
            self.file.take().ok_or_else(|| Error::internal("temporary file unusable after an error"))?;
        let file = blocking(move || {
            file.write_all(&bytes)?;
            Ok(file)
        });
        self.file = Some(file.await?);
        Ok(())
    }

    pub(super) async fn rewind(&mut self) -> Result<()> {
        let mut file =
            self.file.take().ok_or_else(|| Error::internal("temporary file unusable after an error"))?;
        let file = blocking(move || {
            file.seek(SeekFrom::Start(0))?;
            Ok(file)
        });
        self.file = Some(file.await?);
        Ok(())
    }

    /// Reads the next bytes. Empty at the end of the file.
    pub(super) async fn next(&mut self) -> Result<Vec<u8>> {
        let mut file =
            self.file.take().ok_or_else(|| Error::internal("temporary file unusable after an error"))?;
        let read = blocking(move || {
            let mut bytes = Vec::new();
            (&mut file).take(COPY_BYTES as u64).read_to_end(&mut bytes)?;
            Ok((file, bytes))
        });
        let (file, bytes) = read.await?;
        self.file = Some(file);
        Ok(bytes)
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(Error::internal)
}
