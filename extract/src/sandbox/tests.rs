//! Request frames, and start errors of the pool.

use super::*;

#[test]
fn framed_request_round_trips() {
    let input = Input { bytes: b"\0body".to_vec(), content_type: Some("text/html".into()), url: None };
    let (mut bytes, body) = frame::ChildRequest::Page(input.clone()).parts();
    bytes.extend(body);
    assert!(
        matches!(frame::ChildRequest::parse(bytes), Some(frame::ChildRequest::Page(read)) if read == input)
    );
}

#[test]
fn framed_picture_round_trips() {
    let url = "https://example.org/a.png".to_owned();
    let input = PictureInput { bytes: b"\0bytes".to_vec(), url, max_width: 480 };
    let request = frame::ChildRequest::SmallerPicture(input.clone());
    assert_eq!((request.site().as_str(), request.has_many_pixels()), ("example.org", false));
    let (mut bytes, body) = request.parts();
    bytes.extend(body);
    assert!(
        matches!(frame::ChildRequest::parse(bytes), Some(frame::ChildRequest::SmallerPicture(read)) if read == input)
    );
}

#[test]
fn child_with_a_picture_of_many_pixels_is_replaced() {
    let sides = [3_000_u32.to_be_bytes(), 2_000_u32.to_be_bytes()].concat();
    let bytes = [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &sides, b"\x08\x06\0\0\0"].concat();
    let input = PictureInput { bytes, url: String::new(), max_width: 480 };
    assert!(frame::ChildRequest::SmallerPicture(input).has_many_pixels());
}

#[test]
fn broken_header_is_not_a_request() {
    assert!(frame::ChildRequest::parse(vec![1, 2]).is_none());
    assert!(frame::ChildRequest::parse(vec![255, 255, 255, 255, 0]).is_none());
    assert!(frame::ChildRequest::parse(vec![2, 0, 0, 0, b'{', b'x']).is_none());
}

#[test]
fn idle_children_are_stopped_only_if_no_permit_is_left() {
    let usage = |busy| SandboxUsage { max: 3, busy, waiting: 0 };
    assert_eq!((surplus(2, usage(1)), surplus(0, usage(3))), (0, 0));
    assert_eq!((surplus(3, usage(1)), surplus(2, usage(3))), (1, 2));
}

#[test]
fn single_child_reads_all_pages_at_one_priority() {
    let pool =
        |workers| Pool::new(PoolSettings { workers, ..PoolSettings::new("/bin/false".into(), Vec::new()) });
    assert_eq!(pool(1).child_pace(Pace::Background), Pace::Interactive);
    assert_eq!(pool(2).child_pace(Pace::Background), Pace::Background);
}

#[test]
fn background_work_has_twice_the_page_timeout() {
    let settings = PoolSettings::new("/bin/false".into(), Vec::new());
    assert_eq!(settings.time_limit(Pace::Interactive), Duration::from_secs(10));
    assert_eq!(settings.time_limit(Pace::Background), Duration::from_secs(20));
}

#[tokio::test]
async fn missing_program_fails_with_a_spawn_error() {
    let pool = Pool::new(PoolSettings::new("/nonexistent/program".into(), Vec::new()));
    let input = Input { bytes: Vec::new(), content_type: None, url: None };
    assert!(matches!(pool.extract(input).await, Err(SandboxError::Spawn(_))));
}
