//! Receives the rows of an import's file from the child process that reads the file. A malicious file may
//! control the child, so the number and the size of received rows and files are also
//! checked against the limits on this side.

use std::fs::File;
use std::io::SeekFrom;

use extract::imports::{Format, ImportRow, ImportService, InvalidRow, PageEnd, ServerPageRequest};
use extract::sandbox::{FileChild, FileFrame, Pool};
use kernel::json_bounds::count_values;
use kernel::{Code, Error, Result};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::import_protocol::{
    END, FILE_COMPLETE, FILE_CORRUPT, FILE_PIECE, FORMAT, INVALID_ROW, ImportPassOptions, ImportRequest,
    LINE, MAX_ENTRY_BYTES, MAX_FILE_BYTES, MAX_ROWS, PAGE, PROGRESS, ROW, TOKEN,
};
use super::line::{MAX_VALUES, NativeLine};
use super::shared_file::FileError;

/// Number of bytes on disk that have the same weight as one byte in memory.
const DISK_SHARE: u64 = 64;
/// Approximate size of a value or a member name in memory, without its text.
const VALUE_BYTES: usize = 64;
/// Size above which JSON is processed on a blocking thread, in bytes.
const LONG_JSON_BYTES: usize = 64 * 1024;
/// Maximum size of the first frame of a page or a login, in bytes.
const MAX_HEAD_BYTES: usize = 1024 * 1024;
/// Maximum length of the position of a page and of the id of a list, in bytes.
const MAX_POSITION_BYTES: usize = 2000;
/// Delay after which a job can retry starting a child, in seconds.
const CAPACITY_RETRY_SECONDS: u32 = 5;

/// Row of an import.
pub(super) enum ImportEntry {
    /// Row of another service.
    Row(Result<ParsedRow, InvalidRow>),
    /// Line of the native format.
    Line(Result<ParsedLine, InvalidRow>),
}

/// Parsed row of another service.
pub(super) struct ParsedRow {
    pub(super) row: Box<ImportRow>,
    /// File of the item, if it has one.
    pub(super) file: Option<ItemFile>,
}

/// Parsed line of the native format.
pub(super) struct ParsedLine {
    pub(super) line: Box<NativeLine>,
    /// File of the item, if it has one.
    pub(super) file: Option<ItemFile>,
}

/// File of an item, copied from the archive to an unnamed temporary file.
pub(super) struct ItemFile {
    /// File, positioned at the start.
    pub(super) file: File,
    /// Size in bytes.
    pub(super) bytes: u64,
}

/// Row that is not parsed yet.
pub(super) struct ReceivedRow {
    pub(super) format: Format,
    content: ReceivedContent,
    /// Number of values and member names in the JSON.
    values: usize,
    file: Option<ItemFile>,
}

enum ReceivedContent {
    Row(Vec<u8>),
    Line(Vec<u8>),
    Invalid(InvalidRow),
}

impl ReceivedRow {
    /// Returns the size of the JSON and a fraction of the size of the file, in bytes.
    fn weight(&self) -> usize {
        let json = match &self.content {
            ReceivedContent::Row(json) | ReceivedContent::Line(json) => json.len(),
            ReceivedContent::Invalid(_) => 0,
        };
        let file = self.file.as_ref().map_or(0, |file| file.bytes / DISK_SHARE);
        json.saturating_add(usize::try_from(file).unwrap_or(usize::MAX))
    }

    /// Returns the approximate size of the parsed row in memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.weight().saturating_add(self.values.saturating_mul(VALUE_BYTES))
    }

    /// Parses the JSON of the row.
    pub(super) fn parse(self) -> ImportEntry {
        let has_too_many_values = self.values > MAX_VALUES;
        match self.content {
            ReceivedContent::Row(_) if has_too_many_values => ImportEntry::Row(Err(InvalidRow::TooLong)),
            ReceivedContent::Row(json) => ImportEntry::Row(
                serde_json::from_slice(&json)
                    .map(|row| ParsedRow { row, file: self.file })
                    .map_err(|_| InvalidRow::Malformed),
            ),
            ReceivedContent::Line(_) if has_too_many_values => ImportEntry::Line(Err(InvalidRow::TooLong)),
            ReceivedContent::Line(json) => ImportEntry::Line(
                NativeLine::parse(&json).map(|line| ParsedLine { line: Box::new(line), file: self.file }),
            ),
            ReceivedContent::Invalid(reason) if self.format == Format::SvcJsonl => {
                ImportEntry::Line(Err(reason))
            }
            ReceivedContent::Invalid(reason) => ImportEntry::Row(Err(reason)),
        }
    }
}

