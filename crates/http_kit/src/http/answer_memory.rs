//! The memory that large answers may take together in one process until they are taken: whoever asks for many and takes
//! them slowly would hold them all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::stream;
use poem::http::{HeaderValue, header};
use poem::{Body, Response};

/// Answers up to here are small: what they take together is bounded by the number of connections.
const SMALL_BYTES: usize = 1024 * 1024;
/// What is handed to the connection at once, in bytes.
const PIECE_BYTES: usize = 64 * 1024;
/// One network may have this part of the whole.
const PART_OF_A_NETWORK: usize = 4;

/// What is left for large answers. Clones share it.
#[derive(Clone, Debug)]
pub struct AnswerMemory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    in_all: usize,
    /// Those networks that hold anything.
    by_network: HashMap<String, usize>,
}

/// The memory of one answer, until this is dropped.
struct Held {
    shared: Arc<Shared>,
    network: String,
    bytes: usize,
}

/// Others hold the memory that the answer would need.
#[derive(Debug, PartialEq, Eq)]
pub struct NoRoom;

impl AnswerMemory {
    /// Room for so many bytes. An answer that is larger than that is still sent when there is no other.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Shared { bytes, taken: Mutex::default() }))
    }

    /// The same answer; when it is a large one, the memory it takes is counted for `network` until it was sent or its
    /// connection ended.
    ///
    /// # Errors
    /// When the network, or all together, hold too much. The answer is dropped then.
    pub async fn hold(&self, network: &str, mut response: Response) -> Result<Response, NoRoom> {
        let Ok(bytes) = response.take_body().into_bytes().await else {
            return Err(NoRoom);
        };
        if bytes.len() <= SMALL_BYTES {
            response.set_body(bytes);
            return Ok(response);
        }
        let held = self.take(network, bytes.len()).ok_or(NoRoom)?;
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        let pieces = stream::unfold((bytes, held), |(mut left, held): (Bytes, Held)| async move {
            let piece = left.split_to(left.len().min(PIECE_BYTES));
            (!piece.is_empty()).then_some((Ok::<_, std::io::Error>(piece), (left, held)))
        });
        response.set_body(Body::from_bytes_stream(pieces));
        Ok(response)
    }

    fn take(&self, network: &str, bytes: usize) -> Option<Held> {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.by_network.get(network).copied().unwrap_or_default();
        // Whoever holds nothing may have one, however large.
        let fits = |held: usize, most: usize| held == 0 || held + bytes <= most;
        if !fits(own, self.0.bytes / PART_OF_A_NETWORK) || !fits(taken.in_all, self.0.bytes) {
            return None;
        }
        taken.in_all += bytes;
        taken.by_network.insert(network.to_owned(), own + bytes);
        Some(Held { shared: Arc::clone(&self.0), network: network.to_owned(), bytes })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut taken = self.shared.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.in_all = taken.in_all.saturating_sub(self.bytes);
        if let Some(own) = taken.by_network.get_mut(&self.network) {
            *own = own.saturating_sub(self.bytes);
            if *own == 0 {
                taken.by_network.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    async fn hold(memory: &AnswerMemory, network: &str, bytes: usize) -> Option<Response> {
        memory.hold(network, Response::from(vec![b'x'; bytes])).await.ok()
    }

    #[tokio::test]
    async fn answers_that_nobody_takes_have_a_bounded_memory_a_network_and_in_all() {
        let memory = AnswerMemory::new(16 * MIB);
        let kept =
            [hold(&memory, "one", 2 * MIB).await.unwrap(), hold(&memory, "one", 2 * MIB).await.unwrap()];
        assert!(hold(&memory, "one", 2 * MIB).await.is_none(), "a network has a quarter of it");
        assert!(hold(&memory, "one", MIB).await.is_some(), "small ones are not counted");
        let mut others = Vec::new();
        for network in ["two", "three", "four"] {
            others.push(hold(&memory, network, 4 * MIB).await.unwrap());
        }
        assert!(hold(&memory, "five", 2 * MIB).await.is_none(), "nothing is left");
        others.pop();
        assert!(hold(&memory, "five", 4 * MIB).await.is_some(), "what ended is free");
        drop((kept, others));
        assert!(memory.0.taken.lock().unwrap().by_network.is_empty());
        assert_eq!(memory.0.taken.lock().unwrap().in_all, 0);
    }

    #[tokio::test]
    async fn a_large_answer_is_whole_says_its_length_and_is_free_once_it_was_taken() {
        let memory = AnswerMemory::new(4 * MIB);
        let large = hold(&memory, "one", 9 * MIB).await.expect("whoever holds nothing may have any");
        assert_eq!(large.header(header::CONTENT_LENGTH), Some((9 * MIB).to_string().as_str()));
        assert!(hold(&memory, "two", 2 * MIB).await.is_none());
        assert_eq!(large.into_body().into_bytes().await.unwrap().len(), 9 * MIB);
        assert!(hold(&memory, "two", 2 * MIB).await.is_some());
    }
}
