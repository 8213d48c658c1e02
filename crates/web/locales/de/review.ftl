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
review-mail = Per Mail
review-mail-words = Die fälligen Markierungen werden an jedem Tag gesendet, an dem es welche gibt, mit Links zu ihren Stellen.
review-mail-to = Täglich um { $time } an { $address }.
review-mail-start = An { $address } senden
review-mail-stop = Nicht mehr senden
review-mail-at-hint = Auch Änderungen, die Wächter an diese Adresse melden, kommen dann einmal am Tag mit dieser Mail.
review-mail-none = <1>Füge einen E-Mail-Kanal hinzu</1>, um sie per Mail zu bekommen.
review-mail-started = Fällige Markierungen werden gesendet.
review-mail-stopped = Fällige Markierungen werden nicht mehr gesendet.
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
