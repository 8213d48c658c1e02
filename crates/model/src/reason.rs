//! Descriptions of the error codes of failed requests to the language model.

use kernel::Code;

/// Describes the reason for a failed request.
pub fn reason_words(code: Option<&str>) -> &'static str {
    match Code::from_stored(code.unwrap_or_default()) {
        Code::SourceRateLimited => "the language model is busy",
        Code::SourceUnreachable | Code::SourceTimeout | Code::SourceError | Code::ServiceUnavailable => {
            "the language model did not respond"
        }
        Code::SourceNotFound => "the server has no such language model",
        Code::SourceForbidden => {
            "the server of the language model refused the request; its operator should check the key"
        }
        Code::SourceInvalidResponse | Code::ContentTooLarge => {
            "the response of the language model could not be used"
        }
        Code::OwnerRequired => "the language model was switched off",
        Code::Cancelled => "the request was cancelled",
        Code::RateLimited => "all requests for today are used up",
        Code::PlanRequired => "the plan does not include the language model",
        Code::CapacityExhausted => "too many requests were waiting",
        _ => "the text could not be read",
    }
}
