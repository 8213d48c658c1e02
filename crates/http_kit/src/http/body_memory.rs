//! Memory budget of a process for request bodies. Without it, a client that may send large bodies could
//! exhaust the memory by sending many at the same time.

use std::sync::Arc;

use identity::limits::Network;
use ipnet::IpNet;
use permits::{MemoryBudget, MemoryPermit};
use poem::Request;
use tokio::sync::Semaphore;

use super::network::client_address;

/// Bodies up to this size are not counted while they arrive: their total is bounded by the number of
/// connections.
pub(super) const SMALL_BYTES: usize = 64 * 1024;
/// Maximum number of large bodies that are parsed at the same time.
const PARSERS: usize = 2;

/// Memory budget for bodies, shared between networks. Clones share it.
#[derive(Clone, Debug)]
pub struct BodyMemory {
    budget: MemoryBudget<String>,
    parsers: Arc<Semaphore>,
    trusted_proxies: Arc<[IpNet]>,
}

/// Request extension for a request that this process itself makes as part of another request. The memory is
/// already reserved for the outer request.
#[derive(Clone, Copy, Debug)]
pub struct IsReserved;

/// Memory reserved for one body and its parsed value. Released on drop.
#[derive(Debug, Default)]
pub struct BodyPermit {
    payer: Option<(BodyMemory, String)>,
    permit: Option<MemoryPermit<String>>,
}

impl BodyMemory {
    /// Creates a budget of `bytes`. If a request comes from one of `trusted_proxies`, the address that the
    /// proxy reports is the client's.
    pub fn new(bytes: usize, trusted_proxies: &[IpNet]) -> Self {
        Self {
            budget: MemoryBudget::new(bytes),
            parsers: Arc::new(Semaphore::new(PARSERS)),
            trusted_proxies: trusted_proxies.into(),
        }
    }

    /// Reserves memory for the body of `request`, which has at most `max_bytes` bytes. Returns `None` if the
    /// budget, or the share of the network, is used up.
    pub fn reserve(request: &Request, max_bytes: usize) -> Option<BodyPermit> {
        let memory = request.data::<Self>().filter(|_| request.data::<IsReserved>().is_none());
        let payer = memory.map(|memory| {
            let network = Network::of(client_address(request, &memory.trusted_proxies));
            (memory.clone(), network.widest().to_owned())
        });
        let mut permit = BodyPermit { payer, permit: None };
        let length = request.header("content-length").and_then(|length| length.parse().ok());
        let bytes = length.unwrap_or(max_bytes).min(max_bytes);
        (bytes <= SMALL_BYTES || permit.try_grow(bytes)).then_some(permit)
    }
}

impl BodyPermit {
    /// Reserves `more` additional bytes. Returns false if the budget, or the share of the network, is used
    /// up.
    #[must_use]
    pub(super) fn try_grow(&mut self, more: usize) -> bool {
        let Some((memory, network)) = &self.payer else { return true };
        if let Some(permit) = &mut self.permit {
            return permit.try_grow(more);
        }
        self.permit = memory.budget.try_reserve(network.clone(), more);
        self.permit.is_some()
    }

    /// Runs `parse` on `bytes`. A large body is parsed on a blocking thread, at most two bodies at the same
    /// time.
    ///
    /// # Errors
    /// If `parse` panicked.
    pub(super) async fn run<T: Send + 'static>(
        self,
        bytes: bytes::Bytes,
        parse: impl FnOnce(&[u8], &mut Self) -> T + Send + 'static,
    ) -> Result<(T, Self), tokio::task::JoinError> {
        let is_small = bytes.len() <= SMALL_BYTES;
        let parsers = self.payer.as_ref().map(|(memory, _)| Arc::clone(&memory.parsers));
        let mut permit = self;
        let work = move || (parse(&bytes, &mut permit), permit);
        if is_small {
            return Ok(work());
        }
        let parser_permit = match parsers {
            Some(parsers) => parsers.acquire_owned().await.ok(),
            None => None,
        };
        // Parsing continues if the caller disconnects. The permit remains in use until then.
        let parsing = move || {
            let parsed = work();
            drop(parser_permit);
            parsed
        };
        tokio::task::spawn_blocking(parsing).await
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;

    use super::*;

    const MIB: usize = 1024 * 1024;

    fn reserve_for(length: Option<usize>, memory: &BodyMemory) -> Option<BodyPermit> {
        let mut request = Request::builder().extension(memory.clone());
        if let Some(length) = length {
            request = request.header("content-length", length.to_string());
        }
        BodyMemory::reserve(&request.finish(), 25 * MIB)
    }

    #[test]
    fn large_bodies_share_the_budget_and_small_bodies_are_not_counted() {
        let memory = BodyMemory::new(80 * MIB, &[]);
        let first = reserve_for(Some(18 * MIB), &memory).unwrap();
        assert!(reserve_for(None, &memory).is_none(), "a body of unknown length reserves the maximum");
        assert!(reserve_for(Some(3 * MIB), &memory).is_none(), "a network may use a quarter");
        assert!(reserve_for(Some(SMALL_BYTES), &memory).is_some());
        drop(first);
        assert!(reserve_for(None, &memory).is_some(), "dropped permits are released");
    }

    #[test]
    fn reservation_grows_with_the_parsed_value() {
        let memory = BodyMemory::new(16 * MIB, &[]);
        let mut permit = reserve_for(Some(0), &memory).unwrap();
        assert!(permit.try_grow(2 * MIB) && permit.try_grow(2 * MIB));
        let mut other = reserve_for(Some(0), &memory).unwrap();
        assert!(!other.try_grow(1));
        drop(permit);
        assert!(other.try_grow(4 * MIB));
    }
    #[tokio::test]
    async fn parsers_remain_occupied_after_callers_disconnect_until_parsing_finishes() {
        let memory = BodyMemory::new(16 * MIB, &[]);
        let run = |parse: Box<dyn FnOnce() + Send>| {
            let permit = reserve_for(Some(SMALL_BYTES + 1), &memory).unwrap();
            permit.run(vec![b' '; SMALL_BYTES + 1].into(), |_, _| parse())
        };
        let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
        let (mut callers, mut gates) = (JoinSet::new(), Vec::new());
        for _ in 0..PARSERS {
            let (gate, opened) = std::sync::mpsc::channel::<()>();
            gates.push(gate);
            let started = started.clone();
            callers.spawn(run(Box::new(move || {
                started.send(()).unwrap();
                // The gate opens when its sender is dropped.
                opened.recv().unwrap_err();
            })));
        }
        for _ in 0..PARSERS {
            starts.recv().await.unwrap();
        }
        callers.shutdown().await;
        assert_eq!(memory.parsers.available_permits(), 0, "both bodies are still parsed");
        drop(gates);
        run(Box::new(|| ())).await.unwrap();
    }
}
