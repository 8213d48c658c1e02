# Details, notes, tags, copies, and deletion of library items.

edit-author = Autor
edit-tags-hint = Durch Kommas getrennt; höchstens 12.
edit-kind = Art
note-item-deleted = Die gespeicherte Seite dazu wurde gelöscht.
note-item-deleted-titled = Die gespeicherte Seite dazu wurde gelöscht: { $title }.
note-delete-highlight = Markierung löschen
note-back = Zurück zur Seite
note-delete = Notiz löschen
quote-share = Dieses Zitat teilen
quote-title = Zitat teilen
quote-back = Zurück zur Markierung
quote-text = Zitat mit Quelle
quote-original = Das Zitat auf der Originalseite
quote-original-words = { $link }. Der Link markiert das Zitat in den meisten Browsern.
quote-own = <1>Die Markierung in deiner Bibliothek</1>. Nur du kannst diesen Link öffnen.
public-tag-published = Das Schlagwort ist öffentlich. Teile seinen Link.
public-tag-private = Das Schlagwort ist wieder privat. Sein alter Link funktioniert nicht mehr.
public-tag-name = Schlagwort
public-tag-hint = Auf der Seite erscheint, was eine öffentliche Webadresse hat: Titel, Adresse, Zeit des Speicherns und der Anfang des Textes, wenn er von der Adresse geladen wurde. Deine Notizen, Markierungen, anderen Schlagwörter und Dateien nie.
public-tags = Öffentliche Schlagwörter
public-tags-words = Ein öffentliches Schlagwort hat eine Seite und einen Feed, die jeder mit dem Link ohne Konto lesen kann.
public-tags-yours = Deine öffentlichen Schlagwörter
public-tags-publish-heading = Ein Schlagwort veröffentlichen
public-tags-publish = Veröffentlichen
public-tag-link = Link von „{ $tag }“
public-tag-feeds = <1>Seite öffnen</1>. Ihren Feed gibt es als <2>RSS</2>, <3>Atom</3> und <4>JSON Feed</4>.
public-tag-hide-named = „{ $tag }“ privat machen
public-tag-hide = Privat machen
shared-added = Seite hinzugefügt.
shared-removed = Seite aus diesem Schlagwort entfernt. Der Eigentümer hat sie noch.
shared-joined = Du bist dem Team beigetreten.
shared-none = Noch nichts. Wenn dich jemand in ein Team einlädt, erscheinen dessen Schlagwörter und Wächter hier.
shared-teams = Deine Teams
shared-can-add = du kannst Seiten hinzufügen
shared-no-changes = noch keine Änderungen
shared-no-pages = Noch keine Seiten.
shared-pages = Seiten
shared-older = Ältere Seiten
shared-tag = Geteiltes Schlagwort
shared-save = In meiner Bibliothek speichern
shared-add-page = Seite hinzufügen
shared-add-hint = Sie wird in der Bibliothek des Eigentümers gespeichert.
shared-add = Hinzufügen
shared-remove = Entfernen
shared-remove-named = „{ $name }“ entfernen
shared-changes = Letzte Änderungen
shared-monitor = Geteilter Wächter
copy-requested = Die Seite wird kopiert. Diese Ansicht lädt neu, bis die Kopie fertig ist.
copy-deleted = Kopie gelöscht.
copy-page = Seite
copy-page-words = Eine Datei mit Text, Gestaltung und Bildern, ohne Skripte. Öffnet sich in jedem Browser.
copy-picture = Bild
copy-picture-words = Die ganze Seite als PNG.
copy-pdf-words = Die Seite, wie sie gedruckt wird.
copy-words = Eine Kopie zählt zu deinem Speicherplatz und kostet fünf frische Extraktionen. Sie ist Teil deines Exports.
copy-open = Kopie öffnen
copy-from = von { $time }, { $size } KB
copy-waiting = Wird kopiert.
copy-fault-storage = Die Seite konnte nicht kopiert werden: Dein Speicherplatz ist aufgebraucht. Lösche Dateien oder gespeicherte Seiten.
copy-fault-robots = Die Seite konnte nicht kopiert werden: Ihre Website erlaubt Programmen nicht, sie zu lesen.
copy-fault-content = Die Seite konnte nicht kopiert werden: Sie ist zu groß oder zu komplex für einen Browser.
copy-fault-browser = Die Seite konnte nicht kopiert werden: Der Browser hat nicht geantwortet. Versuche es erneut.
copy-fault-queue = Die Seite wurde nicht kopiert: Zu viele Kopien haben gewartet. Versuche es erneut.
copy-fault-limit = Die Seite wurde nicht kopiert: Die heutigen frischen Extraktionen für automatische Kopien sind aufgebraucht. Versuche es jetzt erneut oder morgen.
copy-fault-address = Die Seite konnte nicht kopiert werden: Sie ließ sich nicht öffnen. Prüfe die Adresse und versuche es erneut.
copy-replace = Ersetzen
copy-create = Kopieren
copies-automatic = Automatische Kopien von Seiten
copies-saved = Automatische Kopien gespeichert.
copies-words = Carrel kann jede Seite, die du über ihre Adresse neu speicherst, so kopieren, wie ein Browser sie zeigt. Wählst du kein Format, wird nichts kopiert. Seiten, die die Erweiterung oder eine E-Mail geschickt hat, werden nicht kopiert.
copies-formats = Formate
copies-imports = Auch Seiten importierter Objekte kopieren, die neuesten zuerst, höchstens { $count } Kopien am Tag
copies-limits = Eine Kopie zählt zu deinem Speicherplatz und kostet fünf frische Extraktionen. Automatische Kopien verbrauchen höchstens die Hälfte der frischen Extraktionen eines Tages. Ist eine Grenze erreicht, steht das beim Objekt.
delete-items-question =
    { $count ->
        [one] Diese Seite löschen?
       *[other] Diese { $count } Seiten löschen?
    }
delete-items-words = Nach einer Minute wird endgültig gelöscht, mit den Dateien. Bis dahin kannst du es rückgängig machen.
delete-items-annotations = Auch ihre Notizen und Markierungen löschen. Sonst bleiben sie, und du findest sie über die Suche.
delete-items-title = Löschen
tags-none = Noch keine Schlagwörter. Füge eines auf einer gespeicherten Seite oder in der Liste für mehrere hinzu.
tags-words = Wenn du ein Schlagwort wie ein anderes nennst, werden beide zusammengeführt. Ist das andere öffentlich oder mit einem Team geteilt, gilt das für den Inhalt beider. Ein Schlagwort kann eine <1>öffentliche Seite</1> haben.
tags-more = Weitere Schlagwörter
tags-yours = Deine Schlagwörter
tags-count =
    { $count ->
        [one] { $count } Seite
       *[other] { $count } Seiten
    }
tags-remove-named = „{ $name }“ überall entfernen
copy-left-out = Ausgelassen: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 Bild
       *[other] { $count } Bilder
    }
copy-fonts =
    { $count ->
        [one] 1 Schrift
       *[other] { $count } Schriften
    }
copy-styles =
    { $count ->
        [one] 1 Stylesheet
       *[other] { $count } Stylesheets
    }
copy-media =
    { $count ->
        [one] 1 Audio oder Video
       *[other] { $count } Audios oder Videos
    }
copy-frames =
    { $count ->
        [one] 1 Frame oder Objekt
       *[other] { $count } Frames oder Objekte
    }
copy-cut = Die Seite ist vielleicht unvollständig, weil sie eine Grenze erreichte.
