//! Setting of the browser that renders pages.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// `CARREL_RENDERER`: where pages that need scripts are rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RendererSetting {
    /// Nowhere.
    Off,
    /// Pages are rendered in this process, if Chromium is installed at a path that distributions use.
    #[default]
    Auto,
    /// Pages are rendered in other processes: for web processes on a machine without a browser.
    Workers,
    /// Pages are rendered in this process, with this program.
    Program(PathBuf),
}

impl RendererSetting {
    /// Returns the path of this process's browser. `None` if this process has none.
    pub fn program(&self) -> Option<PathBuf> {
        match self {
            Self::Off | Self::Workers => None,
            Self::Auto => articles::worker_tools::find_browser(),
            Self::Program(program) => Some(program.clone()),
        }
    }

    /// Returns true if a process of this installation renders pages, as far as this process knows.
    pub fn renders_pages(&self) -> bool {
        *self == Self::Workers || self.program().is_some()
    }

    /// Describes the state of the renderer in one line, for operators.
    pub fn state(&self) -> String {
        match (self, self.program()) {
            (Self::Off, _) => "off (CARREL_RENDERER=off)".to_owned(),
            (Self::Workers, _) => "in workers on other machines".to_owned(),
            (_, Some(program)) => program.display().to_string(),
            (_, None) => "no Chromium found: pages that need scripts have no text".to_owned(),
        }
    }
}

impl FromStr for RendererSetting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Self::Off),
            "auto" => Ok(Self::Auto),
            "workers" => Ok(Self::Workers),
            path if Path::new(path).is_absolute() && Path::new(path).is_file() => {
                Ok(Self::Program(path.into()))
            }
            _ => Err("must be off, auto, workers, or the absolute path of a Chromium program"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renderer_setting_is_a_keyword_or_a_program_path() {
        for (text, expected) in [
            ("off", RendererSetting::Off),
            ("auto", RendererSetting::Auto),
            ("workers", RendererSetting::Workers),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        assert_eq!("/bin/sh".parse(), Ok(RendererSetting::Program("/bin/sh".into())));
        for text in ["", "on", "chromium", "/nowhere/chromium", "/bin"] {
            assert!(text.parse::<RendererSetting>().is_err(), "{text}");
        }
    }

    #[test]
    fn disabled_renderer_renders_nothing() {
        assert!(!RendererSetting::Off.renders_pages());
        assert!(RendererSetting::Workers.renders_pages());
        assert_eq!(RendererSetting::Workers.program(), None);
    }
}
