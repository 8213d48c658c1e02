//! Command line: parses the subcommand and its arguments, and dispatches it.

mod account;
mod account_quotas;
mod after_restore;
mod backup;
mod check;
mod credits;
mod database_move;
mod demo;
mod doctor;
mod error_text;
mod export;
mod extract;
mod feed;
mod handbook;
mod import;
mod import_server;
mod inbox;
mod init;
mod interrupt;
mod jobs;
mod key;
mod large_stack;
mod man;
mod mcp;
mod migrate;
mod monitors;
mod notes;
mod openapi;
mod read;
mod reference;
mod rendering;
mod service_access;
mod source;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::process::ExitCode;

use ::jobs::JobKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::process::{self, ProcessRole};
use crate::telemetry;
use http_kit::config::Settings;

/// One place to read the web from.
///
/// Without a subcommand, everything runs in one process on an embedded database. Open
/// <http://127.0.0.1:8080/> in a browser to read. `carrel init` writes a file that explains every setting.
#[derive(Debug, Parser)]
#[command(name = "carrel", version, about, long_about, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  carrel                                   serve on http://127.0.0.1:8080/
  carrel serve --listen 127.0.0.1:9000     serve on another address
  carrel init                              write a configuration after three questions
  carrel check                             verify the settings, the database, mail, and the public address
  carrel read https://example.com/         print a page as clean text
  carrel read notes.html --format markdown print a file as Markdown
  carrel read example.com --query prices   print what a page says about prices
  carrel feed https://example.com/feed     print a feed
  carrel jobs list --state dead            list dead jobs
  carrel account create me@example.org     create an account; prompts for the password
  carrel demo                              create an account with sample data
  carrel key create me@example.org --name laptop   create an API key and print it
  carrel import bookmarks.html --account me@example.org   import a file into a library
  carrel import-server karakeep https://keep.example.org --account me@example.org   import from a server
  carrel inbox deliver copper-meadow-4821@in.example.org < message.eml   receive a message
  carrel export --account me@example.org   export everything of an account
  carrel notes ~/vault/Carrel --server https://carrel.example.org   update a folder of Markdown files
  carrel monitors import urls.yaml --account me@example.org   import monitors of another program
  carrel backup carrel.tar                 back up the database and the files of a running service
  carrel move --to postgres://carrel@db.example.org/carrel   move from the embedded database to PostgreSQL
  carrel mcp --group core                  connect a local agent to a service
  carrel mcp bundle --out carrel.mcpb      write a bundle that desktop clients install
  carrel openapi reader > reader.json      print the API description of the public reader
  carrel man | man -l -                    show the manual page
  carrel handbook folder                   write the handbook as Markdown";

