//! All operations of the reader.

use super::batch::BatchApi;
use super::jobs::JobsApi;
use super::prefix::PrefixApi;
use super::read::ReadApi;
use super::sandbox::SandboxApi;
use super::verify::VerifyApi;

/// Operations in the order of the API description.
pub(super) const OPERATIONS: (ReadApi, BatchApi, JobsApi, VerifyApi, PrefixApi, SandboxApi) =
    (ReadApi, BatchApi, JobsApi, VerifyApi, PrefixApi, SandboxApi);
