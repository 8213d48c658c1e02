//! `carrel inbox deliver`: receives a message from standard input, for a pipe from any mail server.

use std::fmt;
use std::io::Read;

use ::inbox::MAX_MESSAGE_BYTES;
use clap::Subcommand;
use kernel::Code;

use http_kit::config::Settings;

/// Exit statuses that mail servers understand (sysexits.h).
const NO_USER: u8 = 67;
const DATA_ERROR: u8 = 65;
const TEMPORARY_FAILURE: u8 = 75;

/// Actions on the inbox.
#[derive(Debug, Subcommand)]
pub(super) enum InboxCommand {
    /// Receive a message from standard input, for example from a pipe of a mail server.
    ///
    /// Exit status for the mail server: 0 received, 67 no such address, 65 refused for good,
    /// 75 try again.
    Deliver {
        /// Inbox address.
        address: String,
        /// Sender of the envelope.
        #[arg(long, default_value = "")]
        sender: String,
    },
}

/// Message that was not received, with the exit status of the command.
#[derive(Debug)]
pub(super) struct NotReceived {
    pub(super) status: u8,
    message: String,
}

impl fmt::Display for NotReceived {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for NotReceived {}

impl From<kernel::Error> for NotReceived {
    fn from(error: kernel::Error) -> Self {
        let status = match error.code {
            Code::NotFound => NO_USER,
            // Storage may be freed until the mail server tries again.
            Code::StorageLimitReached => TEMPORARY_FAILURE,
            _ if error.is_transient() => TEMPORARY_FAILURE,
            _ => DATA_ERROR,
        };
        Self { status, message: error.message }
    }
}

pub(super) async fn run(settings: Settings, command: InboxCommand) -> anyhow::Result<()> {
    let InboxCommand::Deliver { address, sender } = command;
    deliver(settings, &address, &sender).await.map_err(|error| match error.downcast::<NotReceived>() {
        Ok(refused) => refused.into(),
        // If the service cannot be opened, the mail server tries again.
        Err(error) => NotReceived { status: TEMPORARY_FAILURE, message: format!("{error:#}") }.into(),
    })
}

async fn deliver(settings: Settings, address: &str, sender: &str) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let recipient = ::inbox::find_recipient(&app.domain, address).await.map_err(NotReceived::from)?;
    let Some(recipient) = recipient else {
        return Err(NotReceived { status: NO_USER, message: "no such inbox address".to_owned() }.into());
    };
    let mut message = Vec::new();
    let one_more = u64::try_from(MAX_MESSAGE_BYTES)?.saturating_add(1);
    std::io::stdin().lock().take(one_more).read_to_end(&mut message)?;
    // The job is not pushed: a worker's sweep finds it.
    ::inbox::receive(&app.domain, recipient, sender, &message.into()).await.map_err(NotReceived::from)?;
    Ok(())
}
