//! Frames on the pipes: a length, followed by this number of bytes. The frame of a page consists of a short
//! JSON header and the raw body.

use std::io;

use permits::Pace;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::document::{ExtractionOutcome, Input};
use crate::feed::{FeedInput, ParsedFeed, discover::FeedCandidate, opml::Outline, site};
use crate::monitor_lists::MonitorList;
use crate::page_copy::{HtmlCopy, PageSource};
use crate::picture;
use crate::received_mail::{MailFileContent, MailMessage};
use crate::smaller_picture::{PictureInput, SmallerPicture};
use crate::watch::{Observation, ObserveError, ObserveInput, PageList, PartSelector};

/// Maximum number of bytes of a frame, in both directions.
pub(super) const MAX_FRAME_BYTES: usize = 256 * 1024 * 1024;
/// First byte of a response that contains a result.
pub(super) const RESULT: u8 = b'F';
/// First byte of a response that reports a panic.
pub(super) const PANICKED: u8 = b'P';
/// Minimum number of bytes of a response that is decoded outside of the async threads.
const LONG_ANSWER_BYTES: usize = 128 * 1024;
/// Number of pixels above which the samples of a picture need much more memory than its file.
const MANY_PIXELS: u64 = 4_000_000;
/// Maximum number of bytes from the end of a child's standard error that are stored.
const LAST_WORDS_BYTES: usize = 4096;

/// First frame to a child: the limits that the child sets for itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) memory_bytes: u64,
    pub(super) wall_ms: u64,
    /// Nice value that is added to the nice value of the parent.
    pub(super) nice: i32,
}

/// First frame from a child. It reports that the child is ready, and the sandbox features that its kernel
/// does not support.
pub(super) fn ready(missing: &[String]) -> Vec<u8> {
    let mut frame = vec![RESULT];
    frame.extend(serde_json::to_vec(missing).unwrap_or_default());
    frame
}

/// Parses the sandbox features that the kernel of a child does not support.
pub(super) fn missing(frame: &[u8]) -> Vec<String> {
    frame.split_first().and_then(|(_, json)| serde_json::from_slice(json).ok()).unwrap_or_default()
}

/// Header of a request.
#[derive(Debug, Serialize, Deserialize)]
enum FrameHead {
    Page {
        content_type: Option<String>,
        url: Option<String>,
    },
    Selected {
        content_type: Option<String>,
        url: Option<String>,
        selector: String,
    },
    /// Feed without its body.
    Feed(Box<FeedInput>),
    /// Monitored source without its body.
    Watch(Box<ObserveInput>),
    Feeds {
        content_type: Option<String>,
        url: String,
    },
    List {
        content_type: Option<String>,
        url: Option<String>,
    },
    Parts {
        content_type: Option<String>,
        url: Option<String>,
    },
    Outlines,
    Monitors,
    Mail,
    MailFile {
        number: u32,
    },
    /// Displayed page without its document and the content of its files, whose sizes in bytes follow.
    PageCopy(Box<PageSource>, Vec<usize>),
    SmallerPicture {
        url: String,
        max_width: u32,
    },
}

pub(super) enum ChildRequest {
    Page(Input),
    /// Page, and the CSS selector of the elements to read.
    Selected(Input, String),
    Feed(Box<FeedInput>),
    Watch(Box<ObserveInput>),
    /// Page that is searched for links to feeds.
    Feeds(Input),
    /// Page that is searched for a list to watch.
    List(Input),
    /// Rendered page with marked parts.
    Parts(Input),
    /// Body of a list of subscriptions.
    Outlines(Vec<u8>),
    /// File with a list of monitors that another program exported.
    Monitors(Vec<u8>),
    /// Received mail.
    Mail(Vec<u8>),
    /// Received mail, and the number of the file to read.
    MailFile(Vec<u8>, u32),
    /// Displayed page, from which a copy is created.
    PageCopy(Box<PageSource>),
    /// Original picture, from which a smaller version is created.
    SmallerPicture(PictureInput),
}

/// Type of the result of a request.
pub(super) trait ChildResult: serde::de::DeserializeOwned + Send + 'static {}

