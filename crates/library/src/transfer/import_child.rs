//! Child process that reads the file of an import: it parses rows, lines, and archives, and sends them to the
//! worker. It has no access to the network, the database, or secrets.

use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use extract::imports::{
    Format, ImportService, InvalidRow, ServerPage, ServerPageRequest, read_login, read_page,
};
use extract::sandbox::{FrameWriter, file_child_main};
use serde::Serialize;

use super::account_export;
use super::file_reader::{self, FileEvent};
use super::import_protocol::{
    END, FILE_COMPLETE, FILE_CORRUPT, FILE_PIECE, FORMAT, INVALID_ROW, ImportPassOptions, ImportRequest,
    LINE, MAX_ENTRY_BYTES, PAGE, PROGRESS, ROW, TOKEN,
};
use super::shared_file::{FileError, SharedFileReader};

/// Number of skipped rows per progress frame.
const PROGRESS_ROWS: u64 = 1000;

/// Runs the hidden subcommand: reads the file of an import from standard input, as `request` specifies, and
/// writes its content to standard output.
pub fn import_child_main(memory_bytes: u64, request: &str) -> ExitCode {
    let Ok(request) = serde_json::from_str(request) else { return ExitCode::FAILURE };
    file_child_main(memory_bytes, |file, output| match request {
        ImportRequest::Rows(options) => send_rows(file, &options, output),
        ImportRequest::Parts(parts) => account_export::send_parts(file, &parts, output),
        ImportRequest::Page(request) => send_page(file, &request, output),
        ImportRequest::Login(service) => send_token(file, service, output),
    })
}

fn send_rows(file: File, options: &ImportPassOptions, output: &mut FrameWriter) -> io::Result<()> {
    let mut sender = RowSender { output, format: None, skipped: 0 };
    // If the worker has ended, reading stops with an error, and sending the last frame also fails.
    let rows = file_reader::read_rows(file, options, &mut |event| {
        sender.send(event).map_err(|_| FileError::Unreadable)
    });
    output.json(END, &rows)
}

/// Parses a page of a server. Sends the position of the next page, followed by the rows of the page.
fn send_page(file: File, request: &ServerPageRequest, output: &mut FrameWriter) -> io::Result<()> {
    let page = match read_whole(file) {
        Ok(bytes) => read_page(&bytes, request).ok_or(FileError::Malformed),
        Err(error) => Err(error),
    };
    let ServerPage { rows, end } = match page {
        Ok(page) => page,
        Err(error) => return output.json(END, &Err::<u64, FileError>(error)),
    };
    output.json(PAGE, &end)?;
    let (count, format) = (rows.len() as u64, request.service.format());
    let mut sender = RowSender { output, format: None, skipped: 0 };
    for row in rows {
        match row {
            Ok(row) => sender.send(FileEvent::Row(format, &row))?,
            Err(reason) => sender.send(FileEvent::Invalid(format, reason))?,
        }
    }
    sender.output.json(END, &Ok::<u64, FileError>(count))
}

/// Parses a server's response to a login, and sends the token.
fn send_token(file: File, service: ImportService, output: &mut FrameWriter) -> io::Result<()> {
    let token = match read_whole(file) {
        Ok(bytes) => read_login(&bytes, service).ok_or(FileError::Malformed),
        Err(error) => Err(error),
    };
    match token {
        Ok(token) => output.bytes(TOKEN, token.as_bytes()),
        Err(error) => output.json(END, &Err::<u64, FileError>(error)),
    }
}

/// Reads a file, if it is not too large.
fn read_whole(file: File) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let most = MAX_ENTRY_BYTES as u64 + 1;
    let read = SharedFileReader::of(file)?.take(most).read_to_end(&mut bytes);
    match read {
        Ok(count) if count <= MAX_ENTRY_BYTES => Ok(bytes),
        Ok(_) => Err(FileError::TooLarge),
        Err(_) => Err(FileError::Unreadable),
    }
}

/// Sends rows as frames.
struct RowSender<'a> {
    output: &'a mut FrameWriter,
    /// Format of the previous row.
    format: Option<Format>,
    skipped: u64,
}

impl RowSender<'_> {
    fn send(&mut self, event: FileEvent<'_>) -> io::Result<()> {
        match event {
            FileEvent::Skipped(format) => {
                self.set_format(format)?;
                self.skipped += 1;
                if self.skipped.is_multiple_of(PROGRESS_ROWS) {
                    self.output.bytes(PROGRESS, &[])?;
                    self.output.flush()?;
                }
                Ok(())
            }
            FileEvent::Row(format, row) => {
                self.set_format(format)?;
                self.send_entry(ROW, row)
            }
            FileEvent::Line(line) => {
                self.set_format(Format::SvcJsonl)?;
                self.send_entry(LINE, line)
            }
            FileEvent::Invalid(format, reason) => {
                self.set_format(format)?;
                self.output.json(INVALID_ROW, &reason)
            }
            FileEvent::FilePiece(bytes) => self.output.bytes(FILE_PIECE, bytes),
            FileEvent::FileComplete => self.output.bytes(FILE_COMPLETE, &[]),
            FileEvent::FileCorrupt => self.output.bytes(FILE_CORRUPT, &[]),
        }
    }

    fn set_format(&mut self, format: Format) -> io::Result<()> {
        if self.format.replace(format) == Some(format) {
            return Ok(());
        }
        self.output.bytes(FORMAT, format.as_str().as_bytes())
    }

    fn send_entry(&mut self, tag: u8, entry: &impl Serialize) -> io::Result<()> {
        if self.output.json_within(tag, entry, MAX_ENTRY_BYTES)? {
            return Ok(());
        }
        self.output.json(INVALID_ROW, &InvalidRow::TooLong)
    }
}