/// Number of rows in a file, and their format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowCount {
    /// Format of the first row.
    pub(super) format: Option<Format>,
    pub(super) rows: u64,
}

/// Rows that a child process reads. Dropping this value kills the child.
pub(super) struct ImportRows {
    child: FileChild,
    /// Format of the next row.
    format: Option<Format>,
    first_format: Option<Format>,
    /// Number of received rows.
    received: u64,
    /// File whose pieces are being received, and its size so far in bytes.
    file: Option<(tokio::fs::File, u64)>,
    /// File of the next row, if all its pieces were received.
    complete_file: Option<ItemFile>,
}

/// Starts a child process that reads `file`.
///
/// # Errors
/// `capacity_exhausted` if no process can be started.
pub(super) async fn start_child(sandbox: &Pool, file: &File, request: &ImportRequest) -> Result<FileChild> {
    let request = serde_json::to_string(request).map_err(Error::internal)?;
    let file = file.try_clone().map_err(Error::internal)?;
    sandbox.start_file_child(file, &request).await.map_err(|error| {
        tracing::error!(%error, "failed to start a process to read an import file");
        let message = "Files cannot be read at the moment. Try again later.";
        Error::new(Code::CapacityExhausted, message).retry_after(CAPACITY_RETRY_SECONDS)
    })
}

/// Reads the token from a server's response to a login, in a child process.
///
/// # Errors
/// `capacity_exhausted` if no process can be started.
pub(super) async fn read_token(
    sandbox: &Pool,
    file: &File,
    service: ImportService,
) -> Result<Result<String, FileError>> {
    let mut child = start_child(sandbox, file, &ImportRequest::Login(service)).await?;
    let token = match first_frame(&mut child, TOKEN).await {
        Ok(body) => String::from_utf8(body).ok(),
        Err(error) => return Ok(Err(error)),
    };
    let is_header = |token: &String| token.bytes().all(|byte| byte.is_ascii_graphic());
    Ok(token.filter(is_header).ok_or(FileError::Malformed))
}

/// Reads the first frame and returns its body.
///
/// # Errors
/// Returns an error if the first frame does not have the tag `expected`, because the file cannot be read.
async fn first_frame(child: &mut FileChild, expected: u8) -> Result<Vec<u8>, FileError> {
    let FileFrame { tag, body } = child.read_frame(MAX_HEAD_BYTES).await?;
    if tag == expected {
        return Ok(body);
    }
    match serde_json::from_slice::<Result<u64, FileError>>(&body) {
        Ok(Err(error)) if tag == END => Err(error),
        _ => Err(FileError::Malformed),
    }
}

/// Returns true if the position after a page is small enough to be stored.
fn is_bounded(end: &PageEnd) -> bool {
    end.next.iter().chain(&end.lists).all(|text| text.len() <= MAX_POSITION_BYTES)
}

impl ImportRows {
    /// Starts reading the rows of `file`.
    ///
    /// # Errors
    /// `capacity_exhausted` if no process can be started.
    pub(super) async fn start(sandbox: &Pool, file: &File, options: ImportPassOptions) -> Result<Self> {
        let child = start_child(sandbox, file, &ImportRequest::Rows(options)).await?;
        Ok(Self { child, format: None, first_format: None, received: 0, file: None, complete_file: None })
    }

    /// Starts reading the rows of a page from a server. Returns the rows, and the position after the page.
    ///
    /// # Errors
    /// `capacity_exhausted` if no process can be started.
    pub(super) async fn start_page(
        sandbox: &Pool,
        file: &File,
        request: &ServerPageRequest,
    ) -> Result<Result<(Self, PageEnd), FileError>> {
        let mut child = start_child(sandbox, file, &ImportRequest::Page(request.clone())).await?;
        let end = match first_frame(&mut child, PAGE).await {
            Ok(body) => serde_json::from_slice(&body).ok().filter(is_bounded),
            Err(error) => return Ok(Err(error)),
        };
        let Some(end) = end else { return Ok(Err(FileError::Malformed)) };
        let rows =
            Self { child, format: None, first_format: None, received: 0, file: None, complete_file: None };
        Ok(Ok((rows, end)))
    }

    #[cfg(test)]
    pub(super) fn process_id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Counts the rows of the file. To count without parsing, start with all rows skipped.
    pub(super) async fn count(mut self) -> Result<RowCount, FileError> {
        loop {
            if let ReceivedPart::End(rows) = self.receive().await? {
                return Ok(RowCount { format: self.first_format, rows });
            }
        }
    }

