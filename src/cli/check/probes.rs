//! Checks of the services that the settings name. Each has a timeout and returns one finding.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use articles::worker_tools::{Renderer, RendererSettings};
use fetch::Fetcher;
use identity::accounts::{OidcProvider, PasswordSignIn};
use identity::public_address::{self, AddressFault};
use kernel::blobs::{Blobs, Location};
use kernel::db::embedded_file;
use kernel::{Clock, Database, DatabaseSettings, Domain, Millis, SystemClock, clock};
use rustix::fs::Access;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::{doctor, error_text::describe};
use super::report::CheckResult;
use crate::installation::{absolute_text, database_text};
use crate::schema::Schema;
use http_kit::app::{engine_of, fetch_policy, policy_of};
use http_kit::config::{Origin, SecretSetting, Settings};

/// Maximum time of one check. Longer than one step of an SMTP session.
const TIMEOUT: Duration = Duration::from_secs(25);
/// Earliest plausible time: 2025-01-01.
const EARLIEST: Millis = 1_735_689_600_000;
/// Maximum tolerated difference between the clocks of this machine and the database.
const MAX_CLOCK_DIFFERENCE: Millis = 5 * clock::SECOND;

/// Hint if migrations are pending.
const MIGRATE_HINT: &str =
    "`carrel serve` applies them when it starts; before separate roles start, run `carrel migrate`";

/// Runs all checks of valid settings.
pub(super) async fn all(settings: &Settings) -> Vec<CheckResult> {
    let mut findings = vec![CheckResult::ok("settings", "all values are valid")];
    let (database, domain) = Box::pin(database(settings)).await;
    findings.push(database);
    findings.push(match &settings.redis_url {
        Some(url) => redis(url).await,
        None => queue(settings, domain.as_ref()).await,
    });
    findings.push(storage(settings).await);
    findings.push(mail(settings).await);
    findings.push(single_sign_on(settings).await);
    findings.push(address(settings).await);
    findings.push(tls(settings));
    findings.push(proxies(settings));
    findings.push(renderer(settings).await);
    findings.push(clock(domain.as_ref()).await);
    findings
}

/// Runs `work` within the timeout. An error is described with its causes.
async fn within<T>(work: impl Future<Output = anyhow::Result<T>>) -> Result<T, String> {
    match timeout(TIMEOUT, work).await {
        Ok(result) => result.map_err(|error| describe(&error)),
        Err(_) => Err(format!("no answer within {} seconds", TIMEOUT.as_secs())),
    }
}

async fn database(settings: &Settings) -> (CheckResult, Option<Domain>) {
    const NAME: &str = "database";
    if let Some(file) = embedded_file(&settings.database_url).filter(|file| !file.exists()) {
        let created = format!(
            "there is no installation here yet: {} is created at the first start; to check another one, run the command \
             in its folder, or set DATABASE_URL",
            absolute_text(file)
        );
        let finding = match require_writable(file) {
            Ok(()) => CheckResult::ok(NAME, created),
            Err(error) => CheckResult::fault(NAME, describe(&error), "choose another folder in DATABASE_URL"),
        };
        return (finding, None);
    }
    let open = async {
        let connections = DatabaseSettings { max_connections: 2, ..settings.database.clone() };
        let database = Database::connect(&settings.database_url, &connections).await?;
        let domain = Domain::new(database).with_policy(policy_of(settings));
        let schema = Schema::read(domain.db().write()).await?;
        anyhow::Ok((domain, schema))
    };
    match within(Box::pin(open)).await {
        Ok((domain, schema)) if schema.is_empty() => {
            let name = database_text(&settings.database_url);
            let detail =
                format!("{name} is empty: there is no installation here yet, all migrations are pending");
            (CheckResult::warning(NAME, detail, MIGRATE_HINT), Some(domain))
        }
        Ok((domain, schema)) => (finding_of_schema(NAME, &schema, domain.now()), Some(domain)),
        Err(error) => {
            let hint = "check that the database runs, and the host, user, and password in DATABASE_URL";
            (CheckResult::fault(NAME, error, hint), None)
        }
    }
}