#[derive(Debug, Subcommand)]
#[expect(clippy::doc_markdown, reason = "these comments are help texts, where backticks would be printed")]
enum Command {
    /// Run web, worker and scheduler in one process (the default).
    Serve(ListenAddress),
    /// Run the HTTP front end only. Needs PostgreSQL; any number may run.
    Web(ListenAddress),
    /// Run a worker only. Needs PostgreSQL; any number may run.
    Worker {
        /// Run only jobs of these kinds, separated by commas: extraction, read_job, …
        #[arg(long, alias = "queues", value_delimiter = ',', value_parser = jobs::kind)]
        kinds: Vec<JobKind>,
    },
    /// Run the scheduler only: submit due jobs, sweep, clean up. Needs PostgreSQL; running two is safe.
    Scheduler,
    /// Write a commented configuration (carrel.env) after three questions.
    Init(init::InitArgs),
    /// Verify the settings and the services that they name: one line each, with a hint for each fault.
    Check(check::CheckArgs),
    /// Migrate the database and exit, or print the plan.
    Migrate(migrate::MigrateArgs),
    /// Print a page, a file, or standard input as clean text.
    Read(read::ReadArgs),
    /// Print a feed, or parse many: one JSON object per input line, one per output line.
    Feed(feed::FeedArgs),
    /// Extract many pages: one JSON object per input line, one per output line.
    Extract(extract::ExtractArgs),
    /// Import a file exported by another service or a browser into an account's library.
    Import(import::ImportArgs),
    /// Export everything of an account into archives of open formats, or its library for other programs.
    Export(export::ExportArgs),
    /// Import from a server of another service into an account's library, and again with what is new.
    ImportServer(import_server::ImportServerArgs),
    /// Write the database and all files into one archive while the service runs, or verify an archive.
    Backup(backup::BackupArgs),
    /// Restore an archive of `carrel backup` into an empty database and CARREL_FILES.
    Restore(backup::RestoreArgs),
    /// Run after restoring a copy of the database by other means: clients of libraries then sync from the
    /// start.
    AfterRestore,
    /// Copy the embedded database to an empty PostgreSQL database. Stop the service first.
    ///
    /// The command locks the embedded database (DATABASE_URL) and refuses to start while another process uses
    /// it. It migrates the target and copies all rows in one transaction, so that a failed move leaves an
    /// empty target. The embedded database is not changed. Files (CARREL_FILES) do not move.
    Move(database_move::MoveArgs),
    /// Check the invariants of the database and print how to repair violations.
    Doctor,
    /// Create, change, and delete accounts.
    #[command(subcommand)]
    Account(account::AccountCommand),
    /// Create an account with sample data, to try the pages.
    Demo(demo::DemoArgs),
    /// Create, list, and revoke API keys.
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Show and grant monitor credits, and audit the ledger.
    #[command(subcommand)]
    Credits(credits::CreditsCommand),
    /// Inspect and control background jobs.
    #[command(subcommand)]
    Jobs(jobs::JobsCommand),
    /// Receive mail for an inbox address.
    #[command(subcommand)]
    Inbox(inbox::InboxCommand),
    /// Import monitors of other programs, and export monitors.
    #[command(subcommand)]
    Monitors(monitors::MonitorsCommand),
    /// Keep a folder of Markdown files in step with the library of a service, for Obsidian, Logseq, and others.
    Notes(notes::NotesArgs),
    /// Connect an agent to a service: MCP on standard input and output.
    Mcp(mcp::McpArgs),
    /// Print an API description (OpenAPI 3.1).
    Openapi(openapi::OpenapiArgs),
    /// Print a shell completion script, as in `carrel completions bash`.
    Completions {
        /// Shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, as in `carrel man | man -l -`.
    Man,
    /// Write the handbook into a folder, as Markdown for mdBook. A service shows it at /docs/handbook.
    Handbook(handbook::HandbookArgs),
    /// Sandbox process that workers start; not for direct use.
    #[command(hide = true)]
    ExtractChild,
    /// Sandbox process that workers start for the file of an import; not for direct use.
    #[command(hide = true)]
    ImportChild { memory_bytes: u64, request: String },
}

/// Address to listen on.
#[derive(Debug, Default, clap::Args)]
#[expect(clippy::doc_markdown, reason = "these comments are help texts, where backticks would be printed")]
struct ListenAddress {
    /// Address and port to listen on, such as 127.0.0.1:9000. Overrides CARREL_LISTEN.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

impl Command {
    /// Returns the settings given on the command line, as names and values of their variables.
    fn overrides(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Serve(ListenAddress { listen: Some(listen) })
            | Self::Web(ListenAddress { listen: Some(listen) }) => {
                vec![("CARREL_LISTEN", listen.to_string())]
            }
            _ => Vec::new(),
        }
    }
}

/// Creates the page of the handbook about the commands, in Markdown.
pub fn command_page() -> String {
    reference::page(Cli::command())
}

/// Runs the command line and returns the exit code of the process.
pub fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or(Command::Serve(ListenAddress::default()));
    let result = match command {
        Command::ExtractChild => return ::extract::sandbox::child_main(),
        Command::ImportChild { memory_bytes, request } => {
            return library::transfer::import_child_main(memory_bytes, &request);
        }
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Feed(arguments) if arguments.is_filter() => feed::filter(),
        Command::Openapi(arguments) => openapi::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Notes(arguments) => notes::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Man => man::print(Cli::command()),
        Command::Handbook(arguments) => handbook::run(&arguments, command_page),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "carrel", &mut std::io::stdout());
            Ok(())
        }
        command => with_runtime(command),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The program that reads the output has closed the pipe, as in `carrel read … | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carrel: {}", error_text::describe(&error));
            let refused = error.downcast_ref::<inbox::NotReceived>();
            refused.map_or(ExitCode::FAILURE, |refused| ExitCode::from(refused.status))
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn with_runtime(command: Command) -> anyhow::Result<()> {
    let settings = Settings::from_environment(&command.overrides())?;
    if matches!(command, Command::Serve(_) | Command::Web(_) | Command::Worker { .. } | Command::Scheduler) {
        allocator::limit_c_allocator();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        match command {
            Command::Serve(_) => serve(settings, ProcessRole::All).await,
            Command::Web(_) => serve(settings, ProcessRole::Web).await,
            Command::Worker { kinds } => serve(settings, ProcessRole::Worker(kinds)).await,
            Command::Scheduler => serve(settings, ProcessRole::Scheduler).await,
            Command::Migrate(arguments) => migrate::run(&settings, &arguments).await,
            Command::Read(arguments) => read::run(settings, &arguments).await,
            Command::Feed(arguments) => feed::run(settings, &arguments).await,
            Command::Import(arguments) => Box::pin(import::run(settings, &arguments)).await,
            Command::Export(arguments) => Box::pin(export::run(settings, &arguments)).await,
            Command::ImportServer(arguments) => Box::pin(import_server::run(settings, &arguments)).await,
            Command::Backup(arguments) => backup::write(&settings, &arguments).await,
            Command::Restore(arguments) => backup::restore(&settings, &arguments).await,
            Command::AfterRestore => after_restore::run(&settings).await,
            Command::Move(arguments) => database_move::run(&settings, &arguments).await,
            Command::Doctor => doctor::run(&settings).await,
            Command::Jobs(command) => jobs::run(settings, command).await,
            Command::Account(command) => account::run(settings, command).await,
            Command::Demo(arguments) => Box::pin(demo::run(settings, &arguments)).await,
            Command::Key(command) => key::run(settings, command).await,
            Command::Credits(command) => credits::run(settings, command).await,
            Command::Inbox(command) => Box::pin(inbox::run(settings, command)).await,
            Command::Monitors(command) => Box::pin(monitors::run(settings, command)).await,
            Command::Extract(_)
            | Command::Mcp(_)
            | Command::Notes(_)
            | Command::Openapi(_)
            | Command::Init(_)
            | Command::Check(_)
            | Command::Man
            | Command::Handbook(_)
            | Command::Completions { .. }
            | Command::ExtractChild
            | Command::ImportChild { .. } => Ok(()),
        }
    })
}

async fn serve(settings: Settings, role: ProcessRole) -> anyhow::Result<()> {
    let _traces = telemetry::start(&settings)?;
    Box::pin(process::run(settings, role, command_page)).await
}
