//! Results of SPF, DKIM, and DMARC that the operator's mail server added to a message (`Authentication-Results`).

/// Methods that are displayed.
const METHODS: [&str; 3] = ["spf", "dkim", "dmarc"];

/// Result of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticationCheck {
    /// `spf`, `dkim`, or `dmarc`.
    pub method: &'static str,
    /// Result word, such as `pass`, `fail`, or `none`.
    pub result: String,
}

/// Parses the value of `Authentication-Results`. If a method has several results, returns a `pass` among
/// them, or else the first.
pub(crate) fn checks(results: &str) -> Vec<AuthenticationCheck> {
    let of_method = |method: &'static str| {
        let words = results.split(';').skip(1).filter_map(|result| {
            let word = result.split_whitespace().next()?;
            let (name, result) = word.split_once('=')?;
            name.eq_ignore_ascii_case(method).then(|| result.to_ascii_lowercase())
        });
        let words: Vec<String> = words.collect();
        let result = words.iter().find(|word| *word == "pass").or_else(|| words.first())?.clone();
        Some(AuthenticationCheck { method, result })
    };
    METHODS.into_iter().filter_map(of_method).collect()
}

/// Returns true if a DKIM signature was checked and none was valid.
pub(crate) fn is_dkim_invalid(results: &str) -> bool {
    let failed = |check: AuthenticationCheck| check.method == "dkim" && check.result == "fail";
    checks(results).into_iter().any(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_parsed_by_method() {
        let results = "mx.example.net 1; spf=softfail smtp.mailfrom=a@b.example; dkim=fail header.d=x.example; \
                       DKIM=pass header.d=b.example; dmarc=none (p=none)";
        let parsed: Vec<String> =
            checks(results).into_iter().map(|check| format!("{} {}", check.method, check.result)).collect();
        assert_eq!(parsed, ["spf softfail", "dkim pass", "dmarc none"]);
        assert!(!is_dkim_invalid(results) && is_dkim_invalid("mx; dkim=fail"));
        assert!(checks("mx.example.net; none").is_empty() && checks("").is_empty());
    }
}
