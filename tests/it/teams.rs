//! Teams on the pages: invitations by link and by mail, shared tags for readers and editors, shared monitors,
//! and the immediate loss of access.

use kernel::testing::smtp::SmtpServer;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::monitoring::{advance_minute, page, run_now, watch_page};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run, secret_scan};

/// Browser of a new person.
async fn signed_in(app: &TestApp) -> (Person, Browser<'_>) {
    let who = Person::on(app, Tier::Pro).await;
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    (who, browser)
}

/// Creates a team on the pages. Returns the path of its page.
async fn create_team(browser: &mut Browser<'_>) -> String {
    browser.open("/settings/teams").await.expect(200);
    let made = browser.submit("/settings/teams", &[("name", "Our <family>")]).await.expect(303);
    browser.follow(&made).await;
    made.header("location").split('?').next().unwrap().to_owned()
}

/// Creates an invitation link on the page of a team. Returns the secret of the link.
async fn invite(app: &TestApp, browser: &mut Browser<'_>, team: &str, role: &str) -> String {
    browser.open(team).await.expect(200);
    let fields = [("act", "invite"), ("role", role), ("email", "")];
    let invited = browser.submit(&format!("{team}/invitations"), &fields).await.expect(303);
    let text = browser.follow(&invited).await;
    let link = between(&text, "aria-label=\"Invitation link\">", "<");
    let secret = link.strip_prefix(&format!("{}/settings/teams/join?link=", app.origin)).unwrap().to_owned();
    secret_scan::record_secret(&secret);
    secret
}

async fn join(browser: &mut Browser<'_>, secret: &str) {
    let offer = browser.open(&format!("/settings/teams/join?link={secret}")).await.expect(200);
    assert!(offer.text().contains("Our &lt;family&gt;"), "{}", offer.text());
    browser.submit("/settings/teams/join", &[("link", secret)]).await.expect(303);
}

/// Shares the tag `coast` with a team.
async fn share_tag(browser: &mut Browser<'_>, team: &str) {
    browser.open(team).await.expect(200);
    let fields = [("act", "share-tag"), ("tag", "coast")];
    browser.submit(&format!("{team}/shares"), &fields).await.expect(303);
}

/// Saves a tagged item with a private note, and an item that is not shared.
async fn fill(app: &TestApp, who: &Person) -> String {
    let item = json!({"url": "https://example.org/boats", "title": "Boats & <b>oars</b>",
        "content": "<p>The ferry leaves at nine.</p>", "tags": ["Coast", "secret-tag"]});
    let saved = who.post(app, "/v1/library/items", &item).await.expect(201).json();
    let id = saved["item"]["id"].as_str().unwrap().to_owned();
    who.post(app, "/v1/library/notes", &json!({"text": "private-note", "itemId": id})).await.expect(201);
    let private = json!({"url": "https://example.org/private", "title": "private-item", "content": "x"});
    who.post(app, "/v1/library/items", &private).await.expect(201);
    id
}

/// Returns the path of the tag's page for the members of a team.
fn shared_path(team: &str) -> String {
    format!("/library/shared/{}", team.rsplit('/').next().unwrap())
}

