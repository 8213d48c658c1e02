//! Connections of agents: the sets of tools that they loaded, the resources that they subscribed to, their daily limits, and the log of their calls.

mod activity;
mod approvals;
mod connection;
mod daily_limit;
mod subscriptions;
mod toolsets;

pub use activity::{
    AgentCall, CallRecord, calls, calls_between, delete_expired, failed_calls, find_call, record,
    record_undone,
};
pub(crate) use approvals::inherit_approval_rules;
pub use approvals::{
    APPROVABLE_TOOLS, ApprovalDecision, ApprovalRequest, OPERATIONS, PendingApproval, UsedApproval,
    approval_rules, decide, needs_approval, pending_approvals, return_approval, set_approval_rules,
    use_approval,
};
pub use connection::ConnectionName;
pub(crate) use daily_limit::inherit_daily_limit;
pub use daily_limit::{MAX_CALLS_PER_DAY, count_call, daily_limits, set_daily_limit};
pub use subscriptions::{MAX_SUBSCRIPTIONS, subscribe, subscriptions, unsubscribe};
pub use toolsets::{load_toolset, loaded_toolsets};
