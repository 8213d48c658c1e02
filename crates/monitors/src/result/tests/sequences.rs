//! Sequences of small pages, with the expected number of reported changes at each check after the first
//! check: pages with the words of walls, walls instead of the page, dates below headings, prices, and
//! controls.

use extract::watch;

use super::*;

/// Page of a shop with `part` and 150 other words.
fn shop(part: &str) -> String {
    let lamp = |number: usize| {
        format!(
            "<p>The lamp is made of brass and glass, part {number} of it was cast by hand, and its light is warm \
             and even across the whole table.</p>"
        )
    };
    let lamps = (0..6).map(lamp).collect::<Vec<_>>().concat();
    format!(
        "<!doctype html><html lang=en><head><title>Shop</title></head><body><nav><a href=/>Home</a></nav>\
         <main><h1>Shop</h1>{part}{lamps}</main><footer>Imprint and so on</footer></body></html>"
    )
}

/// Short page about a flat. Its title and text also occur in walls.
fn flat(title: &str, part: &str, price: u32) -> String {
    format!(
        "<!doctype html><html><head><title>{title}</title></head><body><main>{part}<h1>Flat</h1><p>Two rooms with \
         a balcony, {price} EUR a month, from March on. Call us in the morning.</p><p>The house was built in 1925 \
         and stands near the river.</p></main></body></html>"
    )
}

/// Page with only a title and a text.
fn bare(title: &str, text: &str) -> String {
    format!(
        "<!doctype html><html><head><title>{title}</title></head><body><nav><a href=/>Home</a></nav>\
         <main><h1>{title}</h1><p>{text}</p></main><footer>Imprint and so on</footer></body></html>"
    )
}

fn sitemap(pages: &[&str], day: u32) -> String {
    let entry = |page: &&str| {
        format!("<url><loc>https://example.org/{page}</loc><lastmod>2026-01-{day:02}</lastmod></url>")
    };
    let entries = pages.iter().map(entry).collect::<Vec<_>>().concat();
    format!("<?xml version=\"1.0\"?><urlset>{entries}</urlset>")
}

fn whole() -> Target {
    Target::Page { selector: None }
}

fn part(selector: &str) -> Target {
    Target::Page { selector: Some(selector.to_owned()) }
}

fn trigger(kind: TriggerKind, value: &str) -> Trigger {
    Trigger { kind, value: Some(value.to_owned()), ..Trigger::default() }
}

/// Watches sequences of pages, one after another.
struct Watcher<'a> {
    database: &'a TestDatabase,
    owner: AccountId,
    count: usize,
}

impl Watcher<'_> {
    /// For each check after the first check, the titles of the changes that it reports.
    async fn titles(&mut self, target: &Target, trigger: Trigger, pages: &[String]) -> Vec<Vec<String>> {
        self.count += 1;
        let shop = Shop::of(self.database, self.owner, self.count, target.clone(), trigger).await;
        let mime = if matches!(target, Target::Sitemap { .. }) { "application/xml" } else { "text/html" };
        let (mut known, mut titles) = (0, Vec::new());
        for page in pages {
            self.database.clock.advance(HOUR);
            let url = Some("https://shop.example/lamp");
            let seen = watch::observe(page.as_bytes(), Some(mime), url, target, &[]).unwrap();
            shop.check(ObservedContent::Content(Arc::new(seen))).await;
            let changes = shop.changes().await;
            titles.push(changes[known..].iter().map(|change| change.title.clone()).collect());
            known = changes.len();
        }
        // The plan allows only a few monitors.
        crate::manage::delete(&self.database.domain, self.owner, shop.monitor).await.unwrap();
        titles.split_off(1)
    }

    /// Asserts the number of changes that are reported by each check after the first check.
    async fn expect(&mut self, target: &Target, trigger: Trigger, pages: &[String], expected: &[usize]) {
        let titles = self.titles(target, trigger, pages).await;
        let counts: Vec<usize> = titles.iter().map(Vec::len).collect();
        assert_eq!(counts, expected, "{titles:?} for {:?}", pages.get(1));
    }
}

macro_rules! watching {
    ($watcher:ident, $body:block) => {
        for database in TestDatabase::each().await {
            let owner = person(&database.domain, Tier::Premium).await;
            let mut $watcher = Watcher { database: &database, owner, count: 0 };
            $body
        }
    };
}

