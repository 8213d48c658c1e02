//! Upload of a file into the store: counts and hashes the bytes as they arrive, and retains the first and
//! last bytes.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use extract::sniff::EDGE_BYTES;
use object_store::MultipartUpload;
use sha2::{Digest, Sha256};

use super::failed;
use crate::error::Result;

/// Default number of bytes per part: the minimum part size of S3.
pub(super) const PART_BYTES: usize = 5 * 1024 * 1024;

pub struct Upload {
    /// The mutex is never locked. It only makes the writer `Sync`.
    writer: Mutex<Box<dyn MultipartUpload>>,
    part: Vec<u8>,
    part_bytes: usize,
    hash: Sha256,
    size: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// A complete file.
#[derive(Debug)]
pub struct StoredBlob {
    /// Size in bytes.
    pub size: u64,
    /// SHA-256.
    pub digest: [u8; 32],
    /// First bytes.
    pub head: Vec<u8>,
    /// Last bytes.
    pub tail: Vec<u8>,
}

impl StoredBlob {
    /// `sha256:` and the digest as hex.
    pub fn checksum(&self) -> String {
        format!("sha256:{}", HEXLOWER.encode(&self.digest))
    }
}

impl Upload {
    pub(super) fn new(writer: Box<dyn MultipartUpload>) -> Self {
        let writer = Mutex::new(writer);
        Self {
            writer,
            part: Vec::new(),
            part_bytes: PART_BYTES,
            hash: Sha256::new(),
            size: 0,
            head: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Sets the bytes per part. Must be called before the first piece is pushed. The default and the minimum are 5 MiB.
    /// S3 accepts at most 10,000 parts.
    #[must_use]
    pub fn with_part_bytes(self, bytes: usize) -> Self {
        Self { part_bytes: bytes.max(PART_BYTES), ..self }
    }

    fn writer(&mut self) -> &mut dyn MultipartUpload {
        self.writer.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Bytes received so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends the next piece.
    pub async fn push(&mut self, mut piece: &[u8]) -> Result<()> {
        self.hash.update(piece);
        self.size += piece.len() as u64;
        if let Some(missing) = EDGE_BYTES.checked_sub(self.head.len()).filter(|missing| *missing > 0) {
            self.head.extend_from_slice(&piece[..piece.len().min(missing)]);
        }
        self.tail.extend_from_slice(&piece[piece.len().saturating_sub(EDGE_BYTES)..]);
        if self.tail.len() > 2 * EDGE_BYTES {
            self.tail.drain(..self.tail.len() - EDGE_BYTES);
        }
        while !piece.is_empty() {
            let (now, rest) = piece.split_at(piece.len().min(self.part_bytes - self.part.len()));
            self.part.extend_from_slice(now);
            piece = rest;
            if self.part.len() == self.part_bytes {
                self.flush().await?;
            }
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<()> {
        let part = Bytes::from(std::mem::take(&mut self.part));
        self.writer().put_part(part.into()).await.map_err(failed)
    }

    /// Completes the upload and makes the file visible under its key.
    pub async fn finish(mut self) -> Result<StoredBlob> {
        if !self.part.is_empty() || self.size == 0 {
            self.flush().await?;
        }
        self.writer().complete().await.map_err(failed)?;
        self.tail.drain(..self.tail.len().saturating_sub(EDGE_BYTES));
        let Self { hash, size, head, tail, .. } = self;
        Ok(StoredBlob { size, digest: hash.finalize().into(), head, tail })
    }

    /// Cancels the upload and removes its parts.
    pub async fn abort(mut self) {
        if let Err(error) = self.writer().abort().await {
            tracing::debug!(%error, "failed to remove aborted upload");
        }
    }
}

impl std::fmt::Debug for Upload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Upload").field("size", &self.size).finish_non_exhaustive()
    }
}
