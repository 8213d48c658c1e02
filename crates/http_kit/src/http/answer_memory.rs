//! Memory budget of a process for large responses until they are sent. Without it, a client that requests
//! many large responses and reads them slowly could exhaust the memory.

use bytes::Bytes;
use futures_util::stream;
use permits::{MemoryBudget, MemoryPermit};
use poem::http::{HeaderValue, header};
use poem::{Body, Response};

/// Responses up to this size are not counted: their total is bounded by the number of connections.
const SMALL_BYTES: usize = 1024 * 1024;
/// Size of a chunk handed to the connection, in bytes.
const CHUNK_BYTES: usize = 64 * 1024;
/// Memory budget for large responses. Clones share it.
#[derive(Clone, Debug)]
pub struct AnswerMemory(MemoryBudget<String>);

/// Error if the budget has no memory left for the response.
#[derive(Debug, PartialEq, Eq)]
pub struct AnswerMemoryExhausted;

impl AnswerMemory {
    /// Creates a budget of `bytes`. A response that is larger than the budget is still sent if no other
    /// response is reserved.
    pub fn new(bytes: usize) -> Self {
        Self(MemoryBudget::new(bytes))
    }

    /// Reserves memory for a response and returns the response. A large response counts towards the share of
    /// `network` until it is sent or its connection is closed.
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
        let permit = self.0.try_reserve(network.to_owned(), bytes.len()).ok_or(AnswerMemoryExhausted)?;
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        let pieces =
            stream::unfold((bytes, permit), |(mut left, permit): (Bytes, MemoryPermit<String>)| async move {
                let piece = left.split_to(left.len().min(CHUNK_BYTES));
                (!piece.is_empty()).then_some((Ok::<_, std::io::Error>(piece), (left, permit)))
            });
        response.set_body(Body::from_bytes_stream(pieces));
        Ok(response)
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
        assert!(hold(&memory, "six", 16 * MIB).await.is_some(), "everything is released");
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
