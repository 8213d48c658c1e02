//! Reads settings from the environment and from files, and collects their faults.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use identity::accounts::AutomaticSignUp;

use super::values::Switch;

/// Files in the working directory that contain settings. The second overrides the first.
const FILES: [&str; 2] = ["carrel.env", ".env"];
/// Maximum edit distance between a misspelt name and the suggested setting.
const MAX_TYPO_DISTANCE: usize = 3;

/// All faults of the settings, one line each.
#[derive(Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<String>);

impl Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "the settings are invalid:")?;
        for fault in &self.0 {
            writeln!(formatter, "  {fault}")?;
        }
        write!(formatter, "`.env.sample` explains every setting")
    }
}

impl std::error::Error for Faults {}

/// Named values, and the faults collected while they are read.
#[derive(Debug, Default)]
pub struct Variables {
    values: BTreeMap<String, String>,
    known: BTreeSet<&'static str>,
    faults: Vec<String>,
}

impl Variables {
    /// Reads the environment of this process, and the files `carrel.env` and `.env` in the working directory,
    /// if any. `overrides`, from the command line, overrides the environment, which overrides `.env`, which
    /// overrides `carrel.env`.
    pub fn of_process(overrides: &[(&str, String)]) -> Result<Self, Faults> {
        let mut values = BTreeMap::new();
        for file in FILES.into_iter().filter(|file| std::path::Path::new(file).is_file()) {
            let fault = |error: dotenvy::Error| Faults(vec![format!("{file}: {error}")]);
            for line in dotenvy::from_path_iter(file).map_err(fault)? {
                let (name, value) = line.map_err(fault)?;
                values.insert(name, value);
            }
        }
        for (name, value) in std::env::vars_os() {
            if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
                values.insert(name, value);
            }
        }
        values.extend(overrides.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        Ok(Self { values, ..Self::default() })
    }

    /// Creates variables from the given pairs only.
    pub fn of_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let values = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { values, ..Self::default() }
    }

    /// Reads a text. An unset variable has the value `default`.
    pub fn text(&mut self, name: &'static str, default: &str) -> String {
        self.find(name).unwrap_or_else(|| default.to_owned())
    }

    /// Reads a value that is parsed from text. The parse error describes the expected form.
    pub fn value<T: FromStr<Err: Display>>(&mut self, name: &'static str, default: T) -> T {
        self.optional(name).unwrap_or(default)
    }

    /// Same as [`Self::value`], without a default. `None` if the variable is unset or invalid.
    pub fn optional<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Option<T> {
        let text = self.find(name)?;
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(name, &error);
                None
            }
        }
    }

    /// Returns true if the operator has set the variable.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// Reads a whole number from `min` to `max`.
    pub fn within<T>(&mut self, name: &'static str, default: T, min: T, max: T) -> T
    where
        T: FromStr<Err: Display> + PartialOrd + Display + Copy,
    {
        let Some(text) = self.find(name) else { return default };
        match text.parse() {
            Ok(value) if value >= min && value <= max => value,
            Ok(_) | Err(_) => {
                self.fault(name, &format!("must be a whole number from {min} to {max}, but is `{text}`"));
                default
            }
        }
    }

    /// Reads a duration in whole seconds, from `min` to `max`.
    pub fn seconds(&mut self, name: &'static str, default: u64, min: u64, max: u64) -> Duration {
        Duration::from_secs(self.within(name, default, min, max))
    }

    /// Reads a switch: `on` or `off`.
    pub fn switch(&mut self, name: &'static str, default: Switch) -> Switch {
        match self.find(name).as_deref() {
            None => default,
            Some("on" | "true" | "1") => Switch::On,
            Some("off" | "false" | "0") => Switch::Off,
            Some(other) => {
                let problem = format!("must be `on` or `off`, but is `{other}`");
                self.fault(name, &problem);
                default
            }
        }
    }

    /// Reads values that are separated by commas or spaces.
    pub fn list<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Vec<T> {
        let Some(text) = self.find(name) else { return Vec::new() };
        let mut values = Vec::new();
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            match part.parse() {
                Ok(value) => values.push(value),
                Err(error) => self.fault(name, &format!("`{part}`: {error}")),
            }
        }
        values
    }

    /// Reads a switch that determines whether an authenticated person without an account gets one. Off by default.
    pub(super) fn automatic_sign_up(&mut self, name: &'static str) -> AutomaticSignUp {
        match self.switch(name, Switch::Off) {
            Switch::On => AutomaticSignUp::Allowed,
            Switch::Off => AutomaticSignUp::Refused,
        }
    }

    /// Records a fault of the named setting.
    pub fn fault(&mut self, name: &str, problem: &dyn Display) {
        self.faults.push(format!("{name}: {problem}"));
    }

    /// Returns the settings, or all faults. An unknown name that begins with `CARREL_` is a fault, because it
    /// is most likely misspelt.
    pub fn finish<T>(&mut self, settings: T) -> Result<T, Faults> {
        let unknown: Vec<String> = self
            .values
            .keys()
            .filter(|name| name.starts_with("CARREL_") && !name.starts_with("CARREL_TEST_"))
            .filter(|name| !self.known.contains(name.as_str()))
            .cloned()
            .collect();
        for name in unknown {
            let nearest = self.known.iter().min_by_key(|known| distance(known, &name));
            match nearest.filter(|known| distance(known, &name) <= MAX_TYPO_DISTANCE) {
                Some(known) => {
                    let problem = format!("there is no such setting; did you mean {known}?");
                    self.fault(&name, &problem);
                }
                None => self.fault(&name, &"there is no such setting"),
            }
        }
        if self.faults.is_empty() { Ok(settings) } else { Err(Faults(std::mem::take(&mut self.faults))) }
    }

    /// Returns the names that were read so far. After all settings are read, these are the names of all
    /// settings.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.known.iter().copied()
    }

    /// Returns the value of a variable. An empty value counts as absent, because `NAME=` in a `.env` file
    /// means that the variable is not set.
    fn find(&mut self, name: &'static str) -> Option<String> {
        self.known.insert(name);
        self.values.get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// Computes the Levenshtein distance between two names.
fn distance(first: &str, second: &str) -> usize {
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for (row_index, left) in first.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = row_index + 1;
        for (column, right) in second.bytes().enumerate() {
            let changed = corner + usize::from(left != right);
            corner = row[column + 1];
            row[column + 1] = changed.min(corner + 1).min(row[column] + 1);
        }
    }
    row[second.len()]
}
