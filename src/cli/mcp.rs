//! `carrel mcp`: connects an agent that starts MCP servers as programs to a Carrel service over HTTP.

mod bundle;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::service_access::ServiceAccess;
use http_kit::mcp_address::{Access, McpAddress, ToolGroup};
use mcp::stdio;

/// Arguments of `carrel mcp`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "CARREL_URL is the address of the service, as in https://carrel.example.org; CARREL_API_KEY is one of your keys there.\nStandard output carries protocol messages only."
)]
pub(super) struct McpArgs {
    #[command(subcommand)]
    command: Option<McpCommand>,
    /// Group of operations: all, core, articles, library, rss, feeds, or monitors. By default the set of
    /// tools for common tasks.
    #[arg(long, value_parser = group)]
    group: Option<ToolGroup>,
    /// Offer only tools that read.
    #[arg(long)]
    readonly: bool,
    /// File that contains the key. The environment is then not searched for a key.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    /// Write a bundle (.mcpb) with this executable, which desktop clients install.
    Bundle(bundle::BundleArgs),
}

/// Forwards messages until standard input is closed, or runs the subcommand.
pub(super) fn run(arguments: &McpArgs) -> anyhow::Result<()> {
    if let Some(McpCommand::Bundle(arguments)) = &arguments.command {
        return bundle::run(arguments);
    }
    let ServiceAccess { url, key } = ServiceAccess::of(None, arguments.key_file.as_deref())?;
    let access = if arguments.readonly { Access::ReadOnly } else { Access::Full };
    let address = McpAddress { group: arguments.group, access };
    let endpoint = format!("{url}{}", address.path());
    let server = fetch::carrel_server::CarrelServer::new(&endpoint, &key)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(stdio::run(server))
}

fn group(text: &str) -> Result<ToolGroup, String> {
    let known = || ToolGroup::ALL.map(ToolGroup::as_str).join(", ");
    ToolGroup::parse(text).ok_or_else(|| format!("must be one of {}", known()))
}
