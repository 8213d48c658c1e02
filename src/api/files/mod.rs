//! Files that go out: streamed, whole or in ranges.

mod download;
mod exports;
mod range;

pub(super) use self::exports::ExportsApi;
