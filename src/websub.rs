//! `{base_url}/websub/<token>`: callback at which `WebSub` hubs verify subscriptions and deliver new entries.

use std::sync::Arc;
use std::time::Duration;

use feeds::hubs::{self, HubDelivery, Verification};
use futures_util::StreamExt;
use kernel::{Code, FeedId};
use permits::{KeyedByteRate, KeyedLimit};
use poem::endpoint::BoxEndpoint;
use poem::http::{StatusCode, header};
use poem::web::{Data, Path};
use poem::{Body, Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use serde::Deserialize;

use http_kit::app::App;
use http_kit::http::unrouted::unrouted;

/// Maximum size of a delivery in bytes. Polling does not read larger feeds either.
const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Maximum number of deliveries for one feed that are received at the same time.
const MAX_DELIVERIES: usize = 2;

/// Rate at which this process reads deliveries, in bytes per second, and the burst that is read without delay, in
/// bytes. Hashing deliveries at the speed of a fast network would delay all other requests.
const READ_RATE: u32 = 16 << 20;
const READ_BURST: u32 = 4 << 20;

/// Rate at which this process reads the deliveries for one feed, and the burst that is read without delay. Without
/// this limit, the hub of one feed would use the whole rate, and the deliveries for other feeds would time out.
const FEED_READ_RATE: u32 = 1 << 20;
const FEED_READ_BURST: u32 = 2 << 20;

/// Maximum time for a delivery to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Rates of one feed and of this process.
#[derive(Clone)]
struct ReadRates {
    feed: KeyedByteRate<FeedId>,
    process: KeyedByteRate<()>,
}

impl ReadRates {
    fn new() -> Self {
        Self {
            feed: KeyedByteRate::new(FEED_READ_RATE, FEED_READ_BURST),
            process: KeyedByteRate::new(READ_RATE, READ_BURST),
        }
    }

    /// Waits until a piece of a delivery for the feed may be processed.
    async fn wait(&self, feed_id: FeedId, bytes: usize) {
        self.feed.wait(feed_id, bytes).await;
        self.process.wait((), bytes).await;
    }
}

/// Verification request of a hub (W3C WebSub, section 5.3).
#[derive(Debug, Deserialize)]
struct VerificationQuery {
    #[serde(rename = "hub.mode")]
    mode: String,
    #[serde(rename = "hub.topic", default)]
    topic: String,
    #[serde(rename = "hub.challenge")]
    challenge: Option<String>,
    #[serde(rename = "hub.lease_seconds")]
    lease_seconds: Option<u64>,
}

/// Returns the endpoint of `/websub`.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    Route::new()
        .at("/websub/:token", get(verify).post(receive))
        .around(|inner, request| async move {
            Ok(match inner.call(request).await {
                Ok(response) => response.into_response(),
                Err(error) => refused(error),
            })
        })
        .data(Arc::clone(app))
        .data(KeyedLimit::<FeedId>::new(MAX_DELIVERIES))
        .data(ReadRates::new())
        .boxed()
}

fn refused(error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    unrouted(&error, "GET, HEAD, POST", || StatusCode::NOT_FOUND.into_response())
}

/// Answers a hub's verification request. Confirms only subscriptions that Carrel requested.
#[handler]
async fn verify(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>) -> Response {
    let Ok(question) =
        serde_html_form::from_str::<VerificationQuery>(request.uri().query().unwrap_or_default())
    else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let VerificationQuery { mode, topic, challenge, lease_seconds } = question;
    let question = Verification { mode, topic, challenge, lease_seconds };
    match hubs::verify(&app.domain, &token, question).await {
        Ok(challenge) => Response::builder().content_type("text/plain; charset=utf-8").body(challenge),
        Err(error) => failed(&error),
    }
}

/// Receives new entries from a hub.
#[handler]
async fn receive(
    app: Data<&Arc<App>>,
    deliveries: Data<&KeyedLimit<FeedId>>,
    rates: Data<&ReadRates>,
    request: &Request,
    Path(token): Path<String>,
    body: Body,
) -> Response {
    // The token is checked first, so that bodies from unknown senders are not read.
    let signature = request.header("X-Hub-Signature");
    let mut delivery = match HubDelivery::begin(&app.domain, &token, signature).await {
        Ok(delivery) => delivery,
        Err(error) => return failed(&error),
    };
    let feed_id = delivery.feed_id();
    let Some(_permit) = deliveries.try_acquire(feed_id) else {
        let response = refused_delivery(StatusCode::TOO_MANY_REQUESTS);
        return response.with_header(header::RETRY_AFTER, BODY_TIMEOUT.as_secs()).into_response();
    };
    if let Err(status) = read_pieces(body, &rates, feed_id, |piece| delivery.update(piece)).await {
        return refused_delivery(status);
    }
    match delivery.finish(&app.domain).await {
        Ok(_) => StatusCode::ACCEPTED.into_response(),
        Err(error) => failed(&error),
    }
}