    /// Receives the next row. `None` at the end of the file.
    pub(super) async fn next(&mut self) -> Result<Option<ReceivedRow>, FileError> {
        loop {
            match self.receive().await? {
                ReceivedPart::Row(row) => return Ok(Some(row)),
                ReceivedPart::End(_) => return Ok(None),
                ReceivedPart::None => {}
            }
        }
    }

    async fn receive(&mut self) -> Result<ReceivedPart, FileError> {
        let FileFrame { tag, body } = self.child.read_frame(MAX_ENTRY_BYTES).await?;
        match tag {
            ROW | LINE | INVALID_ROW => self.row(tag, body).await.map(ReceivedPart::Row),
            END => match serde_json::from_slice::<Result<u64, FileError>>(&body) {
                Ok(Ok(rows)) if rows <= MAX_ROWS => Ok(ReceivedPart::End(rows)),
                Ok(Err(error)) => Err(error),
                Ok(Ok(_)) | Err(_) => Err(FileError::Malformed),
            },
            FORMAT => {
                let format = std::str::from_utf8(&body).ok().and_then(Format::parse);
                self.format = Some(format.ok_or(FileError::Malformed)?);
                self.first_format = self.first_format.or(self.format);
                Ok(ReceivedPart::None)
            }
            FILE_PIECE => self.add_piece(&body).await,
            FILE_COMPLETE => self.complete_file().await,
            FILE_CORRUPT => {
                self.file = None;
                Ok(ReceivedPart::None)
            }
            PROGRESS => Ok(ReceivedPart::None),
            _ => Err(FileError::Malformed),
        }
    }

    async fn row(&mut self, tag: u8, body: Vec<u8>) -> Result<ReceivedRow, FileError> {
        self.received += 1;
        if self.received > MAX_ROWS {
            return Err(FileError::TooLarge);
        }
        let format = self.format.ok_or(FileError::Malformed)?;
        let file = self.complete_file.take();
        if tag == INVALID_ROW {
            let reason = serde_json::from_slice(&body).map_err(|_| FileError::Malformed)?;
            return Ok(ReceivedRow {
                format,
                content: ReceivedContent::Invalid(reason),
                values: 0,
                file: None,
            });
        }
        let (body, values) = with_value_count(body).await?;
        let content = if tag == ROW { ReceivedContent::Row(body) } else { ReceivedContent::Line(body) };
        Ok(ReceivedRow { format, content, values, file })
    }

    async fn add_piece(&mut self, piece: &[u8]) -> Result<ReceivedPart, FileError> {
        let (mut file, bytes) = match self.file.take() {
            Some(file) => file,
            None => (create_file().await?, 0),
        };
        let bytes = bytes + piece.len() as u64;
        if bytes > MAX_FILE_BYTES {
            return Err(FileError::Malformed);
        }
        file.write_all(piece).await.map_err(|_| FileError::Unreadable)?;
        self.file = Some((file, bytes));
        Ok(ReceivedPart::None)
    }

    async fn complete_file(&mut self) -> Result<ReceivedPart, FileError> {
        let (mut file, bytes) = match self.file.take() {
            Some(file) => file,
            // An empty file has no pieces.
            None => (create_file().await?, 0),
        };
        // If writing fails, the disk is full. The import file is not malformed.
        file.flush().await.map_err(|_| FileError::Unreadable)?;
        file.seek(SeekFrom::Start(0)).await.map_err(|_| FileError::Unreadable)?;
        self.complete_file = Some(ItemFile { file: file.into_std().await, bytes });
        Ok(ReceivedPart::None)
    }
}

enum ReceivedPart {
    Row(ReceivedRow),
    /// Number of rows in the file.
    End(u64),
    None,
}

/// Creates an unnamed temporary file.
async fn create_file() -> Result<tokio::fs::File, FileError> {
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await;
    let file = file.map_err(|_| FileError::Unreadable)?.map_err(|_| FileError::Unreadable)?;
    Ok(tokio::fs::File::from_std(file))
}

/// Counts the values and member names of JSON. Returns the JSON and the number. If the number exceeds the
/// maximum, counting stops there.
async fn with_value_count(json: Vec<u8>) -> Result<(Vec<u8>, usize), FileError> {
    let count = |json: &[u8]| count_values(json, MAX_VALUES).unwrap_or(MAX_VALUES + 1);
    if json.len() <= LONG_JSON_BYTES {
        let values = count(&json);
        return Ok((json, values));
    }
    let counting = tokio::task::spawn_blocking(move || {
        let values = count(&json);
        (json, values)
    });
    counting.await.map_err(|_| FileError::Unreadable)
}
