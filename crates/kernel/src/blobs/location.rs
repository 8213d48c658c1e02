//! Location of the blob store, as an operator configures it.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use percent_encoding::percent_decode_str;
use url::Url;

use super::Blobs;
use super::signing::Signing;

/// A folder, or a bucket of an S3-compatible server.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder on this machine, or a network folder that all machines share.
    Folder(PathBuf),
    /// `s3://key:secret@bucket/prefix?endpoint=https://…&region=…`.
    Bucket(Url),
}

/// Reason why a location cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LocationError {
    /// The text is neither a folder nor the URL of a bucket.
    #[error("must be a folder, or s3://key:secret@bucket/prefix?endpoint=https://…&region=…")]
    Malformed,
    /// The folder cannot be created or opened, with the reason.
    #[error("the folder cannot be used: {0}")]
    Folder(String),
    /// The settings of the bucket are invalid, with the reason.
    #[error("the bucket cannot be used: {0}")]
    Bucket(String),
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        if text.trim().is_empty() {
            return Err(LocationError::Malformed);
        }
        if !text.contains("://") {
            return Ok(Self::Folder(PathBuf::from(text)));
        }
        let url = Url::parse(text).map_err(|_| LocationError::Malformed)?;
        match url.scheme() {
            "file" => url.to_file_path().map(Self::Folder).map_err(|()| LocationError::Malformed),
            "s3" if url.host_str().is_some() => Ok(Self::Bucket(url)),
            _ => Err(LocationError::Malformed),
        }
    }
}

/// Omits the secret.
impl std::fmt::Display for Location {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(formatter),
            Self::Bucket(url) => {
                write!(formatter, "s3://{}{}", url.host_str().unwrap_or_default(), url.path())
            }
        }
    }
}

impl std::fmt::Debug for Location {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, formatter)
    }
}

impl Blobs {
    /// Opens the store. A missing folder is created.
    ///
    /// # Errors
    /// If the location cannot be used.
    pub fn open(location: &Location) -> Result<Self, LocationError> {
        match location {
            Location::Folder(path) => Self::in_folder(path),
            Location::Bucket(url) => Self::in_bucket(url),
        }
    }

    /// Opens the store without creating anything, for commands that only read. A missing folder is treated as an empty
    /// store.
    ///
    /// # Errors
    /// If the location cannot be used.
    pub fn open_existing(location: &Location) -> Result<Self, LocationError> {
        match location {
            Location::Folder(path) if !path.exists() => Ok(Self::default()),
            existing => Self::open(existing),
        }
    }

    fn in_folder(path: &Path) -> Result<Self, LocationError> {
        let unusable = |error: &dyn std::fmt::Display| LocationError::Folder(error.to_string());
        crate::private_folder::create(path).map_err(|error| unusable(&error))?;
        let folder = path.canonicalize().map_err(|error| unusable(&error))?;
        let store = LocalFileSystem::new_with_prefix(&folder).map_err(|error| unusable(&error))?;
        let store = store.with_automatic_cleanup(true).with_fsync(true);
        Ok(Self::of(Arc::new(store), Some(folder)))
    }

    fn in_bucket(url: &Url) -> Result<Self, LocationError> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let bucket = url.host_str().ok_or(LocationError::Malformed)?;
        // Fails if a provider is already installed. That provider is used then.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Keys are random, so no object is ever overwritten.
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_crypto_provider(Arc::new(Signing))
            .with_conditional_put(S3ConditionalPut::Disabled)
            // Files are deleted one at a time, and not every server supports bulk deletion.
            .with_disable_bulk_delete(true);
        if !url.username().is_empty() {
            builder = builder
                .with_access_key_id(decoded(url.username()))
                .with_secret_access_key(decoded(url.password().unwrap_or_default()));
        }
        for (name, value) in url.query_pairs() {
            builder = match name.as_ref() {
                "endpoint" => {
                    let is_plain = value.starts_with("http://");
                    builder.with_endpoint(value.as_ref()).with_allow_http(is_plain)
                }
                "region" => builder.with_region(value.as_ref()),
                _ => return Err(LocationError::Malformed),
            };
        }
        let store = builder.build().map_err(|error| LocationError::Bucket(error.to_string()))?;
        let store = PrefixStore::new(store, url.path().trim_matches('/'));
        Ok(Self::of(Arc::new(store), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_private_to_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("of/files");
        Blobs::open(&Location::Folder(folder.clone())).unwrap();
        assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[tokio::test]
    async fn missing_folder_is_an_empty_store_that_is_not_created() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("files");
        let blobs = Blobs::open_existing(&Location::Folder(folder.clone())).unwrap();
        assert_eq!(blobs.size("account/a/b").await.unwrap(), None);
        assert!(!folder.exists());
    }

    #[test]
    fn locations_are_parsed_and_secrets_are_not_displayed() {
        assert_eq!("data/files".parse::<Location>().unwrap(), Location::Folder("data/files".into()));
        assert_eq!("file:///srv/f".parse::<Location>().unwrap(), Location::Folder("/srv/f".into()));
        let bucket: Location =
            "s3://key:se%2Fcret@bucket/some/where?endpoint=http://127.0.0.1:9000&region=x".parse().unwrap();
        assert_eq!(bucket.to_string(), "s3://bucket/some/where");
        assert!(!format!("{bucket:?}").contains("cret"));
        assert!(Blobs::open(&bucket).is_ok());
        for wrong in ["", "ftp://x/y", "s3://"] {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
        let odd: Location = "s3://bucket?color=red".parse().unwrap();
        assert!(Blobs::open(&odd).is_err());
    }
}