fn finding_of_schema(name: &'static str, schema: &Schema, now: Millis) -> CheckResult {
    if let Err(error) = schema.require_window(now) {
        return CheckResult::fault(name, describe(&error), "install the newer version again");
    }
    if let Some(text) = schema.newer_text() {
        return CheckResult::warning(name, text, "start the newer version");
    }
    if schema.pending > 0 {
        return CheckResult::warning(
            name,
            format!("{} migrations are pending", schema.pending),
            MIGRATE_HINT,
        );
    }
    CheckResult::ok(name, "reachable and up to date")
}

/// Fails if the file could not be created: its nearest existing folder must be writable.
fn require_writable(file: &Path) -> anyhow::Result<()> {
    let file = std::path::absolute(file)?;
    let Some(folder) = file.ancestors().skip(1).find(|folder| folder.exists()) else {
        bail!("{} has no existing parent folder", file.display())
    };
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .with_context(|| format!("{} is not writable", folder.display()))
}

async fn redis(url: &SecretSetting) -> CheckResult {
    let ping = async {
        let client = redis::Client::open(url.reveal())?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        let answer: String = redis::cmd("PING").query_async(&mut connection).await?;
        anyhow::Ok(answer)
    };
    match within(Box::pin(ping)).await {
        Ok(_) => CheckResult::ok("redis", "reachable"),
        Err(error) => CheckResult::fault("redis", error, doctor::REDIS_REMEDY),
    }
}

/// Starts the browser and asks for its version.
async fn renderer(settings: &Settings) -> CheckResult {
    const NAME: &str = "renderer";
    let Some(program) = settings.renderer.program() else {
        return CheckResult::ok(NAME, settings.renderer.state());
    };
    let start = async {
        let fetcher = Fetcher::new(fetch_policy(settings))?;
        let renderer = Renderer::new(RendererSettings::new(program), fetcher);
        let version = renderer.version().await;
        renderer.shutdown().await;
        anyhow::Ok(version?)
    };
    match within(Box::pin(start)).await {
        Ok(version) => CheckResult::ok(NAME, format!("{} ({version})", settings.renderer.state())),
        Err(error) => {
            let hint = "the browser needs its own sandbox (user namespaces, or its setuid helper); or set CARREL_RENDERER=off";
            CheckResult::warning(NAME, error, hint)
        }
    }
}

async fn queue(settings: &Settings, domain: Option<&Domain>) -> CheckResult {
    const NAME: &str = "queue";
    let Some(domain) = domain else { return CheckResult::skipped(NAME, "needs the database") };
    let ping = async {
        engine_of(settings, domain.clone())?.ping().await?;
        anyhow::Ok(())
    };
    match within(Box::pin(ping)).await {
        Ok(()) => CheckResult::ok(NAME, "in the database, without Redis"),
        Err(error) => CheckResult::fault(NAME, error, doctor::LISTEN_REMEDY),
    }
}

/// Writes a small file and deletes it. A folder that does not exist yet is not created.
async fn storage(settings: &Settings) -> CheckResult {
    const NAME: &str = "storage";
    let files = &settings.files;
    if let Location::Folder(folder) = files
        && !folder.exists()
    {
        return match require_writable(&folder.join("file")) {
            Ok(()) => CheckResult::ok(NAME, format!("{files} is created at the first start")),
            Err(error) => CheckResult::fault(NAME, describe(&error), "choose another folder in CARREL_FILES"),
        };
    }
    let write = async {
        let blobs = Blobs::open(files)?.with_min_free_bytes(settings.min_free_bytes);
        let key = format!("check/{}", std::process::id());
        let mut upload = blobs.begin(&key).await?;
        upload.push(b"carrel check").await?;
        upload.finish().await?;
        blobs.delete(&key).await?;
        anyhow::Ok(())
    };
    match within(Box::pin(write)).await {
        Ok(()) => CheckResult::ok(NAME, format!("{files} is writable")),
        Err(error) => {
            let hint =
                "check permissions and free space of the folder, or endpoint and credentials of the bucket";
            CheckResult::fault(NAME, format!("{files}: {error}"), hint)
        }
    }
}

async fn mail(settings: &Settings) -> CheckResult {
    const NAME: &str = "mail";
    let Some(mailer) = &settings.accounts.mailer else {
        let detail = "none; links for forgotten passwords come from `carrel account reset-link`";
        return CheckResult::ok(NAME, detail);
    };
    let sign_in = async {
        mailer.check_login().await?;
        anyhow::Ok(())
    };
    match within(Box::pin(sign_in)).await {
        Ok(()) => CheckResult::ok(NAME, "the server accepts the connection and the login"),
        Err(error) => {
            CheckResult::fault(NAME, error, "check host, port, user, and password in CARREL_SMTP_URL")
        }
    }
}

