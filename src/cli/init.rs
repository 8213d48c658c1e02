//! `carrel init`: writes a commented configuration after three questions. All other settings are included as
//! comments, with the explanations of `.env.sample`. An existing file is never overwritten.

use std::io::{BufRead, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use url::{Host, Url};

use http_kit::config::{Origin, SETTINGS_SAMPLE, Settings, Variables};

const DEFAULT_ADDRESS: &str = "http://127.0.0.1:8080";
const DEFAULT_DATA: &str = "data";
const DEFAULT_PORT: u16 = 8080;
/// Maximum length of an answer, in bytes.
const MAX_ANSWER: u64 = 4096;

/// Arguments of `carrel init`.
#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Public address, such as <https://carrel.example.org>.
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    /// Folder for the data, or the URL of a PostgreSQL database.
    #[arg(long, value_name = "FOLDER|URL")]
    data: Option<String>,
    /// Mail server, such as <smtps://user:password@mail.example.org>, or "none".
    #[arg(long, value_name = "URL|none")]
    mail: Option<String>,
    /// Sender of mail. By default carrel@ and the host of the public address.
    #[arg(long, value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// File to write. Carrel reads carrel.env in its working directory.
    #[arg(long, value_name = "FILE", default_value = "carrel.env")]
    out: PathBuf,
    /// Ask nothing; use the defaults for missing arguments.
    #[arg(long)]
    yes: bool,
}

/// Asks the questions that no argument answers, and writes the file.
///
/// # Errors
/// If the file exists, or an answer is invalid.
pub(super) fn run(arguments: &InitArgs) -> anyhow::Result<()> {
    let path = arguments.out.display();
    if arguments.out.exists() {
        bail!("{path} exists and is not changed: edit it, or choose another file with --out");
    }
    let ask = |given: &Option<String>, question: &str, default: &str| match given {
        Some(answer) => Ok(answer.clone()),
        None if arguments.yes => Ok(default.to_owned()),
        None => prompt(question, default),
    };
    let answers = Answers {
        address: ask(&arguments.address, "Public address of the service", DEFAULT_ADDRESS)?,
        data: ask(&arguments.data, "Folder for the data, or URL of a PostgreSQL database", DEFAULT_DATA)?,
        mail: ask(&arguments.mail, "Mail server (smtps://user:password@host), or none", "none")?,
        mail_from: arguments.mail_from.clone(),
    };
    let values = answers.values()?;
    let pairs = values.iter().map(|(name, value)| (*name, value.as_str()));
    Settings::read(&mut Variables::of_pairs(pairs))?;
    let text = configuration(&values)?;
    // The file may contain passwords.
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&arguments.out);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("{path} cannot be written"))?;
    writeln!(std::io::stdout(), "{path} was written. Verify it with `carrel check`, then start `carrel`.")?;
    Ok(())
}

/// Asks a question on standard error and reads the answer. An empty answer is the default.
fn prompt(question: &str, default: &str) -> anyhow::Result<String> {
    let mut error = std::io::stderr();
    write!(error, "{question} [{default}]: ").and_then(|()| error.flush())?;
    let mut line = String::new();
    let mut input = std::io::Read::take(std::io::stdin().lock(), MAX_ANSWER);
    if input.read_line(&mut line).context("failed to read standard input")? == 0 {
        bail!(
            "no answer: run it on a terminal, or pass --yes and the other arguments (`carrel init --help`)"
        );
    }
    let answer = line.trim();
    Ok(if answer.is_empty() { default } else { answer }.to_owned())
}

/// Answers to the questions.
struct Answers {
    address: String,
    data: String,
    mail: String,
    mail_from: Option<String>,
}

impl Answers {
    /// Returns the names and values of the settings that result from the answers.
    fn values(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let address = self.address.trim_end_matches('/');
        let origin: Origin =
            address.parse::<Origin>().map_err(|error| anyhow::anyhow!("{address}: {error}"))?;
        let url = Url::parse(origin.as_str())?;
        let mut values = vec![("CARREL_BASE_URL", origin.as_str().to_owned())];
        values.push(("CARREL_LISTEN", listen_address(&url)));
        if origin.is_secure() {
            // The service listens on this machine only, so that every connection is from the proxy.
            values.push(("CARREL_TRUSTED_PROXIES", "127.0.0.1".to_owned()));
        }
        if self.data.contains("://") {
            values.push(("DATABASE_URL", self.data.clone()));
        } else {
            let folder = self.data.trim_end_matches('/');
            values.push(("DATABASE_URL", format!("sqlite://{folder}/carrel.db?mode=rwc")));
        }
        if self.mail != "none" {
            let host = url.host_str().unwrap_or("localhost");
            let sender = self.mail_from.clone().unwrap_or_else(|| format!("Carrel <carrel@{host}>"));
            values.push(("CARREL_SMTP_URL", self.mail.clone()));
            values.push(("CARREL_MAIL_FROM", sender));
        }
        Ok(values)
    }
}