impl ChildResult for ExtractionOutcome {}
impl ChildResult for ParsedFeed {}
impl ChildResult for Result<Observation, ObserveError> {}
impl ChildResult for Vec<FeedCandidate> {}
impl ChildResult for Option<PageList> {}
impl ChildResult for Result<Vec<PartSelector>, ObserveError> {}
impl ChildResult for Option<Vec<Outline>> {}
impl ChildResult for Option<MonitorList> {}
impl ChildResult for MailMessage {}
impl ChildResult for Option<MailFileContent> {}
impl ChildResult for Result<HtmlCopy, String> {}
impl ChildResult for Option<SmallerPicture> {}

pub(super) enum ChildAnswer<T> {
    Completed(Box<T>),
    Panicked,
}

pub(super) fn hello_bytes(hello: &Hello) -> Vec<u8> {
    serde_json::to_vec(hello).unwrap_or_default()
}

pub(super) fn hello(bytes: &[u8]) -> Option<Hello> {
    serde_json::from_slice(bytes).ok()
}

impl ChildRequest {
    /// Default priority: interactive if a caller usually waits for this kind of request.
    pub(super) fn pace(&self) -> Pace {
        match self {
            Self::Page(_)
            | Self::Selected(..)
            | Self::Feeds(_)
            | Self::List(_)
            | Self::Parts(_)
            | Self::Outlines(_)
            | Self::Monitors(_)
            | Self::MailFile(..)
            | Self::SmallerPicture(_) => Pace::Interactive,
            Self::Feed(_) | Self::Watch(_) | Self::Mail(_) | Self::PageCopy(_) => Pace::Background,
        }
    }

    /// Site of the source. All sources without a URL share one site.
    pub(super) fn site(&self) -> String {
        let address = match self {
            Self::Page(input)
            | Self::Selected(input, _)
            | Self::Feeds(input)
            | Self::List(input)
            | Self::Parts(input) => &input.url,
            Self::Feed(input) => &input.base_url,
            Self::Watch(input) => &input.url,
            Self::PageCopy(source) => return site(&source.url).unwrap_or_default(),
            Self::SmallerPicture(input) => return site(&input.url).unwrap_or_default(),
            Self::Outlines(_) | Self::Monitors(_) | Self::Mail(_) | Self::MailFile(..) => &None,
        };
        address.as_deref().and_then(site).unwrap_or_default()
    }

    /// True if the request may need much more memory than the size of its body: a picture with many pixels.
    pub(super) fn has_many_pixels(&self) -> bool {
        match self {
            Self::SmallerPicture(input) => picture::identify(&input.bytes)
                .is_ok_and(|info| u64::from(info.width) * u64::from(info.height) > MANY_PIXELS),
            _ => false,
        }
    }

    /// Header with its length, and the body that follows it.
    pub(super) fn parts(self) -> (Vec<u8>, Vec<u8>) {
        let (head, body) = match self {
            Self::Page(input) => {
                (FrameHead::Page { content_type: input.content_type, url: input.url }, input.bytes)
            }
            Self::Selected(input, selector) => {
                let Input { bytes, content_type, url } = input;
                (FrameHead::Selected { content_type, url, selector }, bytes)
            }
            Self::Feed(mut input) => {
                let body = std::mem::take(&mut input.body);
                (FrameHead::Feed(input), body)
            }
            Self::Watch(mut input) => {
                let body = std::mem::take(&mut input.bytes);
                (FrameHead::Watch(input), body)
            }
            Self::Feeds(input) => {
                let url = input.url.unwrap_or_default();
                (FrameHead::Feeds { content_type: input.content_type, url }, input.bytes)
            }
            Self::List(input) => {
                (FrameHead::List { content_type: input.content_type, url: input.url }, input.bytes)
            }
            Self::Parts(input) => {
                (FrameHead::Parts { content_type: input.content_type, url: input.url }, input.bytes)
            }
            Self::Outlines(body) => (FrameHead::Outlines, body),
            Self::Monitors(body) => (FrameHead::Monitors, body),
            Self::Mail(message) => (FrameHead::Mail, message),
            Self::MailFile(message, number) => (FrameHead::MailFile { number }, message),
            Self::PageCopy(mut source) => {
                let mut body = std::mem::take(&mut source.html).into_bytes();
                let mut sizes = vec![body.len()];
                for resource in &mut source.resources {
                    let file = std::mem::take(&mut resource.bytes);
                    sizes.push(file.len());
                    body.extend_from_slice(&file);
                }
                (FrameHead::PageCopy(source, sizes), body)
            }
            Self::SmallerPicture(input) => {
                let PictureInput { bytes, url, max_width } = input;
                (FrameHead::SmallerPicture { url, max_width }, bytes)
            }
        };
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let mut bytes = length(head.len()).to_vec();
        bytes.extend(head);
        (bytes, body)
    }