/// Fetches the metadata and the keys of the OpenID provider.
async fn single_sign_on(settings: &Settings) -> CheckResult {
    const NAME: &str = "single sign-on";
    let Some(provider) = &settings.accounts.oidc else {
        return CheckResult::ok(NAME, "none; people sign in with passwords and passkeys");
    };
    let check = async {
        OidcProvider::new(provider.clone())?.check().await?;
        anyhow::Ok(())
    };
    match within(Box::pin(check)).await {
        Ok(()) => {
            let passwords = match provider.passwords {
                PasswordSignIn::Allowed => "",
                PasswordSignIn::Refused => "; passwords are not accepted",
            };
            CheckResult::ok(NAME, format!("{} answers{passwords}", provider.issuer.as_str()))
        }
        Err(error) => {
            let hint = "check that the provider runs, and that CARREL_OIDC_ISSUER is exactly the `issuer` in its metadata";
            CheckResult::fault(NAME, error, hint)
        }
    }
}

/// Requests the public address as a server elsewhere would, if the service runs.
async fn address(settings: &Settings) -> CheckResult {
    const NAME: &str = "public address";
    let base = &settings.origins.base;
    let policy = policy_of(settings);
    if policy.is_private() {
        return CheckResult::ok(NAME, format!("{base} is for this machine or its network only"));
    }
    let local = Origin::listening_at(settings.listen);
    if base.is_secure() && TcpStream::connect(local.authority()).await.is_err() {
        let detail = format!("the service does not run at {}; start it and check again", settings.listen);
        return CheckResult::skipped(NAME, detail);
    }
    let request = async {
        let fetcher = Fetcher::new(fetch_policy(settings))?;
        anyhow::Ok(public_address::examine(&policy, &fetcher).await?)
    };
    match within(Box::pin(request)).await {
        Ok(None) => CheckResult::ok(NAME, format!("{base} is reachable by its public name")),
        Ok(Some((fault, detail))) => unreachable_address(base, fault, &detail),
        Err(error) => CheckResult::fault(NAME, error, AddressFault::NoAnswer.remedy()),
    }
}

fn unreachable_address(base: &Origin, fault: AddressFault, detail: &str) -> CheckResult {
    let cause = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
    CheckResult::fault("public address", format!("{base}: {}{cause}", fault.reason()), fault.remedy())
}

/// Compares the listen address with the schemes of the public addresses.
fn tls(settings: &Settings) -> CheckResult {
    const NAME: &str = "tls";
    let listen = settings.listen;
    if settings.is_exposed_without_tls() {
        let hint = "put a TLS proxy in front and set CARREL_BASE_URL to https://…, or listen on 127.0.0.1";
        return CheckResult::warning(NAME, format!("other machines reach {listen} without https"), hint);
    }
    let detail = if settings.origins.base.is_secure() {
        "the public address is https".to_owned()
    } else {
        format!("not needed, only this machine reaches {listen}")
    };
    CheckResult::ok(NAME, detail)
}

/// Compares the public address with the trusted proxies.
fn proxies(settings: &Settings) -> CheckResult {
    const NAME: &str = "proxy headers";
    let proxies = &settings.trusted_proxies;
    if proxies.iter().any(|network| network.prefix_len() == 0) {
        let hint = "name only the addresses of the proxy in CARREL_TRUSTED_PROXIES";
        return CheckResult::fault(NAME, "every caller is trusted, and could choose its address", hint);
    }
    if settings.origins.base.is_secure() && proxies.is_empty() {
        let hint = "set CARREL_TRUSTED_PROXIES to the address of the proxy, and let it send X-Forwarded-For";
        return CheckResult::warning(NAME, "no proxy is trusted: all visitors share the limits of one", hint);
    }
    let trusted: Vec<String> = proxies.iter().map(ToString::to_string).collect();
    let detail =
        if trusted.is_empty() { "ignored, no proxy is trusted".to_owned() } else { trusted.join(", ") };
    match &settings.accounts.proxy_header {
        Some(header) => CheckResult::ok(NAME, format!("{detail}; `{}` signs people in", header.name)),
        None => CheckResult::ok(NAME, detail),
    }
}