#[tokio::test]
async fn page_with_the_words_of_a_wall_is_watched() {
    watching!(watcher, {
        for (title, part) in [
            ("404 Main Street", ""),
            ("Error codes of the X200 washer", ""),
            ("Lamp", "<div>We use cookies and similar technologies to offer you a better shop.</div>"),
            ("Contest", "<form><p>Please complete the captcha to send your entry.</p></form>"),
            ("Forum", "<h1>Robots</h1><p>How to show that you are not a robot? Topic of the week.</p>"),
            ("500 recipes", ""),
            ("Login methods of 1990", "<p>Please sign in at the desk of the house when you come.</p>"),
            ("Museum", "<p>The lift is under maintenance on Mondays.</p>"),
        ] {
            let pages = [flat(title, part, 900), flat(title, part, 900), flat(title, part, 850)];
            watcher.expect(&whole(), Trigger::default(), &pages, &[0, 1]).await;
        }
    });
}

#[tokio::test]
async fn wall_instead_of_the_page_is_not_reported() {
    let (page, next) = (shop("<p>Notice 1</p>"), shop("<p>Notice 2</p>"));
    let cut = page.find("part 4 of").unwrap() + "part 4".len();
    let form = "<form method=post><label>User <input name=u></label><label>Password <input type=password>\
                </label><button>Sign in</button></form>";
    watching!(watcher, {
        for wall in [
            bare("Sign in", form),
            bare("Maintenance", "We'll be back soon. The site is down for maintenance."),
            bare("Shop", "Wartungsarbeiten. Wir sind bald wieder für Sie da."),
            bare("503 Service Temporarily Unavailable", "nginx"),
            "<html><body><b>Fatal error</b>: Uncaught PDOException: SQLSTATE[HY000] in db.php:12</body></html>"
                .to_owned(),
            bare("Error", "Error establishing a database connection"),
            bare("Waiting room", "You are now in line. Your estimated wait is 12 minutes."),
            bare("Shop", "Sorry, this page is not available in your country."),
            page[..cut].to_owned(),
            bare("Shop", "Notre site est en cours de maintenance, merci de revenir."),
            bare("Tienda", "Debes iniciar sesión para continuar."),
            bare("Sklep", "Jesteś w kolejce. Prosimy czekać."),
            bare("ショップ", "ただいまメンテナンス中です。"),
            bare("Магазин", "Произошла ошибка. Попробуйте позже."),
            bare("Hello", "It works!"),
        ] {
            let pages = [page.clone(), wall, page.clone(), next.clone()];
            watcher.expect(&whole(), Trigger::default(), &pages, &[0, 0, 1]).await;
            let stock = trigger(TriggerKind::TextDisappears, "brass and glass");
            watcher.expect(&whole(), stock, &pages, &[0, 0, 0]).await;
        }
    });
}

#[tokio::test]
async fn persistent_wall_is_reported_as_a_wall_without_repetition() {
    let page = shop("<p>Notice 1</p>");
    let wall = bare("Sign in", "Please log in to continue.");
    watching!(watcher, {
        let mut pages = vec![page.clone()];
        pages.extend((0..5).map(|_| wall.clone()));
        pages.push(page.clone());
        let titles = watcher.titles(&whole(), Trigger::default(), &pages).await;
        let none = Vec::<String>::new;
        let expected = vec!["The page now shows a sign-in form".to_owned()];
        assert_eq!(titles, [none(), none(), expected, none(), none(), none()]);
        // If a page lost nearly all of its content, an ordinary change is reported.
        let short = bare("Shop", "Closed.");
        let pages = [page.clone(), short.clone(), short.clone(), short.clone(), short];
        watcher.expect(&whole(), Trigger::default(), &pages, &[0, 0, 1, 0]).await;
        let form =
            "<html><head><title>Sign in</title></head><body><form><input type=password></form></body></html>";
        let pages = [page.clone(), form.to_owned(), form.to_owned(), form.to_owned()];
        watcher.expect(&whole(), Trigger::default(), &pages, &[0, 0, 1]).await;
        // A form without text is not accepted as a baseline.
        let pages = [form.to_owned(), page.clone(), page.clone()];
        watcher.expect(&whole(), Trigger::default(), &pages, &[0, 0]).await;
    });
}

#[tokio::test]
async fn wall_text_in_the_baseline_is_content() {
    let notice = |day: &str| {
        bare("City", &format!("Scheduled maintenance of the bridge begins on {day} and lasts for two days."))
    };
    let price = |price: u32| bare("Login", &format!("<b class=price>{price} EUR</b>"));
    watching!(watcher, {
        let pages = [notice("Monday"), notice("Tuesday")];
        watcher.expect(&whole(), Trigger::default(), &pages, &[1]).await;
        let pages = [price(12), price(11), price(10)];
        watcher.expect(&part(".price"), Trigger::default(), &pages, &[1, 1]).await;
    });
}