#[test]
fn reader_can_open_a_shared_tag_until_removal_and_change_nothing() {
    on_each_world(async |app| {
        let ((owner, mut desk), (member, mut guest)) = (signed_in(&app).await, signed_in(&app).await);
        let (_, mut stranger) = signed_in(&app).await;
        let id = fill(&app, &owner).await;
        let team = create_team(&mut desk).await;
        let secret = invite(&app, &mut desk, &team, "reader").await;
        join(&mut guest, &secret).await;
        stranger.open(&format!("/settings/teams/join?link={secret}")).await.expect(404);
        let wrong = desk.submit(&format!("{team}/shares"), &[("act", "share-tag"), ("tag", "none")]).await;
        assert!(wrong.expect(422).text().contains("None of your items have this tag."));
        share_tag(&mut desk, &team).await;

        let list = guest.open("/library/shared").await.expect(200).text();
        assert!(list.contains("Coast") && list.contains(&owner.email), "{list}");
        let path = shared_path(&team);
        let tag = format!("{path}?tag=coast");
        let text = guest.open(&tag).await.expect(200).text();
        assert!(text.contains("Boats &amp; &lt;b&gt;oars"), "{text}");
        for private in ["private-", "secret-tag", "<b>oars", "Add a page", "ferry leaves"] {
            assert!(!text.contains(private), "{private} in {text}");
        }
        guest.open("/settings/teams").await.expect(200);
        let add = [("act", "add"), ("tag", "coast"), ("url", "https://example.org/new")];
        guest.submit(&path, &add).await.expect(422);
        guest.open("/settings/teams").await.expect(200);
        let remove = [("act", "remove"), ("tag", "coast"), ("item", id.as_str())];
        guest.submit(&path, &remove).await.expect(422);
        for other in [tag.as_str(), team.as_str()] {
            stranger.open(other).await.expect(404);
        }
        for private in [&team, &format!("{path}?tag=secret-tag"), &format!("/library/{id}")] {
            guest.open(private).await.expect(404);
        }

        let members = desk.open(&team).await.expect(200).text();
        assert!(members.contains(&member.email), "{members}");
        let member_id = member.id.to_string();
        let removal = [("act", "remove"), ("member", member_id.as_str())];
        desk.submit(&format!("{team}/members"), &removal).await.expect(303);
        guest.open(&tag).await.expect(404);
        assert!(guest.open("/library/shared").await.expect(200).text().contains("Nothing yet."));
    });
}

#[test]
fn editor_adds_and_removes_pages_in_the_library_of_the_owner() {
    on_each_world(async |app| {
        let ((owner, mut desk), (member, mut guest)) = (signed_in(&app).await, signed_in(&app).await);
        let id = fill(&app, &owner).await;
        let team = create_team(&mut desk).await;
        let secret = invite(&app, &mut desk, &team, "editor").await;
        join(&mut guest, &secret).await;
        share_tag(&mut desk, &team).await;
        let path = shared_path(&team);
        let tag = format!("{path}?tag=coast");
        let url = app.site.article("/town");
        guest.open(&tag).await.expect(200);
        let added = guest.submit(&path, &[("act", "add"), ("tag", "coast"), ("url", &url)]).await.expect(303);
        assert!(guest.follow(&added).await.contains("A town by the sea"));
        let items = owner.get(&app, "/v1/library/items?tag=coast").await.expect(200).json();
        assert_eq!(items["items"].as_array().unwrap().len(), 2, "{items}");
        let own = member.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(own["items"], json!([]), "the storage is that of the owner");

        // A private item of the owner does not become visible.
        let private = [("act", "add"), ("tag", "coast"), ("url", "https://example.org/private")];
        let refused = guest.submit(&path, &private).await.expect(422).text();
        assert!(refused.contains("has already saved this page") && !refused.contains("private-item"));
        guest.open(&tag).await.expect(200);
        let by_id =
            json!({"teamId": team.rsplit('/').next(), "tag": "coast", "url": format!("urn:uuid:{id}")});
        member.post(&app, "/v1/shared/items", &by_id).await.api_error(422, "invalid_url");
        let removed = guest.submit(&path, &[("act", "remove"), ("tag", "coast"), ("item", &id)]).await;
        let text = guest.follow(&removed.expect(303)).await;
        assert!(!text.contains("Boats"), "{text}");
        let left = owner.get(&app, &format!("/v1/library/items/{id}")).await.expect(200).json();
        assert_eq!(left["item"]["tags"], json!(["secret-tag"]));
        guest.submit(&path, &[("act", "remove"), ("tag", "coast"), ("item", &id)]).await.expect(404);

        let renamed = json!({"from": "coast", "to": "Shore"});
        owner.post(&app, "/v1/library/tags/rename", &renamed).await.expect(200);
        guest.open(&tag).await.expect(404);
        guest.open(&format!("{path}?tag=shore")).await.expect(200);
        desk.open(&team).await.expect(200);
        let unshared = [("act", "unshare-tag"), ("tag", "Shore")];
        desk.submit(&format!("{team}/shares"), &unshared).await.expect(303);
        guest.open(&format!("{path}?tag=shore")).await.expect(404);
    });
}