/// Compares the clock of this machine with that of the database.
async fn clock(domain: Option<&Domain>) -> CheckResult {
    const NAME: &str = "clock";
    const HINT: &str = "synchronize the clocks of all machines, for example with chrony or systemd-timesyncd";
    let now = SystemClock.now();
    if now < EARLIEST {
        return CheckResult::fault(NAME, format!("it is {} on this machine", kernel::rfc3339(now)), HINT);
    }
    let Some(domain) = domain else { return CheckResult::ok(NAME, kernel::rfc3339(now)) };
    let other = async { anyhow::Ok(jobs::database_time(domain.db().read(), domain).await?) };
    let difference = match within(Box::pin(other)).await {
        Ok(time) => (time - domain.now()).abs(),
        Err(error) => return CheckResult::fault(NAME, error, "check the database"),
    };
    if difference > MAX_CLOCK_DIFFERENCE {
        let detail = format!("the clocks of this machine and the database differ by {difference} ms");
        return CheckResult::fault(NAME, detail, HINT);
    }
    CheckResult::ok(NAME, kernel::rfc3339(now))
}

#[cfg(test)]
mod tests {
    use http_kit::config::Variables;
    use migrations::NewerSteps;

    use super::super::report::CheckState;
    use super::*;

    fn proxies_of(pairs: &[(&'static str, &'static str)]) -> CheckState {
        let settings = Settings::read(&mut Variables::of_pairs(pairs.iter().copied())).unwrap();
        proxies(&settings).state
    }

    #[test]
    fn missing_or_too_wide_trusted_proxies_are_reported() {
        let public = ("CARREL_BASE_URL", "https://carrel.example.org");
        assert_eq!(proxies_of(&[]), CheckState::Ok);
        assert_eq!(proxies_of(&[public]), CheckState::Warning);
        assert_eq!(proxies_of(&[public, ("CARREL_TRUSTED_PROXIES", "127.0.0.1")]), CheckState::Ok);
        assert_eq!(proxies_of(&[public, ("CARREL_TRUSTED_PROXIES", "0.0.0.0/0")]), CheckState::Fault);
        assert_eq!(proxies_of(&[("CARREL_LISTEN", "0.0.0.0:8080")]), CheckState::Ok);
        let header = [("CARREL_TRUSTED_PROXIES", "10.0.0.7"), ("CARREL_AUTH_HEADER", "Remote-Email")];
        let result = proxies(&Settings::read(&mut Variables::of_pairs(header)).unwrap());
        assert_eq!(result.detail, "10.0.0.7/32; `remote-email` signs people in");
    }

    #[test]
    fn listening_on_all_addresses_without_https_is_a_tls_warning() {
        let tls_of = |pairs: &[(&'static str, &'static str)]| {
            tls(&Settings::read(&mut Variables::of_pairs(pairs.iter().copied())).unwrap()).state
        };
        let everywhere = ("CARREL_LISTEN", "0.0.0.0:8080");
        assert_eq!(tls_of(&[]), CheckState::Ok);
        assert_eq!(tls_of(&[everywhere]), CheckState::Warning);
        assert_eq!(tls_of(&[everywhere, ("CARREL_BASE_URL", "https://carrel.example.org")]), CheckState::Ok);
    }

    #[test]
    fn newer_schema_is_a_fault_if_this_version_cannot_start_on_it() {
        let newer = NewerSteps { names: vec!["m20990101_000001_one".to_owned()], since: EARLIEST };
        let state = |pending, now| {
            let schema = Schema { pending, newer: Some(newer.clone()) };
            finding_of_schema("database", &schema, now).state
        };
        assert_eq!(state(0, EARLIEST + clock::DAY), CheckState::Warning);
        assert_eq!(state(0, EARLIEST + 2 * clock::DAY), CheckState::Fault);
        assert_eq!(state(1, EARLIEST), CheckState::Fault);
    }

    #[test]
    fn folder_that_can_be_created_is_writable() {
        let folder = tempfile::tempdir().unwrap();
        assert!(require_writable(&folder.path().join("data/carrel.db")).is_ok());
        std::fs::write(folder.path().join("data"), "a file").unwrap();
        let error = require_writable(&folder.path().join("data/carrel.db")).unwrap_err();
        assert!(error.to_string().contains("is not a folder"), "{error}");
    }
}
