//! What can be done with a monitor by one button: run now, pause, go on, another feed address, ending.

use domain::Error;
use domain::monitors::{self, Edit, Grounds, Status};
use maud::html;
use poem::http::StatusCode;
use uuid::Uuid;

use super::super::form::{self, Token};
use super::super::{Answer, Visit, redirect};
use super::{Pending, find, path, respond};
use crate::app::App;

/// What one button does.
#[derive(Clone, Copy)]
enum Act {
    Run,
    Pause,
    Resume,
    Rotate,
}

/// Runs a monitor now.
pub(crate) fn run(visit: Visit) -> Pending {
    Box::pin(act(visit, Act::Run))
}

/// Pauses a monitor.
pub(crate) fn pause(visit: Visit) -> Pending {
    Box::pin(act(visit, Act::Pause))
}

/// Has a monitor go on.
pub(crate) fn resume(visit: Visit) -> Pending {
    Box::pin(act(visit, Act::Resume))
}

/// Gives a monitor's feed another address.
pub(crate) fn rotate(visit: Visit) -> Pending {
    Box::pin(act(visit, Act::Rotate))
}

/// Takes a button's form, does what it says and leads back to the monitor.
async fn act(mut visit: Visit, act: Act) -> Answer {
    if visit.session.is_none() {
        return Ok(visit.to_sign_in());
    }
    form::receive(&mut visit).await?;
    let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
    let (app, account_id) = (&visit.app, session.account.id);
    let id = find(&visit, session).await?.id;
    let done = match act {
        Act::Run => {
            jobs::monitors::run_now(&app.engine, &app.limits, account_id, id).await?;
            "running"
        }
        Act::Pause => set(app, account_id, id, Status::Paused).await?,
        Act::Resume => set(app, account_id, id, Status::Active).await?,
        Act::Rotate => {
            monitors::rotate_feed(&app.domain, &app.monitors, account_id, id).await?;
            "rotated"
        }
    };
    Ok(redirect(&format!("{}?{done}", path(id))))
}

async fn set(app: &App, account_id: Uuid, id: Uuid, status: Status) -> Result<&'static str, Error> {
    let grounds = Grounds { limits: &app.limits, settings: &app.monitors, guard: &app.guard };
    let edit = Edit { status: Some(status), ..Edit::default() };
    monitors::update(&app.domain, grounds, account_id, id, edit).await?;
    Ok("changed")
}

/// Asks before a monitor ends.
pub(crate) fn show_delete(visit: Visit) -> Pending {
    Box::pin(async move {
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let monitor = find(&visit, session).await?;
        let token = Token::of(&visit);
        let content = html! {
            h1 { "End " (monitor.name) "?" }
            p.notice.bad { "Its runs and changes are deleted, and its feed answers that it is gone. This cannot be undone." }
            form method="post" action={ (path(monitor.id)) "/delete" } {
                (token.field())
                div.row { button.danger type="submit" { "End the monitor" } a.button.quiet href=(path(monitor.id)) { "Keep it" } }
            }
        };
        Ok(respond(&visit.app, StatusCode::OK, "End · Monitors", &content))
    })
}

/// Ends a monitor.
pub(crate) fn delete(mut visit: Visit) -> Pending {
    Box::pin(async move {
        if visit.session.is_none() {
            return Ok(visit.to_sign_in());
        }
        form::receive(&mut visit).await?;
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let monitor = find(&visit, session).await?;
        monitors::delete(&visit.app.domain, session.account.id, monitor.id).await?;
        Ok(redirect("/monitors?deleted"))
    })
}
