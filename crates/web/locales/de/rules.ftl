# Rules for new entries.

rules-made = Regel erstellt. Sie prüft jeden neuen Eintrag.
rules-applied = Regel erstellt und auf deine ungelesenen Einträge angewendet.
rules-deleted = Regel gelöscht. Von ihr ausgeblendete Einträge sind wieder in deinen Listen. Verworfene Einträge lassen sich nicht wiederherstellen.
rules-of = Regeln von { $feed }
rules-for-all = Regeln für alle Feeds
rules-words = Eine Regel prüft jeden neuen Eintrag. Sie kann ihn verwerfen, ausblenden, als gelesen markieren, vor anderen Regeln schützen, ihm einen Stern geben, ihn in deiner Bibliothek speichern oder an Kanäle senden.
rules-also-for-all = Es gibt auch <1>Regeln für alle Feeds</1>.
rules-single-feed = Regeln für einen einzelnen Feed findest du auf der Seite des Feeds.
rules-active = Aktive Regeln
rules-new = Neue Regel
rules-muted-count = { $number } ausgeblendet
rules-dropped-count = { $number } verworfen
rules-starred-count = { $number } mit Stern
rules-saved-count = { $number } gespeichert
rules-unsaved-count = { $number } nicht gespeichert, zuletzt { $time }: { $reason }
rules-unsaved-daily-limit = Regeln speichern höchstens { $most } Einträge am Tag
rules-unsaved-storage-limit = dein Speicher ist voll
rules-unsaved-deleted = du hast dieses Objekt gelöscht
rules-unsaved-unavailable = der Eintrag lässt sich nicht speichern
rules-unsaved-failed = das Speichern ist mehrmals fehlgeschlagen
rules-since = erstellt { $time }
rules-off = Ausgeschaltet
rules-off-words = { $off } { $time }: Sie brauchte zu lange
rules-matches = Einträge, auf die diese Regel passt
rules-nothing-to-test = Es gibt noch keine Einträge, um sie auszuprobieren.
rules-match-count = Von den neuesten { $examined } Einträgen passen { $matched }.
rules-nothing-changed = Nichts hat sich geändert.
rules-would-drop = Sie würden verworfen: gezählt und nie in deinen Listen, auch wenn du die Regel löschst. Noch hat sich nichts geändert.
rules-would-mute = Sie würden ausgeblendet: nicht in Listen, Zählern und Apps. Noch hat sich nichts geändert.
rules-would-read = Sie würden als gelesen markiert. Noch hat sich nichts geändert.
rules-would-keep = Sie würden behalten, auch wenn eine andere Regel passt. Noch hat sich nichts geändert.
rules-would-star = Sie bekämen einen Stern und würden in deiner Bibliothek gespeichert, höchstens { $most } Einträge am Tag für alle Regeln. Noch hat sich nichts geändert.
rules-would-save = Sie würden in deiner Bibliothek gespeichert, höchstens { $most } Einträge am Tag für alle Regeln. Noch hat sich nichts geändert.
rules-would-notify = Neue Einträge wie diese würden an die Kanäle gesendet. Vorhandene Einträge werden nicht gesendet. Noch hat sich nichts geändert.
rules-more = Und { $number } weitere.
rules-delete-question = Diese Regel löschen?
rules-too-slow = Diese Regel wurde ausgeschaltet, weil sie bei neuen Einträgen zu lange brauchte. Lösche sie und erstelle eine einfachere.
rules-has-dropped =
    { $count ->
        [one] Sie hat { $count } Eintrag verworfen. Verworfene Einträge lassen sich nicht wiederherstellen.
       *[other] Sie hat { $count } Einträge verworfen. Verworfene Einträge lassen sich nicht wiederherstellen.
    }
rules-has-muted-none = Sie hat noch keine Einträge ausgeblendet.
rules-has-muted =
    { $count ->
        [one] Sie hat { $count } Eintrag ausgeblendet. Wenn du die Regel löschst, erscheint er wieder in deinen Listen.
       *[other] Sie hat { $count } Einträge ausgeblendet. Wenn du die Regel löschst, erscheinen sie wieder in deinen Listen.
    }
rules-stay-changed = Von ihr geänderte Einträge bleiben, wie sie sind.
rules-delete = Regel löschen
rules-pattern = Wörter, Ausdruck oder Datum
rules-pattern-hint = Groß- und Kleinschreibung sind gleich. Ein Ausdruck ist ein regulärer Ausdruck wie \bRabatt\b oder ^(Anzeige|Werbung):. Für Dateien gib einen Medientyp oder eine Adresse ein, etwa audio. Für Daten gib 7d (die letzten 7 Tage), >7d (älter), before:2026-01-31, after:2026, between:2026-01,2026-03 oder future ein.
rules-tags-hint = Nur für Speichern. Optional, durch Kommas getrennt. Speichern mehrere Regeln denselben Eintrag, gelten die { $rules } ältesten, zusammen mit höchstens { $tags } Schlagwörtern.
rules-channels = Kanäle
rules-channels-hint = Nur für „An Kanäle senden“. Einträge, die eine Regel verwirft, ausblendet oder als gelesen markiert, werden nicht gesendet.
rules-channels-none = keine: Sie wurden gelöscht
rules-action = Aktion
rules-part = Suchen in
rules-kind = Suche nach
rules-unread-too = Auch auf ungelesene Einträge anwenden (die neuesten 500)
rules-preview = Treffer ansehen
rules-create = Regel erstellen
rules-drop = Verwerfen
rules-mute = Ausblenden
rules-keep = Behalten
rules-save = Speichern
rules-notify = An Kanäle senden
rules-drop-note = für dich nicht gespeichert, nur gezählt
rules-mute-note = in keiner Liste, bis du die Regel löschst
rules-read-note = nur in der Liste aller Einträge
rules-keep-note = keine andere Regel blendet sie aus oder markiert sie
rules-star-note = mit Stern und in deiner Bibliothek gespeichert
rules-save-note = in deiner Bibliothek gespeichert, mit den Schlagwörtern unten
rules-notify-note = an die Kanäle unten gesendet, auch wenn der Feed keine Kanäle hat
rules-part-any = Titel, Autor oder Text
rules-part-title = Titel
rules-part-author = Autor
rules-part-text = Text aus dem Feed
rules-part-url = Adresse
rules-part-published = Datum der Veröffentlichung
rules-part-media = angehängte Dateien
rules-part-category = Kategorien
rules-kind-words = Genau diese Wörter
rules-kind-expression = Ein regulärer Ausdruck
rules-summary-words = { $action }: „{ $pattern }“ in: { $part }
rules-summary-expression = { $action }: { $pattern } in: { $part }