#[test]
fn member_reads_changes_of_a_shared_monitor_until_the_team_is_deleted() {
    on_each_world(async |app| {
        let ((owner, mut desk), (_, mut guest)) = (signed_in(&app).await, signed_in(&app).await);
        let monitor = watch_page(&app, &owner, &app.site.put("/pier", page("It begins."))).await;
        advance_minute(&app).await;
        app.site.put("/pier", page("Ships reach the pier."));
        assert_eq!(run_now(&app, &owner, &monitor).await["outcome"], "changed");
        let team = create_team(&mut desk).await;
        let secret = invite(&app, &mut desk, &team, "reader").await;
        join(&mut guest, &secret).await;
        let id = monitor["id"].as_str().unwrap();
        let path = format!("{}/monitors/{id}", shared_path(&team));
        guest.open(&path).await.expect(404);
        desk.open(&team).await.expect(200);
        let share = [("act", "share-monitor"), ("monitor", id)];
        desk.submit(&format!("{team}/shares"), &share).await.expect(303);
        assert!(guest.open("/library/shared").await.expect(200).text().contains(&path));
        let text = guest.open(&path).await.expect(200).text();
        assert!(text.contains("Ships reach the pier"), "{text}");
        guest.open(&format!("/monitors/{id}")).await.expect(404);
        desk.open(&format!("{team}/delete")).await.expect(200);
        desk.submit(&format!("{team}/delete"), &[]).await.expect(303);
        guest.open(&path).await.expect(404);
        owner.get(&app, &format!("/v1/monitors/{id}")).await.expect(200);
    });
}

#[test]
fn invitation_is_mailed_revoked_and_limited_per_mailbox() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let setup = Setup::on(world).set("CARREL_SMTP_URL", server.url.clone());
            let app = setup.set("CARREL_MAIL_FROM", "Carrel <carrel@example.org>").spawn().await;
            let ((owner, mut desk), (_, mut guest)) = (signed_in(&app).await, signed_in(&app).await);
            let team = create_team(&mut desk).await;
            let action = format!("{team}/invitations");
            let mailed = [("act", "invite"), ("role", "reader"), ("email", "Guest@example.org")];
            let page = desk.submit(&action, &mailed).await.expect(303);
            let page = desk.follow(&page).await;
            assert!(page.contains("guest@example.org") && !page.contains("join?link="), "{page}");
            let letter = server.letter().await;
            assert_eq!(letter.to, ["guest@example.org"]);
            assert!(letter.text.contains(&owner.email) && !letter.text.contains("family"), "{}", letter.text);
            let line = letter.text.lines().find(|line| line.contains("join?link=")).unwrap();
            let secret = line.split_once("link=").unwrap().1.to_owned();
            secret_scan::record_secret(&secret);
            let id = between(&page, "name=\"invitation\" value=\"", "\"").to_owned();
            let revoke = [("act", "revoke"), ("invitation", id.as_str())];
            desk.submit(&action, &revoke).await.expect(303);
            guest.open(&format!("/settings/teams/join?link={secret}")).await.expect(404);
            guest.open("/settings/teams").await.expect(200);
            guest.submit("/settings/teams/join", &[("link", &secret)]).await.expect(404);
            desk.open(&team).await.expect(200);
            desk.submit(&action, &mailed).await.expect(303);
            desk.open(&team).await.expect(200);
            desk.submit(&action, &mailed).await.expect(429);
            desk.open(&team).await.expect(200);
            let wrong = [("act", "invite"), ("role", "reader"), ("email", "nobody")];
            desk.submit(&action, &wrong).await.expect(422);
        }
    });
}

#[test]
fn signed_out_visitor_of_an_invitation_signs_in_first() {
    on_each_world(async |app| {
        let (_, mut desk) = signed_in(&app).await;
        let team = create_team(&mut desk).await;
        let secret = invite(&app, &mut desk, &team, "reader").await;
        let path = format!("/settings/teams/join?link={secret}");
        let turned = app.get(&path).await.expect(303);
        assert!(turned.header("location").starts_with("/sign-in?next=%2Fsettings%2Fteams%2Fjoin"));
        let own = desk.open(&path).await.expect(200);
        assert_eq!(own.header("referrer-policy"), "no-referrer");
        desk.submit("/settings/teams/join", &[("link", &secret)]).await.expect(422);
    });
}

