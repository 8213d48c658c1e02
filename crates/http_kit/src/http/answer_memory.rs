//! Memory budget of a process for large responses until they are sent. Without it, a client that requests
//! many large responses and reads them slowly could exhaust the memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::stream;
use poem::http::{HeaderValue, header};
use poem::{Body, Response};

/// Responses up to this size are not counted: their total is bounded by the number of connections.
const SMALL_BYTES: usize = 1024 * 1024;
/// Size of a chunk handed to the connection, in bytes.
const CHUNK_BYTES: usize = 64 * 1024;
/// A network may use this fraction (one in four) of the budget.
const NETWORK_SHARE: usize = 4;

/// Memory budget for large responses. Clones share it.
#[derive(Clone, Debug)]
pub struct AnswerMemory(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bytes: usize,
    taken: Mutex<MemoryUsage>,
}

#[derive(Debug, Default)]
struct MemoryUsage {
    total: usize,
    /// Networks with a current reservation only.
    by_network: HashMap<String, usize>,
}

/// Reserved memory of one response, released on drop.
struct AnswerPermit {
    shared: Arc<Shared>,
    network: String,
    bytes: usize,
}

/// The budget has no memory left for the response.
#[derive(Debug, PartialEq, Eq)]
pub struct AnswerMemoryExhausted;

impl AnswerMemory {
    /// Budget of `bytes`. A larger response is still sent if no other response is reserved.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Shared { bytes, taken: Mutex::default() }))
    }

    /// Returns the response. A large response is counted for `network` until it was sent or its connection
    /// ended.
    ///
    /// # Errors
    /// If the network or the process exceeds its budget. The response is dropped.
    pub async fn reserve(
        &self,
        network: &str,
        mut response: Response,
    ) -> Result<Response, AnswerMemoryExhausted> {
        let Ok(bytes) = response.take_body().into_bytes().await else {
            return Err(AnswerMemoryExhausted);
        };
        if bytes.len() <= SMALL_BYTES {
            response.set_body(bytes);
            return Ok(response);
        }
        let permit = self.try_acquire(network, bytes.len()).ok_or(AnswerMemoryExhausted)?;
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        let pieces =
            stream::unfold((bytes, permit), |(mut left, permit): (Bytes, AnswerPermit)| async move {
                let piece = left.split_to(left.len().min(CHUNK_BYTES));
                (!piece.is_empty()).then_some((Ok::<_, std::io::Error>(piece), (left, permit)))
            });
        response.set_body(Body::from_bytes_stream(pieces));
        Ok(response)
    }

    fn try_acquire(&self, network: &str, bytes: usize) -> Option<AnswerPermit> {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.by_network.get(network).copied().unwrap_or_default();
        // A client without a reservation may have one response of any size.
        let fits = |used: usize, most: usize| used == 0 || used + bytes <= most;
        if !fits(own, self.0.bytes / NETWORK_SHARE) || !fits(taken.total, self.0.bytes) {
            return None;
        }
        taken.total += bytes;
        taken.by_network.insert(network.to_owned(), own + bytes);
        Some(AnswerPermit { shared: Arc::clone(&self.0), network: network.to_owned(), bytes })
    }
}

impl Drop for AnswerPermit {
    fn drop(&mut self) {
        let mut taken = self.shared.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.total = taken.total.saturating_sub(self.bytes);
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
        memory.reserve(network, Response::from(vec![b'x'; bytes])).await.ok()
    }

    #[tokio::test]
    async fn unread_responses_are_bounded_per_network_and_in_total() {
        let memory = AnswerMemory::new(16 * MIB);
        let responses =
            [hold(&memory, "one", 2 * MIB).await.unwrap(), hold(&memory, "one", 2 * MIB).await.unwrap()];
        assert!(hold(&memory, "one", 2 * MIB).await.is_none(), "one network may use a quarter of the budget");
        assert!(hold(&memory, "one", MIB).await.is_some(), "small responses are not counted");
        let mut others = Vec::new();
        for network in ["two", "three", "four"] {
            others.push(hold(&memory, network, 4 * MIB).await.unwrap());
        }
        assert!(hold(&memory, "five", 2 * MIB).await.is_none(), "the budget is used up");
        others.pop();
        assert!(hold(&memory, "five", 4 * MIB).await.is_some(), "a dropped response releases its memory");
        drop((responses, others));
        assert!(memory.0.taken.lock().unwrap().by_network.is_empty());
        assert_eq!(memory.0.taken.lock().unwrap().total, 0);
    }

    #[tokio::test]
    async fn large_response_is_complete_and_released_after_sending() {
        let memory = AnswerMemory::new(4 * MIB);
        let large = hold(&memory, "one", 9 * MIB)
            .await
            .expect("a network without a reservation may have a response of any size");
        assert_eq!(large.header(header::CONTENT_LENGTH), Some((9 * MIB).to_string().as_str()));
        assert!(hold(&memory, "two", 2 * MIB).await.is_none());
        assert_eq!(large.into_body().into_bytes().await.unwrap().len(), 9 * MIB);
        assert!(hold(&memory, "two", 2 * MIB).await.is_some());
    }
}
