//! Settings of the language model that summarizes texts.

use std::str::FromStr;

use fetch::model_server::ModelEndpoint;
use url::Url;

use super::sources::Variables;
use super::values::SecretSetting;

const URL: &str = "CARREL_MODEL_URL";
const KEY: &str = "CARREL_MODEL_KEY";
const NAME: &str = "CARREL_MODEL_NAME";
const EMBEDDINGS: &str = "CARREL_MODEL_EMBEDDINGS";

/// Base of an OpenAI-compatible interface: http or https, with or without a path.
struct ModelUrl(Url);

impl FromStr for ModelUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be the URL of an OpenAI-compatible interface such as http://127.0.0.1:11434/v1, without a query";
        let url = Url::parse(text).map_err(|_| RULE)?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        is_plain.then_some(Self(url)).ok_or(RULE)
    }
}

/// Key that can be sent in a header.
struct ModelKey(SecretSetting);

impl FromStr for ModelKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return Err("must have only visible ASCII characters");
        }
        text.parse::<SecretSetting>().map(Self).map_err(|_| "cannot be read")
    }
}

pub(super) fn read(variables: &mut Variables) -> Option<ModelEndpoint> {
    for (one, other) in [(URL, NAME), (NAME, URL), (KEY, URL), (EMBEDDINGS, URL)] {
        if variables.has(one) && !variables.has(other) {
            variables.fault(other, &format!("is required if {one} is set"));
        }
    }
    let url = variables.optional::<ModelUrl>(URL);
    let key = variables.optional::<ModelKey>(KEY).map(|ModelKey(key)| key.reveal().to_owned());
    let name = variables.optional::<String>(NAME);
    let embeddings = variables.optional::<String>(EMBEDDINGS);
    Some(ModelEndpoint::new(url?.0, key, name?).with_embeddings(embeddings))
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn model_needs_an_address_and_a_name() {
        let read = |pairs: &[(&str, &str)]| Settings::read(&mut Variables::of_pairs(pairs.iter().copied()));
        assert!(read(&[]).unwrap().model.is_none());
        let both = [(URL, "http://127.0.0.1:11434/v1"), (NAME, "small")];
        let all = [both[0], both[1], (KEY, "hush-hush"), (EMBEDDINGS, "vectors")];
        let settings = read(&all).unwrap();
        assert_eq!(settings.model.as_ref().and_then(ModelEndpoint::embeddings), Some("vectors"));
        assert_eq!(settings.model.as_ref().map(ModelEndpoint::host), Some("127.0.0.1"));
        assert!(!format!("{settings:?}").contains("hush"));
        for (set, missing) in [(both[0], NAME), (both[1], URL), (all[2], URL), (all[3], URL)] {
            let faults = read(&[set]).unwrap_err();
            assert!(faults.0.iter().any(|fault| fault.starts_with(missing)), "{faults}");
        }
        for wrong in ["127.0.0.1:1", "ftp://a.example", "http://me@a.example", "http://a.example/?x=1"] {
            let faults = read(&[(URL, wrong), both[1]]).unwrap_err();
            assert!(faults.0[0].starts_with(URL), "{wrong}: {faults}");
        }
    }
}
