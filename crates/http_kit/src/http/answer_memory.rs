//! Memory budget of a process for large responses until they are sent. Without it, a client that requests
//! many large responses and reads them slowly could exhaust the memory.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::{TryStreamExt, stream};
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
        // The pieces of the body are not joined, because that would copy a large response.
        let pieces: Result<VecDeque<Bytes>, _> = response.take_body().into_bytes_stream().try_collect().await;
        let Ok(mut pieces) = pieces else { return Err(AnswerMemoryExhausted) };
        pieces.retain(|piece| !piece.is_empty());
        let size: usize = pieces.iter().map(Bytes::len).sum();
        if size <= SMALL_BYTES {
            response.set_body(joined(pieces));
            return Ok(response);
        }
        let permit = self.0.try_reserve(network.to_owned(), size).ok_or(AnswerMemoryExhausted)?;
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(size));
        let chunks = stream::unfold(
            (pieces, permit),
            |(mut left, permit): (VecDeque<Bytes>, MemoryPermit<String>)| async move {
                let mut chunk = left.pop_front()?;
                if chunk.len() > CHUNK_BYTES {
                    left.push_front(chunk.split_off(CHUNK_BYTES));
                }
                Some((Ok::<_, std::io::Error>(chunk), (left, permit)))
            },
        );
        response.set_body(Body::from_bytes_stream(chunks));
        Ok(response)
    }
}

/// Joins pieces. A single piece is not copied.
fn joined(pieces: VecDeque<Bytes>) -> Bytes {
    let mut pieces = Vec::from(pieces);
    match (pieces.pop(), pieces.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            pieces.extend(last);
            pieces.concat().into()
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
        assert!(hold(&memory, "six", 16 * MIB).await.is_some(), "everything is released");
    }

    fn in_pieces(pieces: &[&Bytes]) -> Response {
        let pieces: Vec<Bytes> = pieces.iter().copied().cloned().collect();
        let pieces = stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
        Response::builder().body(Body::from_bytes_stream(pieces))
    }

    #[tokio::test]
    async fn chunks_of_a_large_response_are_sent_without_a_copy() {
        let memory = AnswerMemory::new(16 * MIB);
        let (start, page) = (Bytes::from_static(b"["), Bytes::from(vec![b'x'; 2 * MIB]));
        let response = memory.reserve("one", in_pieces(&[&start, &page, &start])).await.unwrap();
        assert_eq!(response.header(header::CONTENT_LENGTH), Some((2 * MIB + 2).to_string().as_str()));
        let chunks: Vec<Bytes> = response.into_body().into_bytes_stream().try_collect().await.unwrap();
        assert_eq!(chunks.iter().map(Bytes::len).sum::<usize>(), 2 * MIB + 2);
        assert!(chunks.iter().all(|chunk| chunk.len() <= CHUNK_BYTES));
        assert_eq!(chunks[1].as_ptr(), page.as_ptr(), "the page is not copied");
    }

    #[tokio::test]
    async fn chunks_of_a_small_response_are_joined() {
        let memory = AnswerMemory::new(16 * MIB);
        let (first, second) = (Bytes::from_static(b"first, "), Bytes::from_static(b"second"));
        let response = memory.reserve("one", in_pieces(&[&first, &second])).await.unwrap();
        assert_eq!(response.header(header::CONTENT_LENGTH), None);
        assert_eq!(response.into_body().into_bytes().await.unwrap(), "first, second");
        let empty = memory.reserve("one", in_pieces(&[])).await.unwrap();
        assert!(empty.into_body().into_bytes().await.unwrap().is_empty());
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
