//! `carrel import-server`: imports from a server of another service, with the same rules as an import through the
//! API. The job runs in this process unless a worker of a running service claims it first. The credential comes from
//! the environment or a file, because other users of a machine can read the arguments of a process.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use ::extract::imports::ImportService;
use ::jobs::Handlers;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use identity::accounts;
use kernel::{AccountId, Domain, ImportServerId, rfc3339};
use library::ImportServerState;
use library::transfer::{self, FolderTags, ImportServer, NewImportServer, ServerCredential};
use tokio_util::sync::CancellationToken;

use http_kit::app::App;
use http_kit::config::{ImportCredentialSettings, SecretSetting, Settings};

/// Maximum size of a file with a credential.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// Interval at which the command reads the state of the run.
const STATE_INTERVAL: Duration = Duration::from_secs(1);

/// Arguments of `carrel import-server`.
#[derive(Debug, Args)]
#[command(
    after_help = "The credential is read from CARREL_IMPORT_TOKEN, or from CARREL_IMPORT_USERNAME and CARREL_IMPORT_PASSWORD (FreshRSS, wallabag), CARREL_IMPORT_CLIENT_ID and CARREL_IMPORT_CLIENT_SECRET (wallabag), or from a file. It is stored sealed; further runs need none."
)]
pub(super) struct ImportServerArgs {
    /// Service or software that runs on the server.
    #[arg(value_parser = services())]
    service: ImportService,
    /// URL of the server. Services with one server, such as Raindrop, need none.
    address: Option<String>,
    /// E-mail address of the account that owns the library.
    #[arg(long, value_name = "ADDRESS")]
    account: String,
    /// File with the credential, or `-` for standard input: a token, or lines such as username=ada and
    /// password=secret. The environment is then not read.
    #[arg(long, value_name = "FILE|-")]
    credential_file: Option<String>,
    /// How folders and lists are imported, if the server is new: as one tag with the path, as a tag for each
    /// folder, or without tags.
    #[arg(long, default_value = "path-tags", value_parser = super::import::folders())]
    folders: FolderTags,
    /// Follow the feeds of a new server as well.
    #[arg(long)]
    subscriptions: bool,
}

fn services() -> impl TypedValueParser<Value = ImportService> {
    let words = PossibleValuesParser::new(ImportService::ALL.iter().map(|service| service.as_str()));
    words.try_map(|word| ImportService::parse(&word).ok_or("is not a known service"))
}

/// Adds the server or starts another run of it, waits for the end of the run, and reports the results of its rows.
pub(super) async fn run(settings: Settings, arguments: &ImportServerArgs) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let account_id = accounts::find(&app.domain, &arguments.account).await?.id;
    let server = requested(&app.domain, account_id, arguments).await?;
    let tools = app.tools()?;
    let running = RequestedRun {
        app: Arc::clone(&app),
        handlers: application::job_kinds::handlers(&tools),
        account_id,
        id: server.id,
        stop: super::interrupt::stop_on_interrupt(),
    };
    let ended = tokio::select! {
        ended = running.run_to_end() => ended,
        failed = running.show() => failed,
    };
    tools.sandbox.shutdown().await;
    let ended = ended?;
    if let Some(id) = ended.import_id {
        super::import::report(&transfer::get_import(&app.domain, account_id, id).await?)?;
    }
    match ended.state {
        ImportServerState::Complete => Ok(()),
        ImportServerState::Failed => bail!("the import failed: {}", ended.error_code.unwrap_or_default()),
        ImportServerState::Queued | ImportServerState::Running | ImportServerState::Waiting => {
            bail!("stopped: imported rows stay, and a running service continues with the rest")
        }
    }
}

/// Adds the server unless the account already has it, and requests a run. Returns the server.
async fn requested(
    domain: &Domain,
    account_id: AccountId,
    arguments: &ImportServerArgs,
) -> anyhow::Result<ImportServer> {
    let address = arguments.address.as_deref();
    // The jobs are not pushed: if this process stops before it starts them, a worker's sweep finds them.
    if let Some(known) = transfer::find_server(domain, account_id, arguments.service, address).await? {
        eprintln!("{} is known: its stored credential is used", known.address);
        return Ok(transfer::start_server(domain, account_id, known.id).await?.0);
    }
    let new = NewImportServer {
        service: arguments.service,
        address: arguments.address.clone(),
        credential: credential(arguments)?,
        folders: arguments.folders,
        subscriptions: arguments.subscriptions,
    };
    let (server, _job) = transfer::add_server(domain, account_id, new).await?;
    if !server.is_confidential() {
        eprintln!("the credential is sent to {} without encryption", server.address);
    }
    Ok(server)
}

/// Reads the credential from the file or the environment.
fn credential(arguments: &ImportServerArgs) -> anyhow::Result<ServerCredential> {
    let Some(name) = arguments.credential_file.as_deref() else {
        let settings = ImportCredentialSettings::from_environment()?;
        let text = |setting: Option<SecretSetting>| setting.map(|setting| setting.reveal().to_owned());
        return Ok(ServerCredential {
            token: text(settings.token),
            username: text(settings.username),
            password: text(settings.password),
            client_id: text(settings.client_id),
            client_secret: text(settings.client_secret),
        });
    };
    let path = if name == "-" { "/dev/stdin" } else { name };
    let file = std::fs::File::open(path).with_context(|| format!("{name} cannot be opened"))?;
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).with_context(|| format!("{name} cannot be read"))?;
    Ok(parse_credential(&text))
}

