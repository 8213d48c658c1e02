//! Actions on many jobs: the selected jobs, or all that match the filter, up to a maximum. Destructive
//! actions require a confirmation.

use ::jobs::Engine;
use jobs::JobFilter;
use kernel::{Class, Code, Error, JobId};
use maud::{Markup, html};
use poem::{Response, handler};

use super::jobs::{JobListFilter, hidden};
use super::operator::{Operator, respond};
use super::words::state_word;
use crate::language::job_kind_name::job_kind_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult};
use crate::page::response::redirect;

/// Maximum number of jobs per action.
const MAX_JOBS: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JobAction {
    Retry,
    Cancel,
}

/// Jobs to act on.
enum JobSelection {
    Selected(Vec<JobId>),
    All,
}

/// Executes the action, or asks for confirmation first.
#[handler]
pub(super) async fn act(request: PageRequest, _operator: Operator, form: Form) -> PageResult {
    let chosen = JobListFilter::of(form.get("kind"), form.get("state"));
    let selected: Vec<JobId> = form.all("job").filter_map(|id| id.parse().ok()).collect();
    let (action, selection) = match form.get("do") {
        "retry" => (JobAction::Retry, JobSelection::Selected(selected)),
        "cancel" => (JobAction::Cancel, JobSelection::Selected(selected)),
        "retry-all" => (JobAction::Retry, JobSelection::All),
        "cancel-all" => (JobAction::Cancel, JobSelection::All),
        _ => return Err(Error::new(Code::InvalidRequest, "Choose what to do with the jobs.").into()),
    };
    let asks = action == JobAction::Cancel || matches!(selection, JobSelection::All);
    if asks && form.get("sure") != "yes" {
        return Ok(ask(&request, form.get("do"), chosen, &selection));
    }
    let ids = match selection {
        JobSelection::Selected(ids) => ids,
        JobSelection::All => all(&request, chosen).await?,
    };
    let (mut done, mut left) = (0_u64, 0_u64);
    for id in ids {
        match execute(&request.app.engine, action, id).await {
            Ok(()) => done += 1,
            Err(error) if matches!(error.class(), Class::Conflict | Class::NotFound) => left += 1,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(redirect(&format!("{}&done={done}&left={left}", chosen.address(None))))
}

async fn execute(engine: &Engine, action: JobAction, id: JobId) -> kernel::Result<()> {
    match action {
        JobAction::Retry => engine.retry(id).await.map(|_| ()),
        JobAction::Cancel => engine.cancel(id).await.map(|_| ()),
    }
}

/// Returns the newest jobs that match the filter. A state is required, because an action on jobs in every
/// state is never intended.
async fn all(request: &PageRequest, chosen: JobListFilter) -> kernel::Result<Vec<JobId>> {
    if chosen.state.is_none() {
        return Err(Error::new(Code::InvalidRequest, "Choose a state first, or select jobs one by one."));
    }
    let filter = JobFilter { kind: chosen.kind, state: chosen.state, after: None, limit: MAX_JOBS };
    Ok(jobs::list(&request.app.domain, &filter).await?.into_iter().map(|job| job.id).collect())
}

fn ask(request: &PageRequest, what: &str, chosen: JobListFilter, selection: &JobSelection) -> Response {
    let token = FormToken::of(request);
    let is_cancel = what.starts_with("cancel");
    let (title, effect) = if is_cancel {
        (Text("admin-cancel-title"), Text("admin-cancel-effect"))
    } else {
        (Text("admin-retry-title"), Text("admin-retry-effect"))
    };
    let content = html! {
        h1 { (title) }
        p.notice.bad[is_cancel] { (which(chosen, selection)) " " (effect) }
        form method="post" action="/admin/jobs" {
            (token.field())
            (hidden(chosen))
            @if let JobSelection::Selected(ids) = selection { @for id in ids { input type="hidden" name="job" value=(id); } }
            input type="hidden" name="sure" value="yes";
            div.row {
                button.danger[is_cancel] name="do" value=(what) { @if is_cancel { (Text("admin-cancel-jobs")) } @else { (Text("admin-retry-jobs")) } }
                a.button.secondary href=(chosen.address(None)) { (Text("settings-back")) }
            }
        }
    };
    respond(request, "/admin/jobs", &title.get(), &content)
}

fn which(chosen: JobListFilter, selection: &JobSelection) -> Markup {
    html! {
        @match selection {
            JobSelection::Selected(ids) => (Text("admin-which-selected").with("count", ids.len())),
            JobSelection::All => {
                (Text("admin-which-all").with("most", MAX_JOBS))
                @if let Some(kind) = chosen.kind { " " (Text("admin-which-kind").with("name", job_kind_name(kind))) }
                @if let Some(state) = chosen.state { " " (Text("admin-which-state").with("name", state_word(state).get())) }
            }
        }
    }
}