    /// Parses a request from a frame. `None` if the frame does not follow the protocol.
    pub(super) fn parse(mut frame: Vec<u8>) -> Option<Self> {
        let size: [u8; 4] = frame.get(..4)?.try_into().ok()?;
        let end = usize::try_from(u32::from_le_bytes(size)).ok()?.checked_add(4)?;
        let head: FrameHead = serde_json::from_slice(frame.get(4..end)?).ok()?;
        frame.drain(..end);
        Some(match head {
            FrameHead::Page { content_type, url } => Self::Page(Input { bytes: frame, content_type, url }),
            FrameHead::Selected { content_type, url, selector } => {
                Self::Selected(Input { bytes: frame, content_type, url }, selector)
            }
            FrameHead::Feed(mut input) => {
                input.body = frame;
                Self::Feed(input)
            }
            FrameHead::Watch(mut input) => {
                input.bytes = frame;
                Self::Watch(input)
            }
            FrameHead::Feeds { content_type, url } => {
                Self::Feeds(Input { bytes: frame, content_type, url: Some(url) })
            }
            FrameHead::List { content_type, url } => Self::List(Input { bytes: frame, content_type, url }),
            FrameHead::Parts { content_type, url } => Self::Parts(Input { bytes: frame, content_type, url }),
            FrameHead::Outlines => Self::Outlines(frame),
            FrameHead::Monitors => Self::Monitors(frame),
            FrameHead::Mail => Self::Mail(frame),
            FrameHead::MailFile { number } => Self::MailFile(frame, number),
            FrameHead::SmallerPicture { url, max_width } => {
                Self::SmallerPicture(PictureInput { bytes: frame, url, max_width })
            }
            FrameHead::PageCopy(mut source, sizes) => {
                let mut sizes = sizes.into_iter();
                let (html, mut rest) = frame.split_at(sizes.next()?.min(frame.len()));
                std::str::from_utf8(html).ok()?.clone_into(&mut source.html);
                for (resource, size) in source.resources.iter_mut().zip(sizes) {
                    let (file, after) = rest.split_at(size.min(rest.len()));
                    resource.bytes = file.to_vec();
                    rest = after;
                }
                Self::PageCopy(source)
            }
        })
    }
}

pub(super) async fn answer<T: ChildResult>(frame: Vec<u8>) -> Option<ChildAnswer<T>> {
    if frame.len() < LONG_ANSWER_BYTES {
        return parse(&frame);
    }
    tokio::task::spawn_blocking(move || parse(&frame)).await.ok().flatten()
}

fn parse<T: ChildResult>(frame: &[u8]) -> Option<ChildAnswer<T>> {
    match frame.split_first()? {
        (&RESULT, json) => {
            serde_json::from_slice(json).ok().map(|result| ChildAnswer::Completed(Box::new(result)))
        }
        (&PANICKED, _) => Some(ChildAnswer::Panicked),
        _ => None,
    }
}

/// Writes the parts as one frame.
pub(super) async fn write(pipe: &mut (impl AsyncWrite + Unpin), parts: &[&[u8]]) -> io::Result<()> {
    let total = parts.iter().map(|part| part.len()).sum::<usize>();
    if total > MAX_FRAME_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    pipe.write_all(&length(total)).await?;
    for part in parts {
        pipe.write_all(part).await?;
    }
    pipe.flush().await
}

pub(super) async fn read(pipe: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let size = usize::try_from(pipe.read_u32_le().await?).unwrap_or(usize::MAX);
    if size > MAX_FRAME_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut frame = vec![0; size];
    pipe.read_exact(&mut frame).await?;
    Ok(frame)
}

/// Reads a pipe until it closes, and returns the last bytes of its output.
pub(super) async fn last_words(mut pipe: impl AsyncRead + Unpin) -> Vec<u8> {
    let mut words = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = pipe.read(&mut buffer).await {
        words.extend_from_slice(&buffer[..read]);
        if words.len() > LAST_WORDS_BYTES {
            words.drain(..words.len() - LAST_WORDS_BYTES);
        }
    }
    words
}

/// Length of a frame, as written before the frame.
pub(super) fn length(size: usize) -> [u8; 4] {
    u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes()
}
