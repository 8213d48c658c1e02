//! The single read (contract 1.1, 1.2).

use crate::support::on_each_world;

#[test]
fn a_read_gives_the_text_of_a_page() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let answer = app.read(&url, &[]).await.expect(200);
        let body = answer.json();
        assert_eq!(body["title"], "A town by the sea");
        assert_eq!(body["total_blocks"], 13);
    });
}