/// Responds that a delivery was not received, and counts it.
fn refused_delivery(status: StatusCode) -> Response {
    metrics::counter!("carrel_websub_total", "outcome" => "refused").increment(1);
    status.into_response()
}

/// Passes each piece of a body to `update`, at most at the rates of the feed and of this process. Pieces are not
/// buffered.
async fn read_pieces(
    body: Body,
    rates: &ReadRates,
    feed_id: FeedId,
    mut update: impl FnMut(&[u8]),
) -> Result<(), StatusCode> {
    let read = async {
        let mut pieces = body.into_bytes_stream();
        let mut length = 0;
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| StatusCode::BAD_REQUEST)?;
            length += piece.len();
            if length > MAX_BYTES {
                return Err(StatusCode::PAYLOAD_TOO_LARGE);
            }
            rates.wait(feed_id, piece.len()).await;
            update(&piece);
        }
        Ok(())
    };
    tokio::time::timeout(BODY_TIMEOUT, read).await.unwrap_or(Err(StatusCode::REQUEST_TIMEOUT))
}

fn failed(error: &kernel::Error) -> Response {
    if error.code == Code::NotFound {
        return StatusCode::NOT_FOUND.into_response();
    }
    tracing::warn!(error = error.report(), "failed to answer a hub");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bytes::Bytes;
    use futures_util::stream;
    use tokio::time::Instant;

    use super::*;

    const PIECE_BYTES: usize = 64 * 1024;
    static PIECE: &[u8] = &[b'x'; PIECE_BYTES];

    /// Piece of a body. It is counted while it is in memory.
    struct CountedPiece(Arc<AtomicUsize>);

    impl AsRef<[u8]> for CountedPiece {
        fn as_ref(&self) -> &[u8] {
            PIECE
        }
    }

    impl Drop for CountedPiece {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }

    const FEED: FeedId = FeedId::new(7);

    /// Reads a body of `count` pieces. Returns the result and the maximum number of pieces in memory.
    async fn read_counted(count: usize) -> (Result<(), StatusCode>, usize) {
        let live = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&live);
        let pieces = stream::iter(0..count).map(move |_| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok::<_, io::Error>(Bytes::from_owner(CountedPiece(Arc::clone(&counter))))
        });
        let mut peak = 0;
        let body = Body::from_bytes_stream(pieces);
        let result =
            read_pieces(body, &ReadRates::new(), FEED, |_| peak = peak.max(live.load(Ordering::Relaxed)))
                .await;
        (result, peak)
    }

    #[tokio::test(start_paused = true)]
    async fn chunks_of_a_delivery_are_not_buffered() {
        let (result, peak) = read_counted(MAX_BYTES / PIECE_BYTES).await;
        assert_eq!(result, Ok(()));
        assert!((1..=2).contains(&peak), "{peak}");
    }

    #[tokio::test(start_paused = true)]
    async fn deliveries_for_one_feed_do_not_delay_another_feed() {
        let rates = ReadRates::new();
        let read = async |feed_id, bytes: usize| {
            let pieces = (0..bytes / PIECE_BYTES).map(|_| Ok::<_, io::Error>(Bytes::from_static(PIECE)));
            let start = Instant::now();
            let result =
                read_pieces(Body::from_bytes_stream(stream::iter(pieces)), &rates, feed_id, |_| ()).await;
            assert_eq!(result, Ok(()));
            start.elapsed()
        };
        let (first, second, other) =
            tokio::join!(read(FEED, MAX_BYTES), read(FEED, MAX_BYTES), read(FeedId::new(8), 1 << 20));
        assert!(first.max(second) > Duration::from_secs(10), "{first:?} {second:?}");
        assert_eq!(other, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn delivery_above_the_size_limit_is_refused() {
        let (result, _) = read_counted(MAX_BYTES / PIECE_BYTES + 1).await;
        assert_eq!(result, Err(StatusCode::PAYLOAD_TOO_LARGE));
    }

    #[tokio::test(start_paused = true)]
    async fn slow_delivery_times_out_although_chunks_arrive() {
        let stalled = stream::pending::<Result<Bytes, io::Error>>();
        let result = read_pieces(Body::from_bytes_stream(stalled), &ReadRates::new(), FEED, |_| ()).await;
        assert_eq!(result, Err(StatusCode::REQUEST_TIMEOUT));

        let steps = tokio::time::interval(Duration::from_secs(1));
        let slow = stream::unfold(steps, |mut steps| async move {
            steps.tick().await;
            Some((Ok::<_, io::Error>(Bytes::from_static(b"x")), steps))
        });
        let mut length = 0;
        let result = read_pieces(Body::from_bytes_stream(slow), &ReadRates::new(), FEED, |piece| {
            length += piece.len();
        })
        .await;
        assert_eq!(result, Err(StatusCode::REQUEST_TIMEOUT));
        assert!(length >= 30, "{length}");
    }
}
