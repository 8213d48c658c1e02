//! `carrel read`: prints a page, a file, or standard input as clean text.

use std::fmt::Write as _;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::time::Duration;

use ::extract::formats::media_type_of_extension;
use ::extract::{Document, ExtractionOutcome, Input, UNTITLED, search};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use url::Url;

use super::large_stack;
use super::rendering::{self, CaptureFiles, MISSING, RenderArgument, RenderedInput};
use super::source::{self, InputSource};
use http_kit::config::Settings;

/// Maximum size of an input file, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// Maximum number of blocks printed for a query.
const MAX_HITS: usize = 10;

/// Arguments of `carrel read`.
#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// URL, file, or `-` for standard input.
    #[arg(value_name = "URL|FILE|-")]
    source: String,
    /// Output format.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Print only the blocks that match these words, best first.
    #[arg(long)]
    query: Option<String>,
    /// Base URL for relative links of a file or of standard input.
    #[arg(long, value_name = "URL")]
    base: Option<Url>,
    /// Run the scripts of a page in a browser (Chromium) before its text is extracted.
    #[arg(long, value_enum, default_value_t = RenderArgument::Auto)]
    render: RenderArgument,
    #[command(flatten)]
    files: CaptureFiles,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// Title, author, and date, followed by numbered paragraphs.
    Text,
    /// Markdown.
    Markdown,
    /// The whole extracted document.
    Json,
}

pub(super) async fn run(settings: Settings, arguments: &ReadArgs) -> anyhow::Result<()> {
    let bar = progress(&arguments.source);
    let source = InputSource::of(&arguments.source);
    let is_web = source != InputSource::Local;
    if !is_web && !arguments.files.is_empty() {
        bail!("--archive, --screenshot, and --pdf need the URL of a page");
    }
    let input = match source {
        InputSource::Local => local(&arguments.source, arguments.base.as_ref())?,
        InputSource::Web(urls) => {
            let fetched = source::fetch(&settings, urls, ::fetch::Request::page).await?;
            Input {
                bytes: fetched.body.to_vec(),
                content_type: fetched.content_type,
                url: Some(fetched.url.into()),
            }
        }
    };
    let page = is_web.then(|| input.url.clone()).flatten();
    let served =
        tokio::task::spawn_blocking(move || large_stack::run(|| ::extract::extract(&input))).await??;
    let is_rendered = arguments.render.renders(&served) || !arguments.files.is_empty();
    let extracted = match page.filter(|_| is_rendered) {
        Some(url) => rendered(&settings, &url, (arguments, served)).await?,
        None => served,
    };
    bar.finish_and_clear();
    let document = match extracted {
        ExtractionOutcome::Document(document) => with_file_name(document, &arguments.source),
        served if is_web && rendering::needs_scripts(&served) => bail!("no text found: {MISSING}"),
        ExtractionOutcome::NoText { .. } => bail!("no text found in {}", arguments.source),
        ExtractionOutcome::Unsupported { mime } => {
            bail!("{} has the unsupported type {mime}", arguments.source)
        }
        ExtractionOutcome::TooComplex { reason } => {
            bail!("{} cannot be read safely: {reason}", arguments.source)
        }
    };
    let document = match &arguments.query {
        Some(query) => filter_blocks(document, query)?,
        None => document,
    };
    let text = print(&document, arguments.format)?;
    std::io::stdout().write_all(text.as_bytes()).context("standard output is closed")
}

/// Returns the text of the rendered page. If an automatic rendering fails, the text as served is returned with a
/// message.
async fn rendered(
    settings: &Settings,
    url: &str,
    (arguments, served): (&ReadArgs, ExtractionOutcome),
) -> anyhow::Result<ExtractionOutcome> {
    match rendering::render(settings, url, (arguments.render, &arguments.files)).await {
        Ok(RenderedInput { input, is_cut }) => {
            let extracted =
                tokio::task::spawn_blocking(move || large_stack::run(|| ::extract::extract(&input)))
                    .await??;
            Ok(match extracted {
                ExtractionOutcome::Document(mut document) => {
                    articles::extraction::mark_rendered(&mut document, is_cut);
                    ExtractionOutcome::Document(document)
                }
                // The scripts ran, but there is still no text.
                ExtractionOutcome::NoText { next_links, .. } => {
                    ExtractionOutcome::NoText { warnings: Vec::new(), next_links }
                }
                other => other,
            })
        }
        Err(error) if arguments.render == RenderArgument::Auto && arguments.files.is_empty() => {
            eprintln!("the page was not rendered: {error}");
            Ok(served)
        }
        Err(error) => Err(error),
    }
}

/// Creates a spinner for a terminal, which is shown after two seconds.
fn progress(source: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(format!("reading {source}"));
    let spinner = bar.clone();
    tokio::spawn(async move {
        let _ = tokio::time::timeout(Duration::from_secs(2), std::future::pending::<()>()).await;
        if !spinner.is_finished() {
            spinner.enable_steady_tick(Duration::from_millis(120));
        }
    });
    bar
}

/// Sets the title of the document to the name of the file if the file contains no title.
fn with_file_name(mut document: Box<Document>, source: &str) -> Box<Document> {
    if document.title == UNTITLED
        && source != "-"
        && let Some(name) = Path::new(source).file_name().and_then(|name| name.to_str())
    {
        name.clone_into(&mut document.title);
    }
    document
}

/// Removes all blocks that do not match `query`.
fn filter_blocks(mut document: Box<Document>, query: &str) -> anyhow::Result<Box<Document>> {
    let hits = search::rank(&document.blocks, document.language.as_deref(), query);
    if hits.is_empty() {
        bail!("no block matches `{query}`");
    }
    document.blocks = hits.iter().take(MAX_HITS).map(|hit| document.blocks[hit.index].clone()).collect();
    Ok(document)
}

fn local(source: &str, base: Option<&Url>) -> anyhow::Result<Input> {
    let url = base.map(|base| base.as_str().to_owned());
    let mut bytes = Vec::new();
    if source == "-" {
        std::io::stdin().take(MAX_FILE).read_to_end(&mut bytes).context("failed to read standard input")?;
        return Ok(Input { bytes, content_type: None, url });
    }
    let file = std::fs::File::open(source).with_context(|| format!("{source} cannot be opened"))?;
    file.take(MAX_FILE).read_to_end(&mut bytes).with_context(|| format!("{source} cannot be read"))?;
    let ending = Path::new(source).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let content_type = media_type_of_extension(ending).map(str::to_owned);
    Ok(Input { bytes, content_type, url })
}

fn print(document: &Document, form: OutputFormat) -> anyhow::Result<String> {
    Ok(match form {
        OutputFormat::Json => serde_json::to_string_pretty(document)? + "\n",
        OutputFormat::Markdown => ::extract::render::markdown(&document.blocks),
        OutputFormat::Text => {
            let mut text = format!("Title: {}\n", document.title);
            for (label, value) in [("Author", &document.author), ("Published", &document.published_at)] {
                if let Some(value) = value {
                    let _ = writeln!(text, "{label}: {value}");
                }
            }
            for block in document.blocks.iter().filter(|block| block.is_main_text()) {
                let _ = write!(text, "\n[p{}] {}\n", block.anchor, ::extract::render::text_line(block));
            }
            text
        }
    })
}
