//! Example responses of the monitor operations.

use extract::watch::{Kind, Op, Trigger};
use model::ModelTaskState;
use monitors::Decision;
use poem_openapi::types::Example;

use super::changes::{
    MonitorChange, MonitorChangeExplanation, MonitorChangeKind, MonitorChangeList, MonitorDifference,
    MonitorPreview, PreviewBlock, ReconsideredChange, ReconsideredList,
};
use super::runs::{
    MonitorNotice, MonitorNoticeState, MonitorOutcome, MonitorRun, MonitorRunList, MonitorRunOne,
};
use super::schedule::MonitorSchedule;
use super::schema::{
    MonitorSourceRequest, MonitorStatus, MonitorTargetType, WebMonitor, WebMonitorList, WebMonitorOne,
    WebMonitorSaved,
};
use http_kit::http::enum_param::EnumParam;

pub(super) fn monitor_id() -> String {
    "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a".to_owned()
}

impl Example for WebMonitor {
    fn example() -> Self {
        let token = "4fJq0Zb7XkT1mVn8YcR2sLw9HdPg3aUe";
        Self {
            id: monitor_id(),
            name: "Example".into(),
            target_url: "https://example.com/".into(),
            target_type: MonitorTargetType::Page,
            feed_url: format!("https://api.example.org/feeds/monitors/{token}.xml"),
            status: MonitorStatus::Active,
            next_run_at: Some("2026-11-21T12:00:09.000Z".into()),
            created_at: "2026-11-20T12:00:00.000Z".into(),
            interval_minutes: 1440,
            selector: None,
            last_run_at: Some("2026-11-20T12:00:09.412Z".into()),
            last_change_at: None,
            last_error: None,
            failure_count: 0,
            pause_reason: None,
            credits_per_run: 1,
            include: None,
            exclude: None,
            items: None,
            fields: None,
            ignore: Vec::new(),
            filters: Vec::new(),
            trigger: Trigger::default().into(),
            ordered: false,
            follow: true,
            allow_empty: false,
            triggered: None,
            suppression: None,
            masks: Vec::new(),
            credits_per_month: 31,
            notify: Vec::new(),
            request: MonitorSourceRequest {
                post: None,
                user_agent: None,
                proxy: None,
                headers: Vec::new(),
                any_status: false,
                cookies: false,
                credentials: None,
            },
            render: false,
            wait_for: None,
            steps: Vec::new(),
            dismiss_cookie_notices: false,
            explanation: None,
            schedule: MonitorSchedule::default(),
            next_runs: vec![
                "2026-11-21T12:00:09.000Z".into(),
                "2026-11-22T12:00:13.000Z".into(),
                "2026-11-23T12:00:17.000Z".into(),
            ],
            notify_failures: None,
            tags: Vec::new(),
            group_id: None,
            own_settings: Vec::new(),
        }
    }
}

impl Example for WebMonitorOne {
    fn example() -> Self {
        Self { monitor: WebMonitor::example() }
    }
}

impl Example for WebMonitorSaved {
    fn example() -> Self {
        Self { monitor: WebMonitor::example(), warnings: Vec::new() }
    }
}

impl Example for WebMonitorList {
    fn example() -> Self {
        Self { monitors: vec![WebMonitor::example()], next_cursor: None }
    }
}

impl Example for MonitorRun {
    fn example() -> Self {
        Self {
            id: "0193a0b2-8d11-7000-8000-0a1b2c3d4e5f".into(),
            started_at: "2026-11-20T12:00:09.000Z".into(),
            finished_at: Some("2026-11-20T12:00:09.412Z".into()),
            outcome: Some(MonitorOutcome::Changed),
            added: 0,
            removed: 0,
            modified: 1,
            credits: 1,
            error_code: None,
            warnings: Vec::new(),
            decision: Some(EnumParam(Decision::Reported)),
            notices: vec![MonitorNotice {
                channel_id: "019c2b6f-0000-7000-8000-000000000001".into(),
                channel: "Me".into(),
                state: MonitorNoticeState::Sent,
                status: Some(204),
            }],
        }
    }
}

impl Example for MonitorRunOne {
    fn example() -> Self {
        let begun = MonitorRun {
            finished_at: None,
            outcome: None,
            modified: 0,
            credits: 0,
            decision: None,
            notices: Vec::new(),
            ..MonitorRun::example()
        };
        Self { run: begun }
    }
}

impl Example for MonitorRunList {
    fn example() -> Self {
        Self { runs: vec![MonitorRun::example()], next_cursor: None }
    }
}

impl Example for MonitorChange {
    fn example() -> Self {
        let difference = MonitorDifference {
            op: EnumParam(Op::Changed),
            anchor: 7,
            before: Some("The evening ferry leaves at 18:45.".into()),
            after: Some("The evening ferry leaves at 18:55.".into()),
            kind: EnumParam(Kind::Paragraph),
            section: Some("Timetable".into()),
            url: None,
            item: None,
            field: None,
            difference: None,
        };
        Self {
            id: "0193a0b2-9e22-7000-8000-1b2c3d4e5f60".into(),
            run_id: MonitorRun::example().id,
            detected_at: "2026-11-20T12:00:09.412Z".into(),
            kind: MonitorChangeKind::Changed,
            url: "https://example.com/".into(),
            title: "The evening ferry leaves at: 18:45 → 18:55".into(),
            summary: "The evening ferry leaves at 18:55.".into(),
            diff: vec![difference],
            before_hash: Some("sha256:0d1f…".into()),
            after_hash: Some("sha256:5a7e…".into()),
            previous_look_at: Some("2026-11-19T12:00:09.000Z".into()),
            explanation: Some(MonitorChangeExplanation {
                state: EnumParam(ModelTaskState::Ready),
                sentence: Some("The evening ferry leaves ten minutes later.".into()),
                relevant: Some(true),
                withheld: false,
                reason: None,
                model: Some("llama3.2".into()),
                finished_at: Some("2026-11-20T12:00:14.000Z".into()),
            }),
        }
    }
}

impl Example for MonitorChangeList {
    fn example() -> Self {
        Self { changes: vec![MonitorChange::example()], next_cursor: None }
    }
}

impl Example for MonitorPreview {
    fn example() -> Self {
        let block = |anchor, kind, text: &str| PreviewBlock {
            anchor,
            kind: EnumParam(kind),
            text: text.into(),
            unwatched: None,
        };
        Self {
            title: Some("Ferry timetable".into()),
            blocks: Some(vec![
                block(1, Kind::Heading, "Ferry timetable"),
                block(2, Kind::Paragraph, "The evening ferry leaves at 18:45."),
            ]),
            urls: None,
            items: None,
            total: 2,
            warnings: Vec::new(),
            readings: Vec::new(),
            matches: Vec::new(),
            triggered: None,
            steps: Vec::new(),
        }
    }
}

impl Example for ReconsideredList {
    fn example() -> Self {
        let change = MonitorChange::example();
        let change = ReconsideredChange {
            id: change.id,
            detected_at: change.detected_at,
            title: change.title,
            remains: Some(true),
            differences: 1,
        };
        Self { changes: vec![change], remaining: 1, dropped: 0, unknown: 0, new: Vec::new() }
    }
}
