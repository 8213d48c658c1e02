//! Sample account: an account with a few texts, feeds, and a monitor, created with the operations that
//! people use. Its size is fixed.

use articles::{Address, Payer};
use async_recursion::async_recursion as boxed;
use entities::ids::ItemId;
use extract::sandbox::Pool;
use extract::watch::Target;
use identity::accounts::{self, Account, Passwords};
use jobs::Progress;
use kernel::{Domain, Error, Result};
use library::{
    HighlightTarget, ItemChanges, ItemStatus, ItemUpdate, NewHighlight, NewNote, ReadProgress, Save,
};
use monitors::{Definition, MonitorOptions, NewMonitor};

/// Text of the sample library.
struct SampleText {
    title: &'static str,
    markdown: &'static str,
    tags: &'static [&'static str],
    status: ItemStatus,
}

const TEXTS: [SampleText; 3] = [
    SampleText {
        title: "How to keep what you read",
        markdown: include_str!("sample_account/highlights.md"),
        tags: &["reading", "sample"],
        status: ItemStatus::Inbox,
    },
    SampleText {
        title: "A quiet way to follow the news",
        markdown: include_str!("sample_account/feeds.md"),
        tags: &["sample"],
        status: ItemStatus::Inbox,
    },
    SampleText {
        title: "What to watch",
        markdown: include_str!("sample_account/monitors.md"),
        tags: &["sample"],
        status: ItemStatus::Later,
    },
];

/// Words of the first text that are highlighted.
const QUOTE: &str =
    "A text in which you marked three sentences stays with you, because you had to choose them.";
/// Percentage of the first text that was read.
const PROGRESS: i16 = 40;
/// Page that the sample monitor watches. It changes a few times a year.
const WATCHED_URL: &str = "https://www.iana.org/time-zones";
/// Interval of the sample monitor, in minutes.
const INTERVAL_MINUTES: u32 = 1440;

/// Creates a sample account. If its data cannot be written, no account remains.
///
/// # Errors
/// `invalid_request` for the address or the password; `name_taken`; the errors of the operations.
#[boxed]
pub async fn create(
    domain: &Domain,
    passwords: &Passwords,
    sandbox: &Pool,
    email: &str,
    password: &str,
) -> Result<Account> {
    let account = accounts::create_sample(domain, passwords, email, password).await?;
    if let Err(error) = fill(domain, sandbox, &account).await {
        accounts::delete_sample(domain, account.id).await?;
        return Err(error);
    }
    Ok(account)
}

async fn fill(domain: &Domain, sandbox: &Pool, account: &Account) -> Result<()> {
    let mut ids = Vec::with_capacity(TEXTS.len());
    for text in &TEXTS {
        ids.push(save(domain, sandbox, account, text).await?);
    }
    if let Some(first) = ids.first() {
        annotate(domain, account, *first).await?;
    }
    let first_feeds = feeds::suggested_topics().iter().filter_map(|topic| topic.feeds.first());
    let suggested: Vec<String> = first_feeds.map(|feed| feed.url.clone()).collect();
    feeds::follow_suggested(domain, account.id, &suggested).await?;
    watch(domain, account).await
}

async fn save(domain: &Domain, sandbox: &Pool, account: &Account, text: &SampleText) -> Result<ItemId> {
    let payer = Payer { account_id: account.id, tier: account.tier };
    let new = Save {
        title: Some(text.title.to_owned()),
        content: Some(text.markdown.to_owned()),
        mime_type: Some("text/markdown".to_owned()),
        status: Some(text.status),
        tags: text.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..Save::default()
    };
    match library::save(domain, sandbox, payer, new).await? {
        Progress::Done(saved) => Ok(saved.item.id),
        Progress::Waiting { .. } => Err(Error::internal("a sample text must not be fetched")),
    }
}

/// Writes a highlight with a note, and the reading progress of an item.
async fn annotate(domain: &Domain, account: &Account, item_id: ItemId) -> Result<()> {
    let highlight = NewHighlight {
        item_id,
        target: HighlightTarget::Quote(QUOTE.to_owned()),
        prefix: None,
        suffix: None,
        anchor: None,
        note: Some("Choosing is what makes me remember.".to_owned()),
        color: None,
        tags: Vec::new(),
        external_id: None,
    };
    library::create_highlight(domain, account.id, highlight).await?;
    let note = NewNote {
        title: None,
        text: "This is a sample account. Change anything; nothing here is lost when you remove it."
            .to_owned(),
        item_id: Some(item_id),
        tags: Vec::new(),
        external_id: None,
    };
    library::create_note(domain, account.id, note).await?;
    let changes = ItemChanges { read_progress: Some(ReadProgress::At(PROGRESS)), ..ItemChanges::default() };
    library::update(domain, account.id, item_id, ItemUpdate { changes, ..ItemUpdate::default() }).await?;
    Ok(())
}

async fn watch(domain: &Domain, account: &Account) -> Result<()> {
    let new = NewMonitor {
        name: "Time zone database".to_owned(),
        address: Address::parse(domain, WATCHED_URL)?,
        definition: Definition::of(Target::Page { selector: None }),
        interval_minutes: Some(INTERVAL_MINUTES),
        follow: true,
        notify: Vec::new(),
        tags: vec!["sample".to_owned()],
        options: MonitorOptions::default(),
    };
    monitors::create(domain, account.id, new).await?;
    Ok(())
}