#[tokio::test]
async fn empty_sitemap_is_confirmed_before_it_is_reported() {
    let urls = || Target::Sitemap { include: Vec::new(), exclude: Vec::new() };
    let (empty, two, three) = (sitemap(&[], 1), sitemap(&["a", "b"], 1), sitemap(&["a", "b", "c"], 1));
    watching!(watcher, {
        let pages = [two.clone(), empty.clone(), two.clone(), three.clone()];
        watcher.expect(&urls(), Trigger::default(), &pages, &[0, 0, 1]).await;
        let pages = [two.clone(), empty.clone(), empty.clone(), empty.clone(), empty.clone()];
        watcher.expect(&urls(), Trigger::default(), &pages, &[0, 0, 1, 0]).await;
    });
}

#[tokio::test]
async fn sitemap_dates_all_set_to_one_day_are_not_reported() {
    let urls = || Target::Sitemap { include: Vec::new(), exclude: Vec::new() };
    watching!(watcher, {
        let two = ["a", "b"];
        let pages = [sitemap(&two, 1), sitemap(&two, 2), sitemap(&["a", "b", "c"], 3), sitemap(&two, 4)];
        watcher.expect(&urls(), Trigger::default(), &pages, &[0, 1, 1]).await;
    });
}

#[tokio::test]
async fn date_clock_or_count_below_a_heading_or_label_is_reported() {
    watching!(watcher, {
        for (before, after) in [
            (
                "<h2>Next free appointment</h2><p>12 March 2026</p>",
                "<h2>Next free appointment</h2><p>9 March 2026</p>",
            ),
            ("<h2>Next departure</h2><p>14:30</p>", "<h2>Next departure</h2><p>15:10</p>"),
            ("<h2>Result</h2><p>52 votes</p>", "<h2>Result</h2><p>61 votes</p>"),
            ("<h2>Petition</h2><p>1.204 members</p>", "<h2>Petition</h2><p>1.311 members</p>"),
            ("<p><b>Release date</b><br>12 March 2026</p>", "<p><b>Release date</b><br>19 March 2026</p>"),
            (
                "<div>Start of sale</div><div>12 March, 10:00</div>",
                "<div>Start of sale</div><div>13 March, 10:00</div>",
            ),
            (
                "<h2>Opening hours today</h2><p>9:00 - 17:00</p><p>18:00 - 20:00</p>",
                "<h2>Opening hours today</h2><p>9:00 - 17:00</p><p>18:00 - 21:00</p>",
            ),
        ] {
            let pages = [shop(before), shop(before), shop(after)];
            watcher.expect(&whole(), Trigger::default(), &pages, &[0, 1]).await;
        }
        for (before, after) in [
            ("<h2>Last updated</h2><p>12 March 2026</p>", "<h2>Last updated</h2><p>13 March 2026</p>"),
            ("<h2>Story</h2><p>1,204 views</p>", "<h2>Story</h2><p>1,311 views</p>"),
            ("<h2>Story</h2><p>3 hours ago</p>", "<h2>Story</h2><p>4 hours ago</p>"),
        ] {
            watcher.expect(&whole(), Trigger::default(), &[shop(before), shop(after)], &[0]).await;
        }
    });
}

#[tokio::test]
async fn price_below_a_limit_is_reported_in_any_notation() {
    watching!(watcher, {
        for (prices, limit, expected) in [
            (["14.990 Ft", "12.990 Ft", "9.990 Ft"], "10000", [0, 1]),
            (["Rp1.499.000", "Rp1.299.000", "Rp999.000"], "1000000", [0, 1]),
            (["14.990 TL", "12.990 TL", "9.990 TL"], "10000", [0, 1]),
            (["1,799 €", "1,749 €", "1,649 €"], "1.7", [0, 1]),
            (["١٬٢٩٩ ر.س", "٩٩٩ ر.س", "١٬٠٥٠ ر.س"], "1000", [1, 0]),
            (
                [
                    "<span>149</span><sup>99</sup> €",
                    "<span>109</span><sup>99</sup> €",
                    "<span>89</span><sup>99</sup> €",
                ],
                "100",
                [0, 1],
            ),
            (
                [
                    "<del>129,00 €</del> <ins>119,00 €</ins>",
                    "<del>129,00 €</del> <ins>89,00 €</ins>",
                    "<s>129,00 €</s> 79,00 €",
                ],
                "100",
                [1, 0],
            ),
            (["₹1,29,900", "₹1,05,000", "₹99,900"], "100000", [0, 1]),
            (["R$ 1.299,00", "R$ 1.099,00", "R$ 999,00"], "1000", [0, 1]),
        ] {
            let pages = prices.map(|price| shop(&format!("<p class=price>{price}</p>")));
            let below = trigger(TriggerKind::Below, limit);
            watcher.expect(&part(".price"), below, &pages, &expected).await;
        }
    });
}