/// Accepts an invitation to a team through the API.
async fn join_by_key(app: &TestApp, owner: &Person, team: &str, member: &Person, role: &str) {
    let path = format!("/v1/teams/{team}/invitations");
    let invited = owner.post(app, &path, &json!({ "role": role })).await.expect(201).json();
    let url = invited["invitation"]["url"].as_str().unwrap();
    let link = url.split_once("link=").unwrap().1.to_owned();
    secret_scan::record_secret(&link);
    let joined = member.post(app, "/v1/team-invitations/accept", &json!({ "link": link })).await;
    assert_eq!(joined.expect(200).json(), json!({ "teamId": team }));
    member
        .post(app, "/v1/team-invitations/accept", &json!({ "link": link }))
        .await
        .api_error(404, "not_found");
}

#[test]
fn teams_share_tags_and_monitors_through_the_api() {
    on_each_world(async |app| {
        let (owner, member) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let id = fill(&app, &owner).await;
        let monitor = watch_page(&app, &owner, &app.site.put("/pier", page("It begins."))).await;
        let made = owner.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
        let team = made["team"]["id"].as_str().unwrap();
        owner.post(&app, "/v1/teams", &json!({"name": ""})).await.expect(422);
        join_by_key(&app, &owner, team, &member, "reader").await;
        let tag = format!("/v1/teams/{team}/tags/coast");
        let watch = format!("/v1/teams/{team}/monitors/{}", monitor["id"].as_str().unwrap());
        member.send(&app, Method::PUT, &tag).await.api_error(404, "not_found");
        for path in [&tag, &tag, &watch, &watch] {
            owner.send(&app, Method::PUT, path).await.expect(204);
        }
        let own = owner.get(&app, "/v1/teams").await.expect(200).json();
        assert_eq!(own["teams"][0]["tags"], json!([{"name": "Coast"}]), "{own}");
        assert_eq!(own["teams"][0]["members"][0]["email"], member.email);
        let shared = member.get(&app, "/v1/shared").await.expect(200).json();
        assert_eq!(
            (&shared["tags"][0]["name"], &shared["tags"][0]["role"]),
            (&json!("Coast"), &json!("reader"))
        );
        assert_eq!(shared["monitors"][0]["monitorId"], monitor["id"]);
        let items = format!("/v1/shared/items?teamId={team}&tag=coast");
        let listed = member.get(&app, &items).await.expect(200).json();
        assert_eq!(
            (&listed["items"][0]["id"], &listed["nextCursor"]),
            (&json!(id), &json!(null)),
            "{listed}"
        );
        owner.get(&app, &items).await.api_error(404, "not_found");

        let removal = json!({"teamId": team, "tag": "coast", "itemId": id});
        member.post(&app, "/v1/shared/items/remove", &removal).await.api_error(403, "editor_required");
        let role = format!("/v1/teams/{team}/members/{}", member.id);
        let headers = [("x-api-key", owner.key.as_str()), ("content-type", "application/json")];
        let editor = json!({"role": "editor"}).to_string();
        app.send(Method::PATCH, &role, &headers, Some(editor)).await.expect(204);
        let new = json!({"teamId": team, "tag": "coast", "url": app.site.article("/town")});
        let added = member.post(&app, "/v1/shared/items", &new).await.expect(201).json();
        assert_eq!(added["item"]["title"], "A town by the sea");
        member.post(&app, "/v1/shared/items", &new).await.api_error(409, "name_taken");
        member.post(&app, "/v1/shared/items/remove", &removal).await.expect(204);
        let left = member.get(&app, &items).await.expect(200).json();
        assert_eq!(left["items"].as_array().unwrap().len(), 1, "{left}");

        let changes =
            format!("/v1/shared/changes?teamId={team}&monitorId={}", monitor["id"].as_str().unwrap());
        assert_eq!(member.get(&app, &changes).await.expect(200).json()["changes"], json!([]));
        owner.send(&app, Method::DELETE, &watch).await.expect(204);
        member.get(&app, &changes).await.api_error(404, "not_found");
        member.send(&app, Method::DELETE, &role).await.expect(204);
        member.get(&app, &items).await.api_error(404, "not_found");
        assert_eq!(member.get(&app, "/v1/teams").await.expect(200).json()["memberships"], json!([]));
        join_by_key(&app, &owner, team, &member, "editor").await;
        identity::accounts::delete_by_email(&app.app.domain, &owner.email).await.unwrap();
        let shared = member.get(&app, "/v1/shared").await.expect(200).json();
        assert_eq!(shared, json!({"tags": [], "monitors": []}));
        member.get(&app, &items).await.api_error(404, "not_found");
    });
}

