//! Account pages: sign-up, sign-in, sign-out, keys, connected apps and the consent page, plan and usage,
//! password, deletion, teams, and monitors.

mod address_check;
mod agent_activity;
mod apps;
mod authorize;
mod channels;
mod email_change;
mod inbox;
mod inbox_message;
mod keys;
mod link_form;
mod model;
mod model_tags;
mod monitors;
mod oidc;
mod owner_proof;
mod passkeys;
mod password_reset;
mod plan;
mod recent_access;
mod routes;
mod second_factor;
mod sessions;
mod settings;
mod sign_in;
mod sign_in_choice;
mod sign_in_code;
mod team;
mod teams;

pub(super) use routes::routes;
