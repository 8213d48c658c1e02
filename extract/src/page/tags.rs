//! Names of elements.

/// True for tags of inline elements.
pub(crate) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "acronym"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "label"
            | "mark"
            | "nobr"
            | "q"
            | "rb"
            | "rp"
            | "rt"
            | "rtc"
            | "ruby"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
            | "img"
            | "math"
            | "svg"
            | "mi"
            | "mo"
            | "mn"
            | "mrow"
            | "semantics"
            | "annotation"
    )
}

/// True for elements that are parts of formulas.
pub(super) fn is_formula_part(tag: &str) -> bool {
    match tag.as_bytes().first() {
        Some(b'm') => {
            tag.starts_with("mjx-")
                || matches!(
                    tag,
                    "ms" | "mtext"
                        | "mspace"
                        | "mfrac"
                        | "msqrt"
                        | "mroot"
                        | "msub"
                        | "msup"
                        | "msubsup"
                        | "munder"
                        | "mover"
                        | "munderover"
                        | "mmultiscripts"
                        | "mprescripts"
                        | "mstyle"
                        | "mpadded"
                        | "mphantom"
                        | "menclose"
                        | "mfenced"
                        | "merror"
                        | "maction"
                        | "mtable"
                        | "mtr"
                        | "mlabeledtr"
                        | "mtd"
                        | "mglyph"
                )
        }
        Some(b'a') => tag == "annotation-xml",
        Some(b'd') => tag == "d-math",
        _ => false,
    }
}

/// True for elements that HTML does not define.
pub(super) fn is_undefined(tag: &str) -> bool {
    tag.contains('-') && !tag.starts_with("mjx-") && !tag.starts_with("font-")
        || !is_inline(tag) && !is_formula_part(tag) && !is_block(tag) && !tag.starts_with('#')
}

/// True for HTML elements that are not inline, have no text, or are drawings.
fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "address" | "area" | "article" | "aside" | "audio" | "base" | "blockquote" | "body" | "br" | "button"
            | "canvas" | "caption" | "center" | "col" | "colgroup" | "datalist" | "dd" | "details" | "dialog"
            | "dir" | "div" | "dl" | "dt" | "embed" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
            | "frame" | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "header" | "hgroup"
            | "hr" | "html" | "iframe" | "input" | "legend" | "li" | "link" | "main" | "map" | "marquee"
            | "menu" | "meta" | "meter" | "nav" | "noframes" | "noscript" | "object" | "ol" | "optgroup"
            | "option" | "output" | "p" | "param" | "picture" | "pre" | "progress" | "script" | "search"
            | "section" | "select" | "slot" | "source" | "style" | "summary" | "table" | "tbody" | "td"
            | "template" | "textarea" | "tfoot" | "th" | "thead" | "title" | "tr" | "track" | "ul" | "video"
            // Elements of drawings.
            | "circle" | "defs" | "desc" | "ellipse" | "g" | "line" | "mask" | "path" | "polygon" | "polyline"
            | "rect" | "stop" | "symbol" | "text" | "tspan" | "use"
    )
}