/// Parses a credential: one line with a token, or lines with the names and values of fields.
fn parse_credential(text: &str) -> ServerCredential {
    let mut credential = ServerCredential::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, value) = line.split_once('=').unwrap_or(("token", line));
        let field = match name.trim() {
            "username" => &mut credential.username,
            "password" => &mut credential.password,
            "client_id" => &mut credential.client_id,
            "client_secret" => &mut credential.client_secret,
            "token" => {
                credential.token = Some(value.trim().to_owned());
                continue;
            }
            // A token may contain an equals sign.
            _ => {
                credential.token = Some(line.trim().to_owned());
                continue;
            }
        };
        // A password may begin or end with a space.
        *field = Some(value.to_owned());
    }
    credential
}

/// Requested run of a server.
struct RequestedRun {
    app: Arc<App>,
    handlers: Handlers,
    account_id: AccountId,
    id: ImportServerId,
    stop: CancellationToken,
}

impl RequestedRun {
    /// Waits for the end of the run, in this process or in a worker of a running service.
    async fn run_to_end(&self) -> anyhow::Result<ImportServer> {
        loop {
            // The job is loaded before the server. A run that is unfinished after that had a job when the job
            // was loaded, unless the job is dead.
            let job = transfer::server_job(&self.app.domain, self.id).await?;
            let server = self.load().await?;
            let is_over = matches!(server.state, ImportServerState::Complete | ImportServerState::Failed);
            if is_over || self.stop.is_cancelled() {
                return Ok(server);
            }
            let Some(job) = job else {
                bail!("the import job is dead: see `carrel jobs list --kind library_server`")
            };
            Box::pin(self.app.engine.run_inline(&self.handlers, (job.kind, job.id), &self.stop)).await?;
        }
    }

    async fn load(&self) -> anyhow::Result<ImportServer> {
        let servers = transfer::list_servers(&self.app.domain, self.account_id).await?;
        servers.into_iter().find(|server| server.id == self.id).context("the server was removed")
    }

    /// Prints each new state of the run until the future is dropped. Returns only if an error occurs.
    async fn show(&self) -> anyhow::Result<ImportServer> {
        let (mut interval, mut printed) = (tokio::time::interval(STATE_INTERVAL), None);
        loop {
            interval.tick().await;
            let state = describe(&self.load().await?);
            if state != printed {
                if let Some(state) = &state {
                    eprintln!("{state}");
                }
                printed = state;
            }
        }
    }
}

/// Describes the state of an unfinished run.
fn describe(server: &ImportServer) -> Option<String> {
    match server.state {
        ImportServerState::Queued => Some("waiting for the start of the import".to_owned()),
        ImportServerState::Running => Some(format!("importing from {}", server.address)),
        ImportServerState::Waiting => {
            let until = server.retry_at.map(|at| format!(" at {}", rfc3339(at))).unwrap_or_default();
            let reason = server.error_code.as_deref();
            let reason =
                reason.map(|code| format!("the last page was not read ({code}); ")).unwrap_or_default();
            Some(format!("{reason}the import waits and continues{until}"))
        }
        ImportServerState::Complete | ImportServerState::Failed => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_run_is_described_with_its_reason_and_time() {
        let server = |state, error_code: Option<&str>, retry_at| ImportServer {
            id: ImportServerId::MAX,
            service: ImportService::Karakeep,
            address: "https://keep.example.org".to_owned(),
            state,
            import_id: None,
            error_code: error_code.map(str::to_owned),
            retry_at,
            started_at: 0,
            finished_at: None,
        };
        let waiting = describe(&server(ImportServerState::Waiting, Some("rate_limited"), Some(0))).unwrap();
        assert!(
            waiting.contains("(rate_limited)") && waiting.contains("at 1970-01-01T00:00:00"),
            "{waiting}"
        );
        let waiting = describe(&server(ImportServerState::Waiting, None, None)).unwrap();
        assert_eq!(waiting, "the import waits and continues");
        assert_eq!(describe(&server(ImportServerState::Complete, None, None)), None);
    }

    #[test]
    fn credential_is_a_token_or_named_fields() {
        let token =
            |text: &str| ServerCredential { token: Some(text.to_owned()), ..ServerCredential::default() };
        assert_eq!(parse_credential("ak-s3cret\n"), token("ak-s3cret"));
        assert_eq!(parse_credential("token=ak=="), token("ak=="));
        assert_eq!(parse_credential("YWRhOnB3=="), token("YWRhOnB3=="));
        let login = ServerCredential {
            username: Some("ada".to_owned()),
            password: Some("p=ss word".to_owned()),
            ..ServerCredential::default()
        };
        assert_eq!(parse_credential("username=ada\npassword=p=ss word\n\n"), login);
    }
}