/// Saves `count` pages with the tag `coast`, one per second.
async fn save_tagged(app: &TestApp, who: &Person, count: u32) {
    for number in 1..=count {
        app.clock.advance(1_000);
        let url = format!("https://example.org/{number}");
        let item = json!({"url": url, "title": format!("Boat {number}."), "content": "x", "tags": ["coast"]});
        who.post(app, "/v1/library/items", &item).await.expect(201);
    }
}

#[test]
fn items_of_a_shared_tag_are_paged_by_cursor() {
    on_each_world(async |app| {
        let [owner, member, second] =
            [Person::on(&app, Tier::Pro).await, Person::free(&app).await, Person::free(&app).await];
        save_tagged(&app, &owner, 5).await;
        let made = owner.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
        let team = made["team"]["id"].as_str().unwrap();
        join_by_key(&app, &owner, team, &member, "reader").await;
        join_by_key(&app, &owner, team, &second, "reader").await;
        let tag = format!("/v1/teams/{team}/tags/coast");
        owner.send(&app, Method::PUT, &tag).await.expect(204);
        let list = format!("/v1/shared/items?teamId={team}&tag=coast");
        let (mut titles, mut cursors) = (Vec::new(), Vec::new());
        let mut cursor = String::new();
        loop {
            let page = member.get(&app, &format!("{list}&limit=2&cursor={cursor}")).await.expect(200).json();
            let items = page["items"].as_array().unwrap();
            titles.extend(items.iter().map(|item| item["title"].as_str().unwrap().to_owned()));
            let Some(next) = page["nextCursor"].as_str() else { break };
            next.clone_into(&mut cursor);
            cursors.push(next.to_owned());
            assert!(cursors.len() < 5, "the walk does not finish");
        }
        assert_eq!(titles, ["Boat 5.", "Boat 4.", "Boat 3.", "Boat 2.", "Boat 1."]);
        assert_eq!(cursors.len(), 2);
        let cursor = &cursors[0];
        let of_second = second.get(&app, &format!("{list}&cursor={cursor}")).await;
        of_second.api_error(422, "invalid_cursor");
        let other_tag = format!("/v1/shared/items?teamId={team}&tag=shore&cursor={cursor}");
        member.get(&app, &other_tag).await.api_error(422, "cursor_mismatch");
        member.get(&app, &format!("{list}&cursor=made-up")).await.api_error(422, "invalid_cursor");
        member.get(&app, &format!("{list}&limit=0")).await.expect(422);
        app.get(&list).await.expect(401);
        owner.send(&app, Method::DELETE, &tag).await.expect(204);
        member.get(&app, &format!("{list}&cursor={cursor}")).await.api_error(404, "not_found");
    });
}

#[test]
fn page_of_a_shared_tag_links_to_older_pages() {
    on_each_world(async |app| {
        let ((owner, mut desk), (_, mut guest)) = (signed_in(&app).await, signed_in(&app).await);
        save_tagged(&app, &owner, 52).await;
        let team = create_team(&mut desk).await;
        let secret = invite(&app, &mut desk, &team, "reader").await;
        join(&mut guest, &secret).await;
        share_tag(&mut desk, &team).await;
        let path = shared_path(&team);
        let first = guest.open(&format!("{path}?tag=coast")).await.expect(200).text();
        assert!(first.contains("Boat 52.") && first.contains("Boat 3."), "{first}");
        assert!(!first.contains("Boat 2."), "{first}");
        let older = between(&first, "rel=\"next\" href=\"", "\"").replace("&amp;", "&");
        let second = guest.open(&older).await.expect(200).text();
        assert!(second.contains("Boat 2.") && second.contains("Boat 1."), "{second}");
        assert!(!second.contains("Older pages"), "{second}");
    });
}
