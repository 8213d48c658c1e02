//! Page with instructions for connecting agents: the address of the service, the clients that can reach it,
//! and the installation of each client.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::Arc;

use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Data;
use poem::{Response, handler};

use super::agent_clients::{AgentClient, CLIENTS, RunsOn};
use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;
use http_kit::mcp_address::ToolGroup;

/// Renders the page about connecting agents.
#[handler]
pub(super) fn agents(app: Data<&Arc<App>>) -> Response {
    let origins = &app.settings.origins;
    let (base, auth) = (origins.base.as_str(), origins.auth.as_str());
    let content = html! {
        h1 { "Agents" }
        p { "Connect an AI assistant with the Model Context Protocol (MCP). You approve each assistant once, on a page of Carrel, and choose whether it can only read or also make changes. It never sees your password, and you can remove its access at any time under "
            a href={ (auth) "/settings/apps" } { "Connected apps" } "." }
        pre tabindex="0" { code { (base) "/mcp" } }
        (reach(&app))
        @for client in &CLIENTS { (installation(&app, client)) }
        (groups(base))
        section id="untrusted" {
            h2 { "Don't let pages give your agent orders" }
            p { "The texts of pages and feeds are written by strangers, and tools mark them as such. Still, review every change that an agent wants to make after it has read something you don't trust. An address that ends in " code { "/readonly" } " has no tools that change anything. Tools that change something have a dry run. Under "
                a href={ (auth) "/settings/apps" } { "Connected apps" } " you see which tools each app called, can limit its calls a day, and can choose tools that it calls only after your approval." }
        }
    };
    let page_shell = Shell { title: "Agents", current: "/docs", width: Width::Wide };
    page_response(StatusCode::OK, shell(&app, page_shell, &content))
}

/// Explains which clients can reach the address of the service.
fn reach(app: &App) -> Markup {
    let origins = &app.settings.origins;
    let (base, auth) = (origins.base.as_str(), origins.auth.as_str());
    let needs = "A hosted client, such as Claude or ChatGPT, connects from the servers of its vendor. It needs a public name, https, and a certificate that browsers trust.";
    html! {
        section id="address" {
            h2 { "Which address a client needs" }
            @if is_public(app) {
                p { (needs) " The address of this service looks like one. "
                    a href={ (auth) "/settings/apps/address" } { "Check that it can be reached from outside" } "." }
            } @else {
                p.notice.bad { "Hosted clients cannot reach " code { (base) } ". " (needs) }
                p { "Clients on your machine and in your network can use this address. The operator sets a public one with "
                    code { "CARREL_BASE_URL" } "; after that, "
                    a href={ (auth) "/settings/apps/address" } { "check that it can be reached from outside" } "." }
            }
        }
    }
}

/// Returns true if hosted clients accept the configured address. Does not check that the address is reachable.
fn is_public(app: &App) -> bool {
    app.domain.policy().public_base_url().is_some()
}

/// Renders the installation of a client. For a hosted client, omits an address that the client cannot reach.
fn installation(app: &App, client: &AgentClient) -> Markup {
    let base = app.settings.origins.base.as_str();
    let is_reachable = is_public(app) || client.runs_on != RunsOn::VendorServers;
    html! {
        section id=(client.id) {
            h2 { (client.name) }
            p.soft { "Runs on " (client.runs_on.label()) ", transport: " (client.transport.label()) "." }
            @if is_reachable {
                p { (client.steps) }
                @if let Some(link) = client.link(base) { p { a.button href=(link) { "Open " (client.name) } } }
                pre tabindex="0" { code { (client.text(base)) } }
                @if client.runs_on == RunsOn::OwnServer && !is_public(app) {
                    p { "The server must be in the same network as this service." }
                }
            } @else {
                p { "Needs " a href="#address" { "a public https address" } ", which this service does not have." }
            }
        }
    }
}

fn groups(base: &str) -> Markup {
    html! {
        section id="groups" {
            h2 { "Tools and groups" }
            p { code { (base) "/mcp" } " lists 14 tools, one for each task: search, read, save, annotate, list what is new, follow, watch. With the tool "
                code { "more_tools" } " an agent adds a group of operations to its list for a day. Each group also has its own address. Add "
                code { "/readonly" } " to any address for a read-only version." }
            ul { @for group in ToolGroup::ALL { li { code { (base) "/mcp/x/" (group.as_str()) } } } }
            p { "If a client keeps one address only, name the groups in the query, such as " code { (base) "/mcp?tools=default,library" }
                ". Clients that need structured content, such as those for deep research, add " code { "?output=structured" }
                ". VS Code accepts addresses with a query only with an API key." }
            p { "Each operation in a group is one of " a href={ (base) "/docs/developer" } { "the Developer API" }
                ", with the same limits and errors. An API key also works here, as " code { "Authorization: Bearer …" } "." }
        }
    }
}
