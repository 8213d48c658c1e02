//! The command line: which subcommand, with what, and nothing else.

mod account;
mod after_restore;
mod credits;
mod doctor;
mod extract;
mod feed;
mod import;
mod jobs;
mod key;
mod mcp;
mod openapi;
mod read;
mod source;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::process::ExitCode;

use ::jobs::JobKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::process::{self, Role};
use crate::telemetry;
use http_kit::config::Settings;

/// One place to read the web from.
///
/// Without a subcommand everything runs in one process on an embedded database, and a browser at
/// <http://127.0.0.1:8080/> can read. `.env.sample` explains every setting.
#[derive(Debug, Parser)]
#[command(name = "carrel", version, about, long_about, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  carrel                                   serve on http://127.0.0.1:8080/
  carrel serve --listen 127.0.0.1:9000     serve at another address
  carrel read https://example.com/         print a page as clean text
  carrel read notes.html --format markdown print a file as Markdown
  carrel read example.com --query prices   print what a page says about prices
  carrel feed https://example.com/feed     print a feed
  carrel jobs list --state dead            see what was given up
  carrel account create me@example.org     make an account; asks for the password
  carrel key create me@example.org --name laptop   make an API key and print it, once
  carrel import bookmarks.html --account me@example.org   take a file into a library
  carrel mcp --group core                  connect an agent on this machine to a service
  carrel openapi reader > reader.json      the description of the public reader";

#[derive(Debug, Subcommand)]
#[expect(clippy::doc_markdown, reason = "these comments are the help texts, where backticks would show")]
enum Command {
    /// Run web, worker and scheduler in one process (the default).
    Serve(Address),
    /// Answer HTTP only. Needs PostgreSQL; run any number.
    Web(Address),
    /// Work on jobs only. Needs PostgreSQL; run any number.
    Worker {
        /// Only jobs of these kinds, parted by commas: extraction, read_job, …
        #[arg(long, alias = "queues", value_delimiter = ',', value_parser = jobs::kind)]
        kinds: Vec<JobKind>,
    },
    /// Tick only: submit what is due, sweep, clean up. Needs PostgreSQL; two do no harm.
    Scheduler,
    /// Bring the database up to date and exit.
    Migrate,
    /// Print a page, a file or standard input as clean text.
    Read(read::Arguments),
    /// Print a feed, or read many: one JSON object a line in, one a line out.
    Feed(feed::Arguments),
    /// Extract many pages: one JSON object a line in, one a line out.
    Extract(extract::Arguments),
    /// Import what other services and browsers export into the library of an account.
    Import(import::Arguments),
    /// After a backup of the database was put back: let clients of libraries begin anew.
    AfterRestore,
    /// Look whether the database holds what must always hold, and say what to do where it does not.
    Doctor,
    /// Make, change and remove accounts.
    #[command(subcommand)]
    Account(account::Command),
    /// Make, list and revoke API keys.
    #[command(subcommand)]
    Key(key::Command),
    /// Show and grant monitor credits, and check the ledger.
    #[command(subcommand)]
    Credits(credits::Command),
    /// Look at background jobs and take a hand in them.
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Connect an agent that starts programs to a service: MCP on standard input and output.
    Mcp(mcp::Arguments),
    /// Print an API description (OpenAPI 3.1).
    Openapi(openapi::Arguments),
    /// Print what lets a shell complete commands, as in `carrel completions bash`.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// The extraction process that workers start; not for people.
    #[command(hide = true)]
    ExtractChild,
}

/// Where to answer.
#[derive(Debug, Default, clap::Args)]
#[expect(clippy::doc_markdown, reason = "these comments are the help texts, where backticks would show")]
struct Address {
    /// Address and port to answer at, such as 127.0.0.1:9000, instead of CARREL_LISTEN.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

impl Command {
    /// Settings that the command line says, by their variables' names.
    fn said(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Serve(Address { listen: Some(listen) }) | Self::Web(Address { listen: Some(listen) }) => {
                vec![("CARREL_LISTEN", listen.to_string())]
            }
            _ => Vec::new(),
        }
    }
}

/// Runs the command that was given, and says with which code the process ends.
pub fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or(Command::Serve(Address::default()));
    let result = match command {
        Command::ExtractChild => return ::extract::sandbox::child_main(),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Feed(arguments) if arguments.is_filter() => feed::filter(),
        Command::Openapi(arguments) => openapi::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "carrel", &mut std::io::stdout());
            Ok(())
        }
        command => with_runtime(command),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read along has seen enough, as in `carrel read … | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carrel: {}", in_words(&error));
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// The error with its causes, each told once: some repeat their cause in their own words.
fn in_words(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn with_runtime(command: Command) -> anyhow::Result<()> {
    let settings = Settings::from_environment(&command.said())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        match command {
            Command::Serve(_) => serve(settings, Role::All).await,
            Command::Web(_) => serve(settings, Role::Web).await,
            Command::Worker { kinds } => serve(settings, Role::Worker(kinds)).await,
            Command::Scheduler => serve(settings, Role::Scheduler).await,
            Command::Migrate => {
                telemetry::start_log(&settings.log)?;
                process::migrate(&settings).await
            }
            Command::Read(arguments) => read::run(settings, &arguments).await,
            Command::Feed(arguments) => feed::run(settings, &arguments).await,
            Command::Import(arguments) => Box::pin(import::run(settings, &arguments)).await,
            Command::AfterRestore => after_restore::run(&settings).await,
            Command::Doctor => doctor::run(&settings).await,
            Command::Jobs(command) => jobs::run(settings, command).await,
            Command::Account(command) => account::run(settings, command).await,
            Command::Key(command) => key::run(settings, command).await,
            Command::Credits(command) => credits::run(settings, command).await,
            Command::Extract(_)
            | Command::Mcp(_)
            | Command::Openapi(_)
            | Command::Completions { .. }
            | Command::ExtractChild => Ok(()),
        }
    })
}

async fn serve(settings: Settings, role: Role) -> anyhow::Result<()> {
    let _traces = telemetry::start(&settings)?;
    Box::pin(process::run(settings, role)).await
}
