//! Location of an archive: a file, or an object in a bucket. The archive becomes visible under its name when
//! it is complete.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, ensure};
use kernel::blobs::{Blobs, Location, LocationError, Upload};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;
use tokio_util::io::{StreamReader, SyncIoBridge};

/// Bytes per part of an upload. S3 allows 10,000 parts, so an archive may have up to 640 GB.
const PART_BYTES: usize = 64 * 1024 * 1024;

/// A file, or `s3://key:secret@bucket/path/name?endpoint=https://…&region=…`.
#[derive(Clone, Debug)]
pub(crate) enum ArchiveLocation {
    File(PathBuf),
    Object {
        /// Bucket, and the path before the last segment.
        bucket: Location,
        /// Last segment of the path.
        name: String,
    },
}

impl FromStr for ArchiveLocation {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        let mut url = match text.parse()? {
            Location::Folder(path) => return Ok(Self::File(path)),
            Location::Bucket(url) => url,
        };
        let path = url.path().trim_matches('/').to_owned();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if name.is_empty() {
            return Err(LocationError::Malformed);
        }
        url.set_path(folder);
        Ok(Self::Object { bucket: Location::Bucket(url), name: name.to_owned() })
    }
}

/// Formats the location without the secret.
impl std::fmt::Display for ArchiveLocation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Object { bucket, name } => {
                write!(formatter, "{}/{name}", bucket.to_string().trim_end_matches('/'))
            }
        }
    }
}

impl ArchiveLocation {
    /// Returns the folder for the temporary copy of the database: the folder of the archive if it is a file,
    /// otherwise the system's temporary folder.
    pub(super) fn temporary_folder(&self) -> PathBuf {
        match self {
            Self::File(path) => folder_of(path).to_owned(),
            Self::Object { .. } => std::env::temp_dir(),
        }
    }

    /// Starts an archive.
    ///
    /// # Errors
    /// If the location cannot be written to or an archive exists there.
    pub(super) async fn create(&self) -> anyhow::Result<ArchiveSink> {
        match self {
            Self::File(path) => {
                ensure!(!path.exists(), "{self} exists: choose another name");
                let folder = folder_of(path);
                let file = NamedTempFile::new_in(folder)
                    .with_context(|| format!("no file can be created in {}", folder.display()))?;
                Ok(ArchiveSink::File { file, path: path.clone() })
            }
            Self::Object { bucket, name } => {
                let blobs = Blobs::open(bucket)?;
                ensure!(blobs.size(name).await?.is_none(), "{self} exists: choose another name");
                let upload = blobs.begin(name).await?.with_part_bytes(PART_BYTES);
                Ok(ArchiveSink::Object { upload: Box::new(upload), runtime: Handle::current() })
            }
        }
    }

    /// Opens the archive for reading on a blocking thread.
    ///
    /// # Errors
    /// If the archive does not exist or cannot be read.
    pub(super) async fn open(&self) -> anyhow::Result<Box<dyn Read + Send>> {
        match self {
            Self::File(path) => {
                let file = File::open(path).with_context(|| format!("{self} cannot be opened"))?;
                Ok(Box::new(BufReader::with_capacity(PIECE_BYTES, file)))
            }
            Self::Object { bucket, name } => {
                let blobs = Blobs::open(bucket)?;
                let size = blobs.size(name).await?.with_context(|| format!("{self} does not exist"))?;
                Ok(Box::new(open_blob(&blobs, name, size).await?))
            }
        }
    }
}

/// Bytes per read of a file.
const PIECE_BYTES: usize = 256 * 1024;

/// Opens a file of a store for reading on a blocking thread.
pub(super) async fn open_blob(
    blobs: &Blobs,
    key: &str,
    size: u64,
) -> anyhow::Result<impl Read + Send + use<>> {
    let stream = blobs.read(key, 0..size).await?;
    Ok(SyncIoBridge::new(StreamReader::new(stream)))
}

/// Returns the folder of a file. For a plain name, returns the working directory.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Archive that is being written on a blocking thread.
pub(super) enum ArchiveSink {
    /// Temporary file, accessible only to the current user.
    File {
        file: NamedTempFile,
        path: PathBuf,
    },
    Object {
        upload: Box<Upload>,
        runtime: Handle,
    },
}

impl ArchiveSink {
    /// Makes the archive visible under its name. Does not replace a file that was created under that name
    /// meanwhile.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File { file, path } => {
                file.as_file().sync_all()?;
                file.persist_noclobber(&path)
                    .with_context(|| format!("{} cannot be written", path.display()))?;
                File::open(folder_of(&path))?.sync_all()?;
            }
            Self::Object { upload, runtime } => drop(runtime.block_on(upload.finish())?),
        }
        Ok(())
    }

    /// Removes the incomplete archive.
    pub(super) fn abort(self) {
        match self {
            // The temporary file is deleted when it is dropped.
            Self::File { .. } => {}
            Self::Object { upload, runtime } => runtime.block_on(upload.abort()),
        }
    }
}

impl Write for ArchiveSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => file.write(bytes),
            Self::Object { upload, runtime } => {
                runtime.block_on(upload.push(bytes)).map_err(io::Error::other)?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_location_is_a_file_or_an_object_and_displays_no_secret() {
        let file: ArchiveLocation = "backups/carrel.tar".parse().unwrap();
        assert_eq!(
            (file.to_string(), file.temporary_folder()),
            ("backups/carrel.tar".to_owned(), "backups".into())
        );
        let object: ArchiveLocation =
            "s3://key:hush@bucket/daily/carrel.tar?endpoint=http://127.0.0.1:9000&region=x".parse().unwrap();
        assert_eq!(object.to_string(), "s3://bucket/daily/carrel.tar");
        assert!(!format!("{object:?}").contains("hush"));
        let top: ArchiveLocation = "s3://bucket/carrel.tar".parse().unwrap();
        assert_eq!(top.to_string(), "s3://bucket/carrel.tar");
        for wrong in ["", "s3://bucket", "s3://bucket/", "ftp://x/y"] {
            assert!(wrong.parse::<ArchiveLocation>().is_err(), "{wrong}");
        }
    }
}