/// Returns the listen address for a public address. With https, a proxy on this machine receives the
/// connections; without, the service itself does.
fn listen_address(public: &Url) -> String {
    if public.scheme() == "https" {
        return format!("127.0.0.1:{DEFAULT_PORT}");
    }
    let port = public.port_or_known_default().unwrap_or(DEFAULT_PORT);
    let is_local = match public.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) if address.is_loopback() => return format!("[::1]:{port}"),
        Some(Host::Ipv6(_)) | None => false,
    };
    if is_local { format!("127.0.0.1:{port}") } else { format!("0.0.0.0:{port}") }
}

/// Creates the file: the sample with `values` set, and all other settings as comments.
fn configuration(values: &[(&str, String)]) -> anyhow::Result<String> {
    let mut text = String::from(
        "# Settings of Carrel, written by `carrel init`. A setting behind # has its default. Environment variables and\n\
         # the file .env override this file. `carrel check` verifies it.\n",
    );
    // The first paragraph of the sample is about the sample itself.
    let settings = SETTINGS_SAMPLE.split_once("\n\n").map_or(SETTINGS_SAMPLE, |(_, settings)| settings);
    for line in settings.lines() {
        let name = line.split_once('=').map(|(name, _)| name).filter(|_| !line.starts_with('#'));
        let value = name.and_then(|name| values.iter().find(|(known, _)| *known == name));
        match (name, value) {
            (Some(name), Some((_, value))) => text.push_str(&format!("\n{name}={}", quoted(value)?)),
            (Some(_), None) => text.push_str(&format!("\n#{line}")),
            (None, _) => text.push_str(&format!("\n{line}")),
        }
    }
    text.push('\n');
    Ok(text)
}

/// Quotes a value so that Carrel, systemd, and shells read the same value.
fn quoted(value: &str) -> anyhow::Result<String> {
    if value.chars().any(|character| character == '\'' || character == '\\' || character.is_control()) {
        bail!("`{value}` contains a quote, a backslash, or a control character: percent-encode it");
    }
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_./:@?=,+%-".contains(character);
    Ok(if value.chars().all(is_plain) { value.to_owned() } else { format!("'{value}'") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(address: &str, data: &str, mail: &str) -> Vec<(&'static str, String)> {
        let [address, data, mail] = [address, data, mail].map(str::to_owned);
        Answers { address, data, mail, mail_from: None }.values().unwrap()
    }

    fn value<'a>(values: &'a [(&'static str, String)], name: &str) -> Option<&'a str> {
        values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn listen_address_and_trusted_proxy_are_derived_from_the_public_address() {
        let public = values("https://carrel.example.org/", "data", "none");
        assert_eq!(value(&public, "CARREL_LISTEN"), Some("127.0.0.1:8080"));
        assert_eq!(value(&public, "CARREL_TRUSTED_PROXIES"), Some("127.0.0.1"));
        assert_eq!(value(&public, "DATABASE_URL"), Some("sqlite://data/carrel.db?mode=rwc"));
        assert_eq!(value(&public, "CARREL_SMTP_URL"), None);
        let network = values("http://192.168.1.5:9000", "postgres://c@db/c", "smtp://10.0.0.7?tls=none");
        assert_eq!(value(&network, "CARREL_LISTEN"), Some("0.0.0.0:9000"));
        assert_eq!(value(&network, "CARREL_TRUSTED_PROXIES"), None);
        assert_eq!(value(&network, "CARREL_MAIL_FROM"), Some("Carrel <carrel@192.168.1.5>"));
        assert_eq!(value(&values(DEFAULT_ADDRESS, "data", "none"), "CARREL_LISTEN"), Some("127.0.0.1:8080"));
    }

    #[test]
    fn configuration_sets_the_values_and_comments_out_the_rest() {
        let values = values("https://carrel.example.org", "/srv/carrel", "smtps://u:p$w@mail.example.org");
        let text = configuration(&values).unwrap();
        for line in [
            "CARREL_BASE_URL=https://carrel.example.org",
            "CARREL_SMTP_URL='smtps://u:p$w@mail.example.org'",
            "CARREL_MAIL_FROM='Carrel <carrel@carrel.example.org>'",
            "#CARREL_FEED_MB=10",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is missing in\n{text}");
        }
        let set = text.lines().filter(|line| line.contains('=') && !line.starts_with('#')).count();
        assert_eq!(set, values.len());
        assert!(quoted("it's").is_err());
    }
}
