//! Commands of an LMTP or SMTP session.

/// Maximum length of an address, in characters.
const ADDRESS_CHARS: usize = 320;

/// Parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LmtpCommand {
    /// `LHLO`: each recipient of a message has its own response.
    Lhlo,
    /// `HELO` or `EHLO`: a message has one response.
    Helo,
    Ehlo,
    Mail {
        sender: String,
        /// Declared size of the message in bytes.
        size: Option<u64>,
    },
    Rcpt {
        recipient: String,
    },
    Data,
    Rset,
    Noop,
    Quit,
    Vrfy,
    StartTls,
    /// The command is known, but its arguments are invalid.
    Invalid,
    /// The command has a parameter that is not supported.
    UnknownParameter,
    Unknown,
}

impl LmtpCommand {
    /// Parses a line, with or without its line break.
    pub(super) fn parse(line: &[u8]) -> Self {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "LHLO" => Self::Lhlo,
            "EHLO" => Self::Ehlo,
            "HELO" => Self::Helo,
            "MAIL" => mail(rest).unwrap_or(Self::Invalid),
            "RCPT" => recipient(rest).unwrap_or(Self::Invalid),
            "DATA" => Self::Data,
            "RSET" => Self::Rset,
            "NOOP" => Self::Noop,
            "QUIT" => Self::Quit,
            "VRFY" => Self::Vrfy,
            "STARTTLS" if rest.trim().is_empty() => Self::StartTls,
            "STARTTLS" => Self::Invalid,
            _ => Self::Unknown,
        }
    }
}

fn mail(arguments: &str) -> Option<LmtpCommand> {
    let (sender, parameters) = path(arguments, "FROM:")?;
    let mut size = None;
    for parameter in parameters.split_whitespace() {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match name.to_ascii_uppercase().as_str() {
            "SIZE" => size = Some(value.parse().ok()?),
            "BODY" | "SMTPUTF8" => {}
            _ => return Some(LmtpCommand::UnknownParameter),
        }
    }
    Some(LmtpCommand::Mail { sender, size })
}

fn recipient(arguments: &str) -> Option<LmtpCommand> {
    let (recipient, parameters) = path(arguments, "TO:")?;
    if !parameters.trim().is_empty() {
        return Some(LmtpCommand::UnknownParameter);
    }
    (!recipient.is_empty()).then_some(LmtpCommand::Rcpt { recipient })
}

/// Parses the address between angle brackets after `keyword`. Returns it without a source route, and the
/// parameters after it.
fn path<'a>(arguments: &'a str, keyword: &str) -> Option<(String, &'a str)> {
    let front = arguments.get(..keyword.len()).filter(|front| front.eq_ignore_ascii_case(keyword))?;
    let rest = arguments.get(front.len()..)?.trim_start().strip_prefix('<')?;
    let (address, parameters) = rest.split_once('>')?;
    let address = match address.split_once(':') {
        Some((route, address)) if route.starts_with('@') => address,
        Some(_) | None => address,
    };
    let is_valid = address.chars().count() <= ADDRESS_CHARS && !address.chars().any(char::is_control);
    is_valid.then(|| (address.to_owned(), parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed_with_their_parameters() {
        let parse = |line: &str| LmtpCommand::parse(line.as_bytes());
        let mail = |sender: &str, size| LmtpCommand::Mail { sender: sender.to_owned(), size };
        assert_eq!(parse("mail from:<a@b.example> SIZE=12 BODY=8BITMIME\r\n"), mail("a@b.example", Some(12)));
        assert_eq!(parse("MAIL FROM: <>"), mail("", None));
        assert_eq!(parse("MAIL FROM:<a@b> AUTH=x"), LmtpCommand::UnknownParameter);
        let rcpt = |address: &str| LmtpCommand::Rcpt { recipient: address.to_owned() };
        assert_eq!(parse("RCPT TO:<@relay.example:a@b.example>"), rcpt("a@b.example"));
        for invalid in
            ["RCPT TO:a@b", "RCPT TO:<>", "RCPT", "MAIL FROM:<a", "MAIL FROM:<a> SIZE=x", "RCPT T\u{e9}"]
        {
            assert_eq!(parse(invalid), LmtpCommand::Invalid, "{invalid}");
        }
        assert_eq!(parse("LHLO x"), LmtpCommand::Lhlo);
        assert_eq!(parse("quit"), LmtpCommand::Quit);
        assert_eq!(parse("STARTTLS"), LmtpCommand::StartTls);
        assert_eq!(parse("STARTTLS now"), LmtpCommand::Invalid);
        assert_eq!(parse("AUTH PLAIN AGEAYg=="), LmtpCommand::Unknown);
        assert_eq!(LmtpCommand::parse(b"\xff\xfe"), LmtpCommand::Unknown);
    }
}
