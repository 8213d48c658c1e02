//! Words near dates, in the languages of the web, and their meaning.

/// Words before or surrounding a date of publication.
pub(super) const ANNOUNCING: [&str; 28] = [
    "published", "posted", "publié", "publicado", "pubblicato", "veröffentlicht", "erstellt am", "stand:",
    "gepubliceerd", "geplaatst", "опубликовано", "opublikowano", "yayın", "发布", "發布", "公開", "投稿",
    "mise en ligne", "created", "written", "last updated", "updated", "aktualisiert", "mis à jour",
    "actualizado", "aggiornato", "last modified", "date:",
];

/// Words near the date of a change.
pub(super) const CHANGING: [&str; 12] = [
    "updat", "modif", "review", "revis", "edited", "aktualisiert", "geändert", "mis à jour", "actualiz",
    "aggiorn", "обновл", "更新",
];
