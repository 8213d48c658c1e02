# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } ungelesener Eintrag
       *[other] { $amount } ungelesene Einträge
    }
today-unread-partial =
    { $count ->
        [one] mindestens { $amount } ungelesener Eintrag
       *[other] mindestens { $amount } ungelesene Einträge
    }
today-unread-heading = Ungelesen
today-all-unread = Alle ungelesenen
today-order = Zuerst die Feeds, die du am meisten markierst und liest.
today-search-or-open = Suchen oder öffnen
today-search-label = Alles durchsuchen oder eine Seite öffnen
today-search-hint = Durchsucht deine Feeds und deine Bibliothek. Gib eine Adresse ein, um die Seite zu öffnen.
today-search-example = Hafen oder https://…
today-go = Los
today-changes = Änderungen
today-all-changes = Alle Änderungen
today-started = Weiterlesen
today-saved = Zuletzt gespeichert
today-waiting = Vor langer Zeit gespeichert
today-this-day = An diesem Tag
today-attention = Braucht deine Aufmerksamkeit
today-all-failing = Alle Feeds, die nicht antworten
begin = Erste Schritte
begin-progress = { $completed } von { $count } erledigt
begin-done = Erledigt
begin-follow = Folge einer Website
begin-follow-words = und sieh ihre neuen Einträge hier und unter Feeds.
begin-save = Speichere eine Seite
begin-save-words = und lies sie später, mit Markierungen und Notizen.
begin-watch = Beobachte einen Preis
begin-watch-words = oder einen anderen Teil einer Seite und sieh die Änderungen hier.
begin-continue = Weiter
begin-close = Nicht mehr anzeigen
nothing-new = Nichts Neues
nothing-feeds = <1>Finde weitere Websites</1> oder <2>bring deine Feeds</2> aus einem anderen Reader mit.
nothing-library = <1>Stöbere in deiner Bibliothek</1> oder <2>bring deine gespeicherten Seiten mit</2>.
nothing-monitors = <1>Beobachte eine Seite</1>, um ihre Änderungen hier zu sehen.
