//! Words next to dates, in many languages, and their meaning.

/// Words before or after a date of publication.
pub(super) const ANNOUNCING: [&str; 28] = [
    "published", "posted", "publié", "publicado", "pubblicato", "veröffentlicht", "erstellt am", "stand:",
    "gepubliceerd", "geplaatst", "опубликовано", "opublikowano", "yayın", "发布", "發布", "公開", "投稿",
    "mise en ligne", "created", "written", "last updated", "updated", "aktualisiert", "mis à jour",
    "actualizado", "aggiornato", "last modified", "date:",
];

/// Words, or beginnings of words, next to the date of the last change.
pub(super) const CHANGING: [&str; 12] = [
    "updat", "modif", "review", "revis", "edited", "aktualisiert", "geändert", "mis à jour", "actualiz",
    "aggiorn", "обновл", "更新",
];
