//! Signed addresses of pictures on Carrel's pages. The signature ensures that only pictures that appear on
//! these pages are fetched.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use kernel::cursor::CursorKey;
use kernel::{Domain, Result};

/// Path prefix of pictures, before the sealed address.
pub const PATH: &str = "/pictures/";
/// Maximum length, in bytes, of a picture's original address.
const MAX_BYTES: usize = 2_048;

/// Viewer for whom a page is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Any reader of a public page.
    Anyone,
    /// A signed-in user. No other viewer can use the address.
    Account(AccountId),
}

/// Key that signs and verifies the addresses of pictures.
#[derive(Clone, Debug)]
pub struct PictureKey(CursorKey);

impl From<CursorKey> for PictureKey {
    fn from(key: CursorKey) -> Self {
        Self(key)
    }
}

impl PictureKey {
    /// Loads the key of this deployment.
    ///
    /// # Errors
    /// `service_unavailable` if the key cannot be loaded.
    #[boxed]
    pub async fn load(domain: &Domain) -> Result<Self> {
        Ok(Self(domain.cursor_key().await?.clone()))
    }

    /// Returns the key of this deployment. `None` if this process has not loaded it yet.
    pub fn loaded(domain: &Domain) -> Option<Self> {
        domain.cursor_key_cell().get().cloned().map(Self)
    }

    /// Returns the path after [`PATH`] for the picture at `url`. `None` if `url` cannot be the address of a
    /// picture.
    pub fn seal(&self, viewer: Viewer, url: &str) -> Option<String> {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        (is_web && url.len() <= MAX_BYTES).then(|| self.0.seal(&binding(viewer), url.as_bytes()))
    }

    /// Returns the path of a picture that is displayed as an icon. If the picture cannot be displayed, the
    /// response for this path is empty.
    pub fn icon_path(&self, viewer: Viewer, url: &str) -> Option<String> {
        Some(format!("{PATH}{}?icon", self.seal(viewer, url)?))
    }

    /// Verifies a path and returns the address of the picture. `None` unless the path was signed for `viewer`
    /// or for any viewer.
    pub fn open(&self, viewer: Viewer, sealed: &str) -> Option<String> {
        if sealed.len() > 2 * MAX_BYTES {
            return None;
        }
        let open = |viewer| self.0.open(&binding(viewer), sealed);
        let bytes = open(viewer).or_else(|| open(Viewer::Anyone))?;
        String::from_utf8(bytes).ok()
    }
}

fn binding(viewer: Viewer) -> String {
    match viewer {
        Viewer::Anyone => "picture".to_owned(),
        Viewer::Account(id) => format!("picture of {id}"),
    }
}
