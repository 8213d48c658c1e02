//! A file on its way into the store: counted and digested as it comes, with its beginning and its end at hand.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use extract::sniff::EDGE_BYTES;
use object_store::MultipartUpload;
use sha2::{Digest, Sha256};

use super::failed;
use crate::error::Result;

/// Bytes that go to the store at once: the least that buckets take as a part.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// A file that is being written.
pub struct Upload {
    /// Never locked: it makes what is written by one at a time something that several may look at.
    writer: Mutex<Box<dyn MultipartUpload>>,
    part: Vec<u8>,
    hash: Sha256,
    size: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// A file that is whole.
#[derive(Debug)]
pub struct Stored {
    /// Its bytes.
    pub size: u64,
    /// Their SHA-256.
    pub digest: [u8; 32],
    /// Its first bytes.
    pub head: Vec<u8>,
    /// Its last bytes.
    pub tail: Vec<u8>,
}

impl Stored {
    /// `sha256:` and the digest as hex.
    pub fn checksum(&self) -> String {
        format!("sha256:{}", HEXLOWER.encode(&self.digest))
    }
}

impl Upload {
    pub(super) fn new(writer: Box<dyn MultipartUpload>) -> Self {
        let writer = Mutex::new(writer);
        Self { writer, part: Vec::new(), hash: Sha256::new(), size: 0, head: Vec::new(), tail: Vec::new() }
    }

    fn writer(&mut self) -> &mut dyn MultipartUpload {
        self.writer.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Bytes so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Takes the next piece.
    pub async fn push(&mut self, mut piece: &[u8]) -> Result<()> {
        self.hash.update(piece);
        self.size += piece.len() as u64;
        if let Some(room) = EDGE_BYTES.checked_sub(self.head.len()).filter(|room| *room > 0) {
            self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        }
        self.tail.extend_from_slice(&piece[piece.len().saturating_sub(EDGE_BYTES)..]);
        if self.tail.len() > 2 * EDGE_BYTES {
            self.tail.drain(..self.tail.len() - EDGE_BYTES);
        }
        while !piece.is_empty() {
            let (now, later) = piece.split_at(piece.len().min(PART_BYTES - self.part.len()));
            self.part.extend_from_slice(now);
            piece = later;
            if self.part.len() == PART_BYTES {
                self.flush().await?;
            }
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<()> {
        let part = Bytes::from(std::mem::take(&mut self.part));
        self.writer().put_part(part.into()).await.map_err(failed)
    }

    /// Puts the file in its place.
    pub async fn finish(mut self) -> Result<Stored> {
        if !self.part.is_empty() || self.size == 0 {
            self.flush().await?;
        }
        self.writer().complete().await.map_err(failed)?;
        self.tail.drain(..self.tail.len().saturating_sub(EDGE_BYTES));
        let Self { hash, size, head, tail, .. } = self;
        Ok(Stored { size, digest: hash.finalize().into(), head, tail })
    }

    /// Leaves nothing behind.
    pub async fn abort(mut self) {
        if let Err(error) = self.writer().abort().await {
            tracing::debug!(%error, "a file that broke off could not be taken away at once");
        }
    }
}

impl std::fmt::Debug for Upload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Upload").field("size", &self.size).finish_non_exhaustive()
    }
}
