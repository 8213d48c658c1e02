//! Child process that reads the file of an import: parses rows, lines, and archives, and sends them to the
//! worker. It has no network, no database, and no secrets.

use std::fs::File;
use std::io;
use std::process::ExitCode;

use extract::imports::{Format, InvalidRow};
use extract::sandbox::{FrameWriter, file_child_main};
use serde::Serialize;

use super::account_export;
use super::file_reader::{self, FileEvent};
use super::import_protocol::{
    END, FILE_COMPLETE, FILE_CORRUPT, FILE_PIECE, FORMAT, INVALID_ROW, ImportRequest, LINE, MAX_ENTRY_BYTES,
    PROGRESS, ROW, ReadOptions,
};
use super::shared_file::FileError;

/// Number of skipped rows per progress frame.
const PROGRESS_ROWS: u64 = 1000;

/// The hidden subcommand: reads the file of an import on standard input, as `request` says, and sends its
/// content on standard output.
pub fn import_child_main(memory_bytes: u64, request: &str) -> ExitCode {
    let Ok(request) = serde_json::from_str(request) else { return ExitCode::FAILURE };
    file_child_main(memory_bytes, |file, output| match request {
        ImportRequest::Rows(options) => send_rows(file, options, output),
        ImportRequest::Parts(parts) => account_export::send_parts(file, &parts, output),
    })
}

fn send_rows(file: File, options: ReadOptions, output: &mut FrameWriter) -> io::Result<()> {
    let mut sender = RowSender { output, format: None, skipped: 0 };
    // If the worker is gone, reading stops with some error, and the last frame cannot be sent either.
    let rows = file_reader::read_rows(file, options, &mut |event| {
        sender.send(event).map_err(|_| FileError::Unreadable)
    });
    output.json(END, &rows)
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
