# Daily review of highlights.

review = Markierungen wiederholen
review-due =
    { $count ->
        [one] Heute ist { $count } Markierung fällig.
       *[other] Heute sind { $count } Markierungen fällig.
    }
review-start = Jetzt wiederholen
review-left =
    { $count ->
        [one] Heute noch { $count }
       *[other] Heute noch { $count }
    }
review-soon = Bald
review-later = Später
review-never = Nie wieder
review-rule =
    { $count ->
        [one] „Bald“ zeigt sie morgen wieder, „Später“ in { $count } Tag, und danach in immer längeren Abständen.
       *[other] „Bald“ zeigt sie morgen wieder, „Später“ in { $count } Tagen, und danach in immer längeren Abständen.
    }
review-none = Heute ist nichts fällig.
review-none-words = Eine neue Markierung ist einen Tag später fällig und kommt dann in wachsenden Abständen wieder.
review-removed = Die Markierung wird nicht mehr wiederholt. Auf der Seite ihres Objekts kannst du sie wieder aufnehmen.
highlight-review-again = Wieder wiederholen
item-highlight-resumed = Die Markierung wird wieder wiederholt.
review-frequency = Wie oft diese Quelle wiederkommt
review-frequency-more = Öfter
review-frequency-normal = Normal
review-frequency-less = Seltener
review-frequency-never = Nie
review-frequency-saved = Häufigkeit gespeichert.
review-per-day = Markierungen pro Tag
review-per-day-saved = Anzahl gespeichert.
review-sources = Quellen, die öfter oder seltener wiederkommen
review-sources-more = Nur die neuesten { $count } sind aufgeführt.
review-send = An Kanäle senden
review-send-words = Die fälligen Markierungen werden an jedem Tag gesendet, an dem es welche gibt, mit Links zu ihren Stellen.
review-send-to = Täglich um { $time } an { $address }.
review-send-start = An { $address } senden
review-send-stop = Nicht mehr senden
review-send-at-hint = Auch Nachrichten über Wächter und Feeds an diesen Kanal kommen dann einmal am Tag mit dieser Nachricht.
review-send-none = <1>Füge einen Kanal hinzu</1>, um sie per E-Mail oder im Chat zu bekommen.
review-send-started = Fällige Markierungen werden gesendet.
review-send-stopped = Fällige Markierungen werden nicht mehr gesendet.
review-themes = Themen-Wiederholungen
review-themes-words = Jede zeigt pro Tag eine eigene Anzahl von Markierungen, zusätzlich zur allgemeinen Wiederholung.
review-themes-edit = Themen-Wiederholungen hinzufügen oder ändern
review-theme-new = Neue Themen-Wiederholung
review-theme-name = Name
review-theme-choose = Welche Markierungen
review-theme-tag = Mit dem Schlagwort
review-theme-item = Aus der Quelle
review-theme-search = Gefunden von der gespeicherten Suche
review-theme-same = Die jetzige Quelle
review-theme-add = Hinzufügen
review-theme-delete = Wiederholung löschen
review-theme-stay = Ihre Markierungen bleiben.
review-theme-created = Themen-Wiederholung hinzugefügt.
review-theme-changed = Themen-Wiederholung geändert.
review-theme-deleted = Themen-Wiederholung gelöscht.
review-theme-no-search = Die gespeicherte Suche wurde gelöscht. Wähle andere Markierungen.
review-theme-no-item = Die Quelle wurde gelöscht.
card = Karte für Wiederholungen
card-make = Karte erstellen
card-change = Karte ändern
card-words = Beim Wiederholen fragt zuerst die Karte, und ein Druck zeigt die Antwort. Eine Markierung hat eine Karte: Speichern ersetzt sie.
card-gaps = Wörter verdecken
card-gaps-rule = Wörter, die verdeckt werden
card-gaps-first = Nur die ersten { $count } Wörter sind aufgeführt.
card-gaps-written = Weitere Teile, die verdeckt werden, einer je Zeile
card-gaps-save = Lücken speichern
card-question = Eine Frage stellen
card-question-label = Frage
card-answer = Antwort
card-question-save = Frage speichern
card-delete = Karte löschen
card-saved = Die Karte wurde gespeichert.
card-deleted = Die Karte wurde gelöscht.
card-unfit = Die Karte passt nicht zu den Wörtern der Markierung und verdeckt deshalb nichts. Wähle ihre Lücken neu.
card-show-answer = Antwort zeigen
