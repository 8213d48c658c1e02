//! Selects the descriptions of functions and classes in generated documentation. The classifier scores single
//! units and confuses signatures, and the names of parameters, with labels of the page.

use super::units::{Unit, Units, units_in};
use crate::{
    html::boilerplate::is_boilerplate,
    page::{Id, Page},
};

/// Class names of the description of a member, with the class name of the signature in it.
const MEMBERS: [(&str, &str); 9] = [
    // Javadoc.
    ("detail", "member-signature"),
    ("class-description", "type-signature"),
    ("blockList", "methodSignature"),
    ("summary-table", "table-header"),
    // ExDoc.
    ("detail", "signature"),
    // Doxygen.
    ("memitem", "memproto"),
    // YARD.
    ("method_details", "signature"),
    // TypeDoc.
    ("tsd-member", "tsd-signature"),
    // phpDocumentor.
    ("phpdocumentor-element", "phpdocumentor-signature"),
];
/// Maximum number of nodes before the end of a signature.
const MAX_SIGNATURE_NODES: usize = 64;

/// Selects each description of a member as a whole, without its controls.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let mut id: Id = 1;
    while id < page.len() {
        if !is_member(page, id)
            || page.ancestors(id).any(|above| matches!(page.tag(above), "nav" | "aside" | "footer"))
        {
            id += 1;
            continue;
        }
        for unit in units_in(page, units, id) {
            selected[unit] |= !is_control(page, &units[unit], id);
        }
        id = page.subtree(id).end;
    }
}

fn is_member(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| {
        MEMBERS.iter().any(|(member, signature)| {
            *member == class
                && page
                    .descendants(id)
                    .take(MAX_SIGNATURE_NODES)
                    .any(|inner| page.has_class(inner, signature))
        })
    })
}

/// True if a unit is a control of the member, such as a link to its source.
fn is_control(page: &Page, unit: &Unit, member: Id) -> bool {
    page.self_and_ancestors(unit.container)
        .take_while(|&above| above != member)
        .any(|above| page.is(above, "button") || is_boilerplate(page, above))
}

#[cfg(test)]
mod tests {
    use crate::{html::read, render};

    fn reading(body: &str) -> String {
        let markup = format!(
            "<!doctype html><html lang=en><head><title>The lamp</title></head><body><header><nav><a href=/>Home</a></nav></header>\
             <main><h1>The lamp</h1><p>The lighthouse keeper counted the ships before dawn and noted each of them in the long green \
             ledger by the window. A storm had taken the northern buoy, so two boats waited beyond the reef.</p>{body}<p>In the \
             afternoon the mail arrived with a letter from the harbour office, which asked for the figures of the month.</p></main>\
             <footer>© Example</footer></body></html>"
        );
        render::markdown(&read(&markup, Some("https://example.com/d/x")).unwrap().blocks)
    }

    #[test]
    fn members_of_generated_documentation_are_selected_completely() {
        for body in [
            "<section class=detail><h3>open</h3><div class=member-signature><span>public</span>&nbsp;<span>void</span>&nbsp;open(<a href=/s>String</a>&nbsp;path)</div>\
             <div class=block>Opens it.</div><dl class=notes><dt>Parameters:</dt><dd><code>path</code> - the path</dd><dt>Throws:</dt><dd><a href=/e><code>IOException</code></a></dd></dl></section>",
            "<h2>Method Summary</h2><div class='summary-table three-column-summary'><div class='table-header col-first'>Type</div><div class='table-header \
             col-second'>Method</div><div class=col-first><code>public void</code></div><div class=col-second><code><a href='#open()'>open</a>(String path)</code></div>\
             <div class=col-last><div class=block>Opens it. Parameters: path. Throws IOException.</div></div></div>",
            "<ul class=blockList><li class=blockList><h4>open</h4><pre class=methodSignature>public&nbsp;void&nbsp;open(<a href=/s>String</a>&nbsp;path)</pre>\
             <div class=block>Opens it.</div><dl><dt><span>Parameters:</span></dt><dd><code>path</code> - the path</dd><dt>Throws:</dt><dd><code>IOException</code></dd></dl></li></ul>",
            "<div class=memitem><div class=memproto><table class=memname><tr><td>public void open</td><td>(</td><td>String path</td><td>)</td></tr></table></div>\
             <div class=memdoc><p>Opens it.</p><dl class=params><dt>Parameters:</dt><dd><table><tr><td><code>path</code></td><td>the path</td></tr></table></dd></dl>Throws: IOException</div></div>",
            "<div class=method_details><h3 class=signature id=open>public void open(String path)</h3><div class=docstring><p>Opens it.</p></div>\
             <div class=tags><p>Parameters:</p><ul><li><code>path</code> <span>(String)</span> the path</li></ul><p>Throws: IOException</p></div></div>",
            "<section class='tsd-panel tsd-member'><h3>open</h3><ul class=tsd-signatures><li class=tsd-signature>public void open(path: String)</li>\
             <li><p>Opens it.</p><h4>Parameters:</h4><ul><li>path: String</li></ul><p>Throws: IOException</p></li></ul></section>",
        ] {
            let markdown = reading(body);
            for words in ["public void", "open", "Opens it.", "Parameters:", "path", "Throws", "IOException"]
            {
                assert!(markdown.contains(words), "{words}: {markdown}");
            }
        }
    }

    #[test]
    fn controls_and_other_details_are_not_selected() {
        let markdown = reading(
            "<section class=detail><h3>open</h3><div class=member-signature>void open()</div><button>Copy</button><nav><a href=/src>Source</a></nav></section>\
             <aside><section class=detail><div class=member-signature>void close()</div></section></aside>",
        );
        assert!(markdown.contains("void open()"), "{markdown}");
        assert!(["Copy", "Source", "close"].iter().all(|words| !markdown.contains(words)), "{markdown}");
    }
}
