//! Fixture pages as current frameworks generate them, and misbehaving pages.

use std::time::Duration;

use browser::{
    Captures, PageRendering, PageStep, PartLimits, RenderError, RenderRequest, ScreenshotArea, StepKey,
    StepKind,
};
use fetch::PageLimits;
use futures_util::{StreamExt, stream};
use tokio::time::Instant;

use super::site::Site;
use super::{limited_renderer, renderer, request};

/// Pages whose text must be rendered.
const READABLE: [&str; 24] = [
    "react", "vue", "svelte", "next_server", "next_client", "angular", "lit", "htmx", "infinite_scroll",
    "hydration", "delayed_fetch", "frame", "consent", "dialog", "big_script", "script_redirect",
    "document_write", "web_socket", "indexed_db", "service_worker", "history", "lazy_pictures", "print_only",
    "error_page",
];

/// Number of pages that the renderer loads at the same time by default.
const CONCURRENT_PAGES: usize = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fixture_pages_are_rendered_with_their_text() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let fault = async |name: &str| {
        let began = Instant::now();
        let rendered = renderer.render(&request(site.url(&format!("/pages/{name}")))).await;
        eprintln!("{name}: {:.1} s", began.elapsed().as_secs_f32());
        match rendered {
            Ok(page)
                if page.html.contains(&format!("Carrel fixture {name}: the harbour")) && !page.is_cut =>
            {
                None
            }
            other => Some(format!("{name}: {other:?}")),
        }
    };
    let faults: Vec<Option<String>> =
        stream::iter(READABLE).map(fault).buffer_unordered(CONCURRENT_PAGES).collect().await;
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    renderer.shutdown().await;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rendered_page_has_final_url_status_and_no_scripts() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let page =
        async |name: &str| renderer.render(&request(site.url(&format!("/pages/{name}")))).await.unwrap();
    let PageRendering { url, status, html, .. } = page("history").await;
    assert_eq!((url.path(), status), ("/pages/history/article/7", 200));
    assert!(!html.contains("<script") && html.starts_with("<!doctype html><html lang=\"en\">"), "{html}");
    assert_eq!(page("script_redirect").await.url.path(), "/pages/script_redirect_target");
    assert_eq!(page("error_page").await.status, 404);
    let frame = page("frame").await.html;
    assert!(frame.contains(&format!("href=\"{}\"", site.url("/pages/inner/link"))), "{frame}");
    let lit = page("lit").await.html;
    let (title, text) = (lit.find("Lit title").unwrap(), lit.find("Carrel fixture lit").unwrap());
    assert!(title < text, "{lit}");
    assert!(!page("canvas").await.html.contains("harbour"));
    let head = site.heads().into_iter().find(|head| head.contains("/pages/lit")).unwrap();
    assert!(head.contains("User-Agent: CarrelBot/") && head.contains("CarrelRenderer/1"), "{head}");
    assert!(!site.heads().iter().any(|head| head.contains("/picture.png")), "pictures are not loaded");
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_does_not_wait_for_the_pages_of_a_busy_caller() {
    let text = "Text before the script. ".repeat(20);
    let page = move |path: &str| match path {
        "/page" => Some(format!("<p>{text}</p>")),
        "/spin" => Some(format!("<p>{text}</p><script>setTimeout(() => {{ for (;;) {{}} }}, 100)</script>")),
        _ => None,
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let of = |caller: &str, path: &str| RenderRequest {
        caller: Some(caller.to_owned()),
        ..request(site.url(path))
    };
    let (first, second, other) = (of("busy", "/spin?1"), of("busy", "/spin?2"), of("other", "/page"));
    tokio::select! {
        // The pages of the busy caller are requested first.
        biased;
        busy = async { tokio::join!(renderer.render(&first), renderer.render(&second)) } => {
            panic!("the pages of the busy caller ended first: {busy:?}")
        }
        page = renderer.render(&other) => assert!(page.unwrap().html.contains("Text before the script.")),
    }
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_whose_traffic_exceeds_a_limit_is_cut() {
    let text = "Text before the script. ".repeat(20);
    let page = move |path: &str| {
        (path == "/page").then(|| format!("<p>{text}</p><script src=\"/big.js\"></script>"))
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let limits = PageLimits { max_bytes: 100_000, ..PageLimits::default() };
    let Some(renderer) = limited_renderer(&[site.port], limits).await else { return };
    let page = renderer.render(&request(site.url("/page"))).await.unwrap();
    assert!(page.is_cut && page.html.contains("Text before the script."), "{page:?}");
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_that_sets_a_huge_url_is_reported_with_the_url_of_its_response() {
    let page = |path: &str| {
        let script = "history.pushState(null, '', '/' + 'x'.repeat(100000))";
        (path == "/page").then(|| format!("<p>{}</p><script>{script}</script>", "Text. ".repeat(80)))
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let page = renderer.render(&request(site.url("/page"))).await.unwrap();
    assert_eq!(page.url.as_str(), site.url("/page"));
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn document_excluded_by_robots_txt_is_refused_even_after_a_script_redirect() {
    let page = |path: &str| match path {
        "/leads" => Some("<script>location.href='/closed/page'</script>".to_owned()),
        "/closed/page" => Some("secret".to_owned()),
        _ => None,
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    for path in ["/closed/page", "/leads"] {
        let refused = renderer.render(&request(site.url(path))).await;
        assert_eq!(refused, Err(RenderError::Refused(fetch::Error::RobotsDisallowed)), "{path}");
    }
    assert!(!site.heads().iter().any(|head| head.contains("GET /closed")));
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn misbehaving_page_is_stopped_soon_after_its_deadline_and_the_next_page_is_rendered() {
    let pages = |path: &str| {
        let script = match path {
            "/never_quiet" => "setInterval(()=>{fetch('/api/slow');document.body.append('x'.repeat(50))},50)",
            "/memory" => {
                "const kept=[];const eat=()=>{for(let i=0;i<20;i++)kept.push(new Uint8Array(16e6).fill(7));setTimeout(eat,1)};eat()"
            }
            "/spin" => "for(;;){}",
            "/windows" => "document.body.append('opened');for(let i=0;i<1000;i++){open('/pages/vue','w'+i)}",
            "/frames" => {
                "for(let i=0;i<500;i++){document.body.append(document.createElement('iframe'));document.querySelectorAll('iframe')[i].src='/api/text?name=f'+i}"
            }
            "/print" => "document.body.append('printed');for(let i=0;i<50;i++)print()",
            "/camera" => {
                "navigator.mediaDevices?.getUserMedia({video:true}).catch(()=>0);Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>0);document.body.append('camera')"
            }
            "/download_page" => "document.body.append('text');location.href='/download'",
            "/reloads" => "document.body.append('again');setTimeout(()=>location.reload(),300)",
            "/dialogs" => "setInterval(()=>alert(1),1);document.body.append('dialogs')",
            _ => return None,
        };
        Some(format!("<!doctype html><body><p>Text before the script.</p><script>{script}</script></body>"))
    };
    let site = Site::start("127.0.0.1:0", pages).await;
    let fixtures = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port, fixtures.port]).await else { return };
    let stop = async |path: &str| {
        let began = Instant::now();
        let request = RenderRequest { deadline: Duration::from_secs(10), ..request(site.url(path)) };
        let outcome = renderer.render(&request).await;
        let took = began.elapsed();
        let outcome = outcome.map(|page| (page.html.contains("Text before the script."), page.is_cut));
        eprintln!("{path}: {:.1} s, {outcome:?}", took.as_secs_f32());
        assert!(took < Duration::from_mins(1), "{path}: {took:?}");
    };
    let paths = [
        "/never_quiet", "/memory", "/spin", "/windows", "/frames", "/print", "/camera", "/download_page",
        "/reloads", "/dialogs", "/download",
    ];
    stream::iter(paths).map(stop).buffer_unordered(CONCURRENT_PAGES).collect::<()>().await;
    let page = renderer.render(&request(fixtures.url("/pages/vue"))).await.unwrap();
    assert!(page.html.contains("Carrel fixture vue"));
    let after = renderer.render(&request(site.url("/print"))).await.unwrap();
    assert!(after.html.contains("printed"));
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captured_page_has_a_screenshot_and_a_pdf_and_loads_pictures() {
    let site = Site::fixtures().await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let captures = Captures { screenshot: true, pdf: true, page: false };
    let request = RenderRequest { captures, ..request(site.url("/pages/lazy_pictures")) };
    let page = renderer.render(&request).await.unwrap();
    assert!(!page.captured.is_screenshot_cut);
    let (screenshot, pdf) = (page.captured.screenshot.unwrap(), page.captured.pdf.unwrap());
    assert!(screenshot.starts_with(b"\x89PNG") && screenshot.len() > 2_000, "{}", screenshot.len());
    // The height in the header of the file: the page is longer than the window.
    assert!(u32::from_be_bytes(screenshot[20..24].try_into().unwrap()) > 2_000);
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 1_000, "{}", pdf.len());
    assert!(site.heads().iter().any(|head| head.contains("/picture.png")));
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captured_page_has_its_styles_shadow_roots_frames_and_files() {
    let site = Site::start("127.0.0.1:0", |path| {
        let page = "<base href=/sub/><style>h1{color:red}</style><link rel=stylesheet href=/style.css>\
            <script>document.styleSheets[0].insertRule('h2{color:blue}')</script><h1 onclick=go()>Harbour</h1>\
            <iframe src=/frame></iframe><div id=host>light</div><img src=/picture.svg srcset='/other.svg 9x'><img src=/moved.svg>\
            <script>const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<i>shadow</i><slot></slot>';\
            const sheet = new CSSStyleSheet(); sheet.replaceSync('i{color:green}'); root.adoptedStyleSheets = [sheet]</script>";
        match path {
            "/page" => Some(format!("<!doctype html>{page}<p>{}</p>", "Text. ".repeat(80))),
            "/style.css" => Some("p{color:gray}".to_owned()),
            "/picture.svg" => Some("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".to_owned()),
            "/moved.svg" => Some("/target.svg".to_owned()),
            "/target.svg" => Some("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>".to_owned()),
            "/frame" => Some("<style>p{color:pink}</style><p>In the frame".to_owned()),
            _ => None,
        }
    })
    .await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let captures = Captures { page: true, ..Captures::default() };
    let request = RenderRequest { captures, ..request(site.url("/page")) };
    let page = renderer.render(&request).await.unwrap().captured.page.unwrap();
    renderer.shutdown().await;
    assert_eq!(page.base_url, site.url("/sub/"));
    for part in [
        "<style>h2 { color: blue; }\nh1 { color: red; }</style>",
        "<div id=\"host\"><template shadowrootmode=\"open\"><i>shadow</i><slot></slot>\
         <style>i { color: green; }</style></template>light</div>",
        "<style>p { color: pink; }</style><p>In the frame</p></template>",
        format!("data-carrel-base=\"{}\"", site.url("/frame")).as_str(),
        format!("<img src=\"{}\">", site.url("/picture.svg")).as_str(),
    ] {
        assert!(page.html.contains(part), "{part}: {}", page.html);
    }
    assert!(!page.html.contains("<script") && !page.html.contains("onclick"), "{}", page.html);
    let file = |path: &str| page.files.iter().find(|file| file.url == site.url(path)).unwrap();
    assert!(
        file("/picture.svg").bytes.starts_with(b"<svg") && file("/picture.svg").media_type == "image/svg+xml"
    );
    assert_eq!(file("/style.css").bytes, b"p{color:gray}");
    assert!(file("/moved.svg").bytes.ends_with(b"width='8' height='8'/>"));
    assert_eq!(file("/moved.svg").final_url, site.url("/target.svg"));
    assert!(!page.is_cut);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn screenshot_of_a_very_tall_page_shows_its_beginning_and_is_marked_as_cut() {
    let page = |path: &str| {
        (path == "/page")
            .then(|| format!("<p>{}</p><div style=\"height:20000px\"></div>", "Text. ".repeat(80)))
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let captures = Captures { screenshot: true, ..Captures::default() };
    let request = RenderRequest { captures, ..request(site.url("/page")) };
    let page = renderer.render(&request).await.unwrap();
    let screenshot = page.captured.screenshot.unwrap();
    assert_eq!(u32::from_be_bytes(screenshot[20..24].try_into().unwrap()), browser::MAX_SCREENSHOT_HEIGHT);
    assert!(page.captured.is_screenshot_cut && !page.is_cut);
    renderer.shutdown().await;
}

/// Page whose text depends on its steps. The second part appears after a while.
const STEPS_PAGE: &str = "<!doctype html><html lang=en><head><title>Steps</title></head><body><main><h1>Harbour</h1>\
    <p>The harbour wall was repaired in autumn and the boats came back before the first storm of the year.</p>\
    <select id=sort><option value=1>Ferry<option value=2>Sail boat</select><input id=query><input id=code type=password><input id=upload type=file><form id=clobbered><input name=click></form>\
    <a id=away href=\"http://127.0.0.1:8099/\">Away</a><button id=search>Search</button><div id=list></div></main><script>\
    const query = document.getElementById('query');\
    document.getElementById('search').onclick = () => setTimeout(() => {\
      document.getElementById('list').innerHTML = '<p id=result>Boats for ' + query.value + ' of sort ' + document.getElementById('sort').value + '</p>'; }, 400);\
    </script></body></html>";

fn step(kind: StepKind, selector: &str, text: Option<&str>) -> PageStep {
    PageStep { text: text.map(str::to_owned), ..PageStep::on(kind, selector) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_is_not_typed_into_a_page_of_another_origin() {
    let other = Site::start("127.0.0.1:0", |_| Some(STEPS_PAGE.to_owned())).await;
    let link = format!(
        "<!doctype html><p>The sign-in page is on another site.<p><a id=leave href=\"{}\">Sign in</a>",
        other.url("/steps")
    );
    let site = Site::start("127.0.0.1:0", move |_| Some(link.clone())).await;
    let Some(renderer) = renderer(&[site.port, other.port]).await else { return };
    let secret = PageStep { secret: true, ..step(StepKind::Type, "#code", Some("oil lamp")) };
    let steps = vec![step(StepKind::Click, "#leave", None), secret];
    match renderer.render(&RenderRequest { steps, ..request(site.url("/")) }).await {
        Err(RenderError::Step { step, reason }) => {
            assert!(step == "step 2" && reason.contains("another origin"), "{step}: {reason}");
        }
        typed => panic!("{typed:?}"),
    }
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_are_performed_before_the_document_is_read() {
    let site = Site::start("127.0.0.1:0", |_| Some(STEPS_PAGE.to_owned())).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let with_steps = |steps: Vec<PageStep>, wait_for: Option<&str>| RenderRequest {
        steps,
        wait_for: wait_for.map(str::to_owned),
        ..request(site.url("/steps"))
    };
    let search = || {
        vec![
            step(StepKind::Type, "#query", Some("Ada & 'Bob'")),
            step(StepKind::Type, "#sort", Some("Sail boat")),
            step(StepKind::Click, "#search", None),
            step(StepKind::Wait, "#result", None),
            step(StepKind::Scroll, "#result", None),
        ]
    };
    let page = renderer.render(&with_steps(search(), Some("#query"))).await.unwrap();
    assert!(page.html.contains("Boats for Ada &amp; 'Bob' of sort 2"), "{}", page.html);
    let fault = async |request: RenderRequest| match renderer.render(&request).await {
        Err(RenderError::Step { step, reason }) => (step, reason),
        other => panic!("{other:?}"),
    };
    let (name, reason) = fault(with_steps(vec![step(StepKind::Type, "#code", Some("1234"))], None)).await;
    assert_eq!(name, "step 1");
    assert!(reason.contains("secrets"), "{reason}");
    let secret = |selector, text| PageStep { secret: true, ..step(StepKind::Type, selector, text) };
    let signed_in = vec![
        secret("#code", Some("oil & lamp")),
        secret("#query", Some("oil & lamp")),
        step(StepKind::Click, "#search", None),
        step(StepKind::Wait, "#result", None),
    ];
    let page = renderer.render(&with_steps(signed_in, None)).await.unwrap();
    assert!(page.html.contains("Boats for •••") && !page.html.contains("oil"), "{}", page.html);
    let (_, reason) = fault(with_steps(vec![secret("#code", None)], None)).await;
    assert_eq!(reason, "its secret is not set");
    let (_, reason) = fault(with_steps(vec![step(StepKind::Type, "#upload", Some("1234"))], None)).await;
    assert_eq!(reason, "the element accepts no text");
    let named = vec![step(StepKind::Click, "#clobbered", None), step(StepKind::Scroll, "#query", None)];
    assert!(renderer.render(&with_steps(named, None)).await.is_ok(), "a field may have the name of a method");
    let away = with_steps(vec![step(StepKind::Click, "#away", None)], None);
    assert!(
        matches!(renderer.render(&away).await, Err(RenderError::Refused(_))),
        "a refused page is not left out"
    );
    let long = PageStep { wait_ms: Some(40_000), ..PageStep::new(StepKind::Wait) };
    let slow = with_steps(vec![step(StepKind::Click, "#search", None), long], None);
    let (name, reason) = fault(RenderRequest { deadline: Duration::from_secs(30), ..slow }).await;
    assert_eq!((name.as_str(), reason.as_str()), ("step 2", "the time for the page is over"));
    let (name, reason) = fault(with_steps(vec![step(StepKind::Click, "#absent", None)], None)).await;
    assert_eq!((name.as_str(), reason.as_str()), ("step 1", "the page has no such element"));
    let (name, reason) = fault(with_steps(Vec::new(), Some("##"))).await;
    assert_eq!((name.as_str(), reason.as_str()), ("waitFor", "the selector is not valid CSS"));
    renderer.shutdown().await;
}

/// Page whose text depends on keys, boxes, and the pointer, with an endless list, an advertisement, and a spinner that
/// disappears.
const CONTROLS_PAGE: &str = "<!doctype html><html lang=en><head><title>Controls</title></head><body><main><h1>Harbour</h1>\
    <p>The harbour wall was repaired in autumn and the boats came back before the first storm of the year.</p>\
    <form id=form><input id=query></form><select id=sort><option value=1>Ferry<option value=2>Sail boat</select>\
    <input type=checkbox id=terms><input type=checkbox id=news checked><input type=checkbox id=fixed disabled>\
    <span id=menu>Menu</span><div id=spinner>Loading</div><p class=advert>Buy a boat</p><p class=advert>Sell a boat</p>\
    <div id=out></div></main><a id=next href=/second>Next</a><script>\
    const out = document.getElementById('out');\
    const say = (text) => { const line = document.createElement('p'); line.textContent = text; out.append(line); };\
    form.onsubmit = (event) => { event.preventDefault(); say('Sent: ' + query.value); };\
    sort.onchange = () => say('Sorted by ' + sort.value);\
    terms.onclick = () => say('Terms: ' + terms.checked); news.onclick = () => say('News: ' + news.checked);\
    menu.onmouseenter = () => say('Menu opened'); menu.onmouseleave = () => say('Menu closed');\
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape') say('Escaped'); });\
    setTimeout(() => { spinner.style.display = 'none'; say('It has\\u00a0LOADED'); }, 1500);\
    </script></body></html>";

/// Returns the fault of a step: its name, and the reason.
fn fault_of(rendered: Result<PageRendering, RenderError>) -> (String, String) {
    match rendered {
        Err(RenderError::Step { step, reason }) => (step, reason),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn key_checkbox_pointer_and_wait_steps_act_on_the_page() {
    let site = Site::start("127.0.0.1:0", |path| (path == "/page").then(|| CONTROLS_PAGE.to_owned())).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let render = async |steps: Vec<PageStep>| {
        renderer.render(&RenderRequest { steps, ..request(site.url("/page")) }).await
    };
    let key = |key, selector: Option<&str>| PageStep {
        key: Some(key),
        selector: selector.map(str::to_owned),
        ..PageStep::new(StepKind::Press)
    };
    let text = |text: &str| PageStep { text: Some(text.to_owned()), ..PageStep::new(StepKind::WaitText) };
    let page = render(vec![
        step(StepKind::Type, "#query", Some("boats")),
        key(StepKey::Enter, Some("#query")),
        key(StepKey::Escape, None),
        step(StepKind::Select, "#sort", Some("Sail boat")),
        step(StepKind::Check, "#terms", None),
        step(StepKind::Uncheck, "#news", None),
        step(StepKind::WaitGone, "#spinner", None),
        text("has loaded"),
        step(StepKind::Remove, ".advert", None),
        step(StepKind::Hover, "#menu", None),
    ])
    .await
    .unwrap();
    for line in
        ["Sent: boats", "Escaped", "Sorted by 2", "Terms: true", "News: false", "It has", "Menu opened"]
    {
        assert!(page.html.contains(line), "{line}: {}", page.html);
    }
    assert!(!page.html.contains("a boat") && !page.html.contains("Menu closed"), "{}", page.html);
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    let repeated =
        render(vec![step(StepKind::Check, "#news", None), step(StepKind::Uncheck, "#terms", None)]);
    assert!(!repeated.await.unwrap().html.contains("News:"), "a box in this state is not clicked");
    for (step, expected) in [
        (step(StepKind::Check, "#fixed", None), "did not change"),
        (step(StepKind::Check, "#query", None), "cannot be ticked"),
        (step(StepKind::Select, "#query", Some("Ferry")), "no options"),
        (step(StepKind::Select, "#sort", Some("Rowing boat")), "no such option"),
        (step(StepKind::WaitGone, "#menu", None), "still displays"),
        (text("no such text"), "does not display the text"),
        (PageStep::new(StepKind::Back), "no previous page"),
    ] {
        let (name, reason) = fault_of(render(vec![step]).await);
        assert!(name == "step 1" && reason.contains(expected), "{name}: {reason}");
    }
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn optional_step_is_skipped_only_without_its_element() {
    let site = Site::start("127.0.0.1:0", |path| (path == "/page").then(|| CONTROLS_PAGE.to_owned())).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let optional = |kind, selector| PageStep { optional: true, ..step(kind, selector, None) };
    let steps = vec![optional(StepKind::Click, "#absent"), optional(StepKind::Click, "#terms")];
    let page = renderer.render(&RenderRequest { steps, ..request(site.url("/page")) }).await.unwrap();
    let warnings: Vec<String> = page.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["step_skipped:1"]);
    assert!(page.html.contains("Terms: true"), "{}", page.html);
    let steps = vec![optional(StepKind::Check, "#fixed")];
    fault_of(renderer.render(&RenderRequest { steps, ..request(site.url("/page")) }).await);
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_and_back_steps_navigate_within_the_site() {
    let elsewhere = Site::start("127.0.0.1:0", |_| Some(STEPS_PAGE.to_owned())).await;
    let second = "<p>The second page of the harbour, with the boats that returned before the storm.</p>";
    let site = Site::start("127.0.0.1:0", move |path| match path {
        "/page" => Some(CONTROLS_PAGE.to_owned()),
        "/second" | "/closed/page" => Some(second.to_owned()),
        _ => None,
    })
    .await;
    let Some(renderer) = renderer(&[site.port, elsewhere.port]).await else { return };
    let render = async |steps: Vec<PageStep>| {
        renderer.render(&RenderRequest { steps, ..request(site.url("/page")) }).await
    };
    let open = |url: &str| PageStep { url: Some(url.to_owned()), ..PageStep::new(StepKind::Open) };
    let page = render(vec![open("/second?from=page")]).await.unwrap();
    assert!(page.html.contains("The second page") && page.url.query() == Some("from=page"), "{page:?}");
    let back = || PageStep::new(StepKind::Back);
    let page = render(vec![step(StepKind::Click, "#next", None), back()]).await.unwrap();
    assert!(page.html.contains("The harbour wall") && page.url.path() == "/page", "{page:?}");
    let (name, reason) = fault_of(render(vec![open(&elsewhere.url("/steps"))]).await);
    assert!(name == "step 1" && reason.contains("another site"), "{name}: {reason}");
    fault_of(render(vec![open("file:///etc/passwd")]).await);
    let closed = render(vec![open("/closed/page")]).await;
    assert_eq!(closed, Err(RenderError::Refused(fetch::Error::RobotsDisallowed)));
    assert_eq!(elsewhere.hits(), 0);
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_list_is_scrolled_to_its_end_or_cut() {
    let list = |last: u32| {
        format!(
            "<!doctype html><main id=list><p>The harbour wall was repaired in autumn.</p></main><script>\
             let number = 0; const add = () => {{ for (let n = 0; n < 40 && number < {last}; n++) {{\
             const line = document.createElement('p'); line.textContent = 'Boat number ' + ++number; list.append(line); }} }};\
             add(); addEventListener('scroll', () => setTimeout(add, 100));</script>"
        )
    };
    let site = Site::start("127.0.0.1:0", move |path| match path {
        "/short" => Some(list(160)),
        "/endless" => Some(list(1_000_000)),
        _ => None,
    })
    .await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let render = async |path: &str| {
        let steps = vec![PageStep::new(StepKind::ScrollEnd)];
        renderer.render(&RenderRequest { steps, ..request(site.url(path)) }).await.unwrap()
    };
    let short = render("/short").await;
    assert!(short.html.contains("Boat number 160<") && short.warnings.is_empty(), "{:?}", short.warnings);
    let endless = render("/endless").await;
    let warnings: Vec<String> = endless.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["list_cut:1"]);
    renderer.shutdown().await;
}

/// Page with a notice whose buttons write their choice into the page.
fn notice_page(notice: &str) -> String {
    format!(
        "<!doctype html><html lang=en style=\"overflow:hidden\"><body><main><h1>Harbour</h1><p>The harbour wall was \
         repaired in autumn and the boats came back before the first storm of the year.</p><p id=chosen></p></main>\
         <script>function choose(word, id) {{ document.getElementById('chosen').textContent = 'Chosen: ' + word;\
         document.getElementById(id)?.remove(); }}</script>{notice}</body></html>"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_are_rejected_or_hidden_and_never_accepted() {
    let frame = Site::start("127.0.0.1:0", |_| {
        let button = "<button class=sp_choice_type_11 onclick=\"parent.postMessage('accepted', '*')\">Accept</button>\
            <button class=sp_choice_type_13 onclick=\"parent.postMessage('rejected', '*')\">Reject all</button>";
        Some(format!("<!doctype html><p>We value your privacy.</p>{button}"))
    })
    .await;
    let frame_url = frame.url("/index.html?message_id=7");
    let site = Site::start("127.0.0.1:0", move |path| {
        let notice = match path {
            "/onetrust" => "<div id=onetrust-consent-sdk><div id=onetrust-banner-sdk>We use cookies.\
                <button id=onetrust-accept-btn-handler onclick=\"choose('accepted', 'onetrust-consent-sdk')\">Accept</button>\
                <button id=onetrust-reject-all-handler onclick=\"choose('rejected', 'onetrust-consent-sdk')\">Reject</button></div></div>".to_owned(),
            "/cookiebot" => "<div id=CybotCookiebotDialog>We use cookies.\
                <button id=CybotCookiebotDialogBodyButtonAccept onclick=\"choose('accepted')\">Accept</button></div>".to_owned(),
            "/late" => "<div id=host></div><script>setTimeout(() => { host.attachShadow({ mode: 'open' }).innerHTML =\
                '<div id=wall>We use cookies.<button data-testid=uc-accept-all-button>Accept</button>' +\
                '<button data-testid=uc-deny-all-button>Deny</button></div>';\
                host.shadowRoot.querySelector('[data-testid=uc-deny-all-button]').onclick = () => choose('rejected', 'host');\
                }, 200)</script>".to_owned(),
            "/stuck" => "<div id=iubenda-cs-banner>We use cookies.<button class=iubenda-cs-reject-btn>Reject</button></div>".to_owned(),
            "/frame" => format!(
                "<div id=sp_message_container_1><iframe src=\"{frame_url}\" width=400 height=200></iframe></div>\
                 <script>addEventListener('message', (event) => choose(event.data, 'sp_message_container_1'))</script>"
            ),
            _ => return None,
        };
        Some(notice_page(&notice))
    })
    .await;
    let Some(renderer) = renderer(&[site.port, frame.port]).await else { return };
    for (path, warning, chosen) in [
        ("/onetrust", "cookie_notice_rejected:OneTrust", true),
        ("/cookiebot", "cookie_notice_hidden:Cookiebot", false),
        ("/late", "cookie_notice_rejected:Usercentrics", true),
        ("/stuck", "cookie_notice_rejected:Iubenda", false),
        ("/frame", "cookie_notice_rejected:Sourcepoint", true),
    ] {
        let request = RenderRequest { dismiss_cookie_notices: true, ..request(site.url(path)) };
        let page = renderer.render(&request).await.unwrap();
        let warnings: Vec<String> = page.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, [warning], "{path}");
        assert_eq!(page.html.contains("Chosen: rejected"), chosen, "{path}: {}", page.html);
        assert!(
            !page.html.contains("accepted") && !page.html.contains("We use cookies"),
            "{path}: {}",
            page.html
        );
    }
    let page = renderer.render(&request(site.url("/onetrust"))).await.unwrap();
    assert!(page.html.contains("We use cookies") && page.warnings.is_empty(), "only on request");
    renderer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn screenshot_of_an_element_has_the_size_of_the_element() {
    let page = "<!doctype html><title>Box</title><p>The harbour wall was repaired in autumn.</p>\
        <div id=box style=\"width:320px;height:700px;background:#036\"></div>\
        <div id=aside style=\"position:absolute;left:-40px;top:0;width:100px;height:50px;background:#036\"></div>";
    let site = Site::start("127.0.0.1:0", move |_| Some(page.to_owned())).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let of = |selector: &str, max_height| RenderRequest {
        captures: Captures { screenshot: true, ..Captures::default() },
        area: ScreenshotArea { selector: Some(selector.to_owned()), max_height },
        ..request(site.url("/box"))
    };
    let size = async |selector: &str, max_height| {
        let captured = renderer.render(&of(selector, max_height)).await.unwrap().captured;
        let png = captured.screenshot.unwrap();
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (side(16), side(20), captured.is_screenshot_cut)
    };
    assert_eq!(size("#box", 4_000).await, (320, 700, false));
    assert_eq!(size("#box", 500).await, (320, 500, true));
    assert_eq!(size("#aside", 500).await, (60, 50, false), "only its part on the page");
    assert_eq!(renderer.render(&of("#absent", 500)).await, Err(RenderError::Absent));
    renderer.shutdown().await;
}

/// Page with parts in its text, in a shadow root, and outside of the picture. One part has the attribute for numbers.
const PARTS_PAGE: &str = "<!doctype html><html lang=en><head><title>Boats</title></head><body style=\"margin:0\">\
    <main id=main><h1 style=\"height:40px\">Boats</h1><p data-carrel-part=99 class=price>12 EUR</p><p hidden>Hidden</p>\
    <form id=form><input name=getBoundingClientRect><input name=checkVisibility><b>Form text</b>\
    <button style=\"width:40px;height:30px\"></button></form><div id=host></div><div style=\"height:900px\"></div><p id=below>Below the picture</p></main>\
    <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<i>Shadow text</i>';</script></body></html>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_of_a_page_have_numbers_in_the_document_and_boxes_on_the_picture() {
    let page = |path: &str| {
        (path == "/page").then(|| PARTS_PAGE.replace("</main>", &"<span>Filling text. </span>".repeat(40)))
    };
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let limits = PartLimits { max_count: 20, max_height: 500 };
    let request = RenderRequest { parts: Some(limits), ..request(site.url("/page")) };
    let page = renderer.render(&request).await.unwrap();
    renderer.shutdown().await;
    let picture = page.captured.parts.unwrap();
    assert!(picture.jpeg.starts_with(b"\xff\xd8\xff"), "a JPEG");
    assert_eq!((picture.height, picture.is_cut), (500, true), "the page is higher");
    let number = |markup: &str| {
        let (before, _) = page.html.split_once(markup).unwrap_or_else(|| panic!("{markup}: {}", page.html));
        let (_, number) = before.rsplit_once("data-carrel-part=\"").unwrap();
        number.split('"').next().unwrap().parse::<u32>().unwrap()
    };
    assert!(!page.html.contains("data-carrel-part=\"99\""), "{}", page.html);
    for markup in [">Boats</h1>", ">12 EUR</p>", ">Form text</b>", ">Shadow text</i>", "></button>"] {
        let number = number(markup);
        let area = picture.boxes.iter().find(|part| part.number == number);
        let area = area.unwrap_or_else(|| panic!("{markup}: {:?}", picture.boxes));
        assert!(area.x + area.width <= picture.width && area.y + area.height <= 500, "{area:?}");
    }
    let hidden = page.html.split_once(">Hidden</p>").unwrap().0.rsplit_once('<').unwrap().1;
    let below = page.html.split_once(">Below the picture</p>").unwrap().0.rsplit_once('<').unwrap().1;
    assert!(!hidden.contains("data-carrel-part") && !below.contains("data-carrel-part"), "{}", page.html);
}

/// Page in quirks mode with parts that are scrolled out of view, and with the attribute for numbers in capital letters.
const SCROLLED_PAGE: &str = "<body style=\"margin:0\"><div style=\"height:60px;overflow:auto\"><p>First item of the list</p>\
    <p style=\"margin-top:90px\">Invisible item</p></div><p id=next>Next to the list of the boats of the harbour</p>\
    <p id=free style=\"position:absolute;top:1500px;margin:0\">Far below the other boats of the harbour</p>\
    <script>next.setAttributeNS(null, 'DATA-CARREL-PART', '77');</script></body>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invisible_parts_and_marks_in_capital_letters_are_omitted() {
    let page = |path: &str| (path == "/page").then(|| SCROLLED_PAGE.to_owned());
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let limits = PartLimits { max_count: 20, max_height: 4_000 };
    let request = RenderRequest { parts: Some(limits), ..request(site.url("/page")) };
    let page = renderer.render(&request).await.unwrap();
    renderer.shutdown().await;
    let picture = page.captured.parts.unwrap();
    assert!(!page.html.contains("DATA-CARREL-PART"), "{}", page.html);
    let tag = |end: &str| page.html.split_once(end).unwrap().0.rsplit_once('<').unwrap().1;
    assert!(!tag(">Invisible item").contains("data-carrel-part"), "{}", page.html);
    for end in [">First item", ">Next to", ">Far below"] {
        assert!(tag(end).contains("data-carrel-part"), "{}", page.html);
    }
    assert!(picture.height > 1_500 && !picture.is_cut, "{}", picture.height);
    assert!(picture.boxes.iter().any(|part| part.y == 1_500), "{:?}", picture.boxes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_above_the_limit_are_omitted_and_reported() {
    let page =
        |path: &str| (path == "/page").then(|| "<p>One of the many boats of the harbour</p>".repeat(40));
    let site = Site::start("127.0.0.1:0", page).await;
    let Some(renderer) = renderer(&[site.port]).await else { return };
    let limits = PartLimits { max_count: 8, max_height: 4_000 };
    let request = RenderRequest { parts: Some(limits), ..request(site.url("/page")) };
    let page = renderer.render(&request).await.unwrap();
    renderer.shutdown().await;
    let picture = page.captured.parts.unwrap();
    assert_eq!((picture.boxes.len(), picture.is_cut), (8, true));
    assert_eq!(page.html.matches("data-carrel-part=").count(), 8, "{}", page.html);
}
