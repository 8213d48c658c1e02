//! Recordings of followed feeds, for e-readers that play audio. The files are at their publishers.

use extract::feed::Enclosure;
use feeds::{Entry, EntryFilter};
use kernel::cursor_scope::CursorScope;
use kernel::{EntryId, Error, rfc3339};
use poem::Response;

use super::call::Call;
use super::feed::{Feed, Kind, xml_text};
use super::lists::{PAGE, PODCASTS, address};
use crate::fault::malformed;

impl Call<'_> {
    /// Entries with audio or video, newest first.
    pub(super) async fn podcasts(&self) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let bound = CursorScope { account_id, operation: "opds podcasts", filters: String::new() };
        let after = match self.parameters.get("c") {
            Some(sent) => {
                let bytes = bound.open(domain, sent).await?;
                let bytes: [u8; 8] =
                    bytes.try_into().map_err(|_| malformed("The cursor is not valid for this list."))?;
                Some(EntryId::new(i64::from_be_bytes(bytes)))
            }
            None => None,
        };
        let filter = EntryFilter { recordings_only: true, ..EntryFilter::default() };
        let page = feeds::list_entries(domain, account_id, &filter, after, PAGE).await?;
        let next = match page.next_after {
            Some(id) => {
                let cursor = bound.seal(domain, &id.as_i64().to_be_bytes()).await?;
                Some(address(PODCASTS, &[("c", &cursor)]))
            }
            None => None,
        };
        let updated_at = page.entries.iter().map(|entry| entry.discovered_at).max();
        let feed = Feed {
            kind: Kind::Acquisition,
            title: "Podcasts".to_owned(),
            path: PODCASTS.to_owned(),
            next,
            updated_at: updated_at.unwrap_or_else(|| domain.now()),
            entries: page.entries.iter().map(episode).collect(),
        };
        Ok(feed.response(self.app.settings.origins.base.as_str()))
    }
}

/// Catalogue entry of an episode with its recordings.
fn episode(entry: &Entry) -> String {
    let recordings: String = entry.enclosures.iter().filter(|file| file.is_played()).map(recording).collect();
    let at = rfc3339(entry.published_at.unwrap_or(entry.discovered_at));
    format!(
        "<entry><id>urn:carrel:entry:{}</id><title>{}</title><updated>{at}</updated>\
         <author><name>{}</name></author><dc:publisher>{}</dc:publisher><dc:issued>{at}</dc:issued>\
         <summary type=\"text\">{}</summary>\
         <link rel=\"alternate\" href=\"{}\" type=\"text/html\"/>{recordings}</entry>\n",
        entry.id,
        xml_text(&entry.title),
        xml_text(entry.author.as_deref().unwrap_or(&entry.feed_title)),
        xml_text(&entry.feed_title),
        xml_text(entry.summary.as_deref().unwrap_or_default()),
        xml_text(&entry.url),
    )
}

fn recording(file: &Enclosure) -> String {
    let length = file.size_bytes.map(|size| format!(" length=\"{size}\"")).unwrap_or_default();
    format!(
        "<link rel=\"http://opds-spec.org/acquisition/open-access\" href=\"{}\" type=\"{}\"{length}/>",
        xml_text(&file.url),
        xml_text(&file.media_type)
    )
}
