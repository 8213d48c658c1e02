//! Functions of the page *Recipes in Rust*. A test compares the page with this file.

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::app::client;
use crate::support::person::Person;
use crate::support::{TestApp, run};

/// Text of this file.
pub(super) const SOURCE: &str = include_str!("recipes.rs");

/// Saves a page and returns its title.
async fn save(client: &Client, base: &str, key: &str, page: &str) -> anyhow::Result<String> {
    let body = json!({ "url": page, "tags": ["rust"] });
    let request = client.post(format!("{base}/v1/library/items")).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(body.to_string());
    let answer = request.send().await?.error_for_status()?.text().await?;
    let saved: Value = serde_json::from_str(&answer)?;
    Ok(saved["item"]["title"].as_str().unwrap_or_default().to_owned())
}

/// Returns the ids of all items, page by page.
async fn item_ids(client: &Client, base: &str, key: &str) -> anyhow::Result<Vec<String>> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let url = format!("{base}/v1/library/items?limit=100{cursor}");
        let answer = client.get(url).bearer_auth(key).send().await?.error_for_status()?;
        let page: Value = serde_json::from_str(&answer.text().await?)?;
        let items = page["items"].as_array().into_iter().flatten();
        ids.extend(items.filter_map(|item| item["id"].as_str().map(str::to_owned)));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(ids),
        }
    }
}

#[test]
fn rust_recipes_save_a_page_and_list_the_items() {
    run(async {
        let app = TestApp::spawn().await;
        let (person, client) = (Person::free(&app).await, client());
        let page = app.site.article("/town");
        let title = save(&client, &app.origin, &person.key, &page).await.unwrap();
        assert_eq!(title, "A town by the sea");
        assert_eq!(item_ids(&client, &app.origin, &person.key).await.unwrap().len(), 1);
        assert!(item_ids(&client, &app.origin, "svc_wrong").await.is_err());
    });
}
