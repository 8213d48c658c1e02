//! Detects the media types of images, audio and video from their first bytes.

/// Media type of an image, audio or video file, from its first bytes. `None` for other files.
pub(crate) fn media(head: &[u8]) -> Option<&'static str> {
    let prefixes: [(&[u8], &str); 11] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"ID3", "audio/mpeg"),
        (b"\xff\xfb", "audio/mpeg"),
        (b"\xff\xf3", "audio/mpeg"),
        (b"OggS", "audio/ogg"),
        (b"fLaC", "audio/flac"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
        (b"FLV\x01", "video/x-flv"),
    ];
    if let Some((_, media_type)) = prefixes.iter().find(|(prefix, _)| head.starts_with(prefix)) {
        return Some(media_type);
    }
    match (head.get(..4)?, head.get(4..8)?, head.get(8..12)?) {
        (b"RIFF", _, b"WEBP") => Some("image/webp"),
        (b"RIFF", _, b"WAVE") => Some("audio/wav"),
        (b"RIFF", _, b"AVI ") => Some("video/x-msvideo"),
        (_, b"ftyp", b"avif" | b"avis") => Some("image/avif"),
        (_, b"ftyp", b"heic" | b"heix" | b"mif1") => Some("image/heic"),
        (_, b"ftyp", b"M4A " | b"M4B ") => Some("audio/mp4"),
        (_, b"ftyp", b"qt  ") => Some("video/quicktime"),
        (_, b"ftyp", _) => Some("video/mp4"),
        _ => None,
    }
}