#[tokio::test]
async fn states_of_controls_and_alerts_are_watched() {
    let buy =
        |state: &str, words: &str| shop(&format!("<div class=buy><button {state}>{words}</button></div>"));
    let sizes =
        |small: &str| shop(&format!("<select class=sz><option>{small}</option><option>M</option></select>"));
    let alert = |text: &str| {
        let page = shop("");
        page.replace("<main>", &format!("<header><div role=alert><p>{text}</p></div></header><main>"))
    };
    let aside = |text: &str| shop("").replace("</main>", &format!("</main><aside><p>{text}</p></aside>"));
    let slot = |markup: &str| shop(&format!("<ul><li>{markup}</li><li>Tue 9:00 Dr Green</li></ul>"));
    watching!(watcher, {
        let any = Trigger::default;
        let cart = || trigger(TriggerKind::TextAppears, "Add to cart");
        let gone = || trigger(TriggerKind::TextDisappears, "Add to cart");
        let pages = [buy("", "Notify me"), buy("", "Add to cart"), buy("", "Notify me")];
        watcher.expect(&part(".buy"), any(), &pages, &[1, 1]).await;
        watcher.expect(&whole(), cart(), &pages, &[1, 0]).await;
        watcher.expect(&whole(), gone(), &pages, &[0, 1]).await;
        watcher.expect(&whole(), any(), &pages, &[0, 0]).await;
        let sold = |words: &str| {
            shop(&format!("<div class=buy><select><option>38<option>39</select><p>{words}</p></div>"))
        };
        let pages = [sold("129.00"), sold("Sold out"), sold("129.00"), sold("89.00")];
        watcher.expect(&part(".buy"), trigger(TriggerKind::Below, "100"), &pages, &[0, 0, 1]).await;
        let pages = [buy("disabled", "Buy"), buy("", "Buy"), buy("disabled", "Buy")];
        watcher.expect(&part(".buy"), any(), &pages, &[1, 1]).await;
        let enabled = trigger(TriggerKind::TextDisappears, "[disabled]");
        watcher.expect(&whole(), enabled, &pages, &[1, 0]).await;
        watcher.expect(&part(".sz"), any(), &[sizes("S - sold out"), sizes("S")], &[1]).await;
        let input =
            |words: &str| shop(&format!("<form class=buy><input type=submit value='{words}'></form>"));
        watcher.expect(&whole(), cart(), &[input("Notify me"), input("Add to cart")], &[1]).await;
        let pages = [shop(""), alert("School is closed on Monday because of snow."), shop("")];
        watcher.expect(&whole(), any(), &pages, &[1, 1]).await;
        let pages = [aside("The pool is open."), aside("The pool is closed.")];
        watcher.expect(&whole(), trigger(TriggerKind::TextAppears, "closed"), &pages, &[1]).await;
        watcher.expect(&whole(), any(), &pages, &[0]).await;
        watcher.expect(&part("aside"), any(), &pages, &[1]).await;
        let pages = [slot("Mon 9:00 Dr Brown"), slot("<s>Mon 9:00 Dr Brown</s>")];
        watcher.expect(&whole(), any(), &pages, &[1]).await;
    });
}

#[tokio::test]
async fn each_of_several_selectors_is_reported_when_it_starts_or_stops_matching() {
    watching!(watcher, {
        let (price, stock) = ("<p id=price>12 EUR</p>", "<p class=stock>In stock</p>");
        let page = |price: &str, stock: &str| shop(&format!("{price}{stock}"));
        let selectors = part("#price\n//p[@class='stock']");
        let pages = [
            page(price, stock),
            page(price, ""),
            page("", ""),
            page("", stock),
            page(price, stock),
            page(price, stock),
            page("<p id=price>11 EUR</p>", stock),
        ];
        let titles = watcher.titles(&selectors, Trigger::default(), &pages).await;
        let counts: Vec<usize> = titles.iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 1, 1, 1, 0, 1], "{titles:?}");
        assert!(titles[0][0].contains("missing") && titles[1][0].contains("missing"), "{titles:?}");
        assert!(titles[2][0].contains("present") && titles[3][0].contains("present"), "{titles:?}");
        let added = Trigger { kind: TriggerKind::Added, ..Trigger::default() };
        watcher
            .expect(&selectors, added, &[page(price, ""), page(price, stock), page(price, "")], &[1, 0])
            .await;
        // The words of a selector are not part of the text of the page.
        let awaited = trigger(TriggerKind::TextAppears, "stock");
        watcher.expect(&selectors, awaited, &[page(price, ""), page(price, stock)], &[1]).await;
    });
}
