# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Gruppen von Wächtern
groups-deleted = Gruppe gelöscht. Ihre Wächter behalten ihre Einstellungen.
groups-words = Die Wächter einer Gruppe teilen Einstellungen wie Abstand, stille Zeiten und Kanäle. Eine Gruppe kann eine öffentliche Seite und einen Feed haben.
groups-public = öffentlich
groups-new = Neue Gruppe
groups-create = Gruppe erstellen
groups-count =
    { $count ->
        [one] { $count } Wächter
       *[other] { $count } Wächter
    }
groups-in-group = { $link } in dieser Gruppe.
group-made = Gruppe erstellt. Wähle sie im Formular eines Wächters oder für ausgewählte Wächter in der Liste.
group-saved = Gruppe gespeichert.
group-title = Gruppe
group-publish = Öffentliche Seite und Feed
group-publish-words = Jeder mit dem Link kann die Namen der Wächter und ihre Änderungen lesen. Wenn du das ausschaltest, funktionieren die Links nie wieder.
group-new-monitor = Neuer Wächter hier
group-shared-words = Gemeinsame Einstellungen gelten für jeden Wächter der Gruppe, der sie nicht selbst festlegt. Wenn du eine Einstellung nicht mehr teilst, behält jeder Wächter ihren Wert.
group-check = Prüfen
group-own-interval = Einstellung des Wächters
group-share-days = Diese Tage und Zeiten teilen
group-share-channels = Diese Kanäle teilen
group-page = Öffentliche Seite
group-page-words = Jeder mit diesem Link kann die Seite lesen. Ist sie nur für dich, behandle den Link wie ein Passwort.
group-page-link = Link der Seite
group-delete-question = Die Gruppe { $name } löschen?
group-delete-words = Ihre Wächter bleiben, mit ihren jetzigen Einstellungen. Ihre öffentliche Seite und ihr Feed funktionieren nie wieder.
group-delete = Gruppe löschen
duplicate-name = { $name } (Kopie)
duplicate-heading = { $name } duplizieren
duplicate-words = Die Kopie hat alle Einstellungen dieses Wächters und beobachtet eine andere Adresse. Du kannst sie danach bearbeiten.
duplicate-create = Kopie erstellen
lists-heading = Wächter importieren und exportieren
lists-words = Eine Sicherung von changedetection.io (ZIP), eine Liste von urlwatch (urls.yaml) oder ein Export dieses Dienstes. Vorhandene Wächter bleiben unverändert.
lists-download = Wächter als JSON herunterladen
lists-imported = Deine Wächter sind importiert
lists-program = Die Datei ist eine Liste von { $program }.
lists-new = Neu
lists-existing = Vorhanden
lists-refused = Nicht importiert
lists-not-read = Nicht gelesen
lists-not-read-words = Einige Wächter wurden nicht gelesen: Sie sind fehlerhaft, oder die Liste hat mehr als 1000.
lists-show = Wächter zeigen
lists-line-new = { $monitor }: neu
lists-line-existing = { $monitor }: schon vorhanden
lists-line-refused = { $monitor }: nicht importiert. { $reason }
lists-without = Ohne: { $settings }
changes-search = Änderungen durchsuchen
changes-no-match-newest = Kein Treffer unter den neuesten Änderungen.
changes-no-match = Keine Änderung passt.
changes-older = Ältere Änderungen
monitor-edit-heading = { $name } bearbeiten
monitor-edit-preview-empty = Die Vorschau zeigt, welche früheren Änderungen mit diesen Einstellungen gemeldet würden.
monitor-edit-baseline = Wenn du die Adresse oder das Beobachtete änderst, ist der nächste Lauf die neue Grundlage.
monitor-edit-preview = An früheren Änderungen testen
monitor-edit-replayed =
    { $count ->
        [one] Mit diesen Einstellungen wäre { $left } von { $count } letzter Änderung gemeldet worden.
       *[other] Mit diesen Einstellungen wären { $left } der letzten { $count } Änderungen gemeldet worden.
    }
monitor-edit-reported = gemeldet: { $change }
monitor-edit-not-reported = nicht gemeldet: { $change }
monitor-edit-unknown = unbekannt: { $change }
monitor-edit-past = Frühere Änderungen
monitor-rotate-question = Feed-Link von { $name } ersetzen?
monitor-rotate-words = Der jetzige Feed-Link und alle Links zu Änderungen funktionieren sofort nicht mehr. Feedreader brauchen den neuen Link. Der Wächter und seine Seite bleiben gleich.
monitor-rotate = Feed-Link ersetzen
monitor-delete-question = { $name } löschen?
monitor-delete-words = Seine Läufe und Änderungen werden gelöscht, und sein Feed antwortet mit 410 Gone. Das lässt sich nicht rückgängig machen.
monitor-delete-button = Wächter löschen
