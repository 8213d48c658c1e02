# Shell of every page: navigation, footer, times, forms, and messages.

skip = Zum Inhalt springen
nav-main = Hauptnavigation
nav-today = Heute
nav-feeds = Feeds
nav-library = Bibliothek
nav-monitors = Wächter
nav-settings = Optionen
nav-read = Lesen
nav-api = API
nav-about = Über
nav-account = Konto
nav-sign-in = Anmelden
nav-stored-texts = Gespeicherte Texte
find = Suchen
find-everything = Alles
find-feeds-and-library = Feeds und Bibliothek durchsuchen
signed-in-as = Angemeldet als
foot-texts = Die Texte der Leseseiten gehören ihren Autoren. Carrel zeigt sie mit einem Link zur Quelle.
foot-documents = Dokumente
foot-read = Seite lesen
foot-handbook = Handbuch
foot-reader-api = Lese-API
foot-developer-api = Entwickler-API
foot-agents = Agenten
foot-problems = Fehler
foot-reading-settings = Leseansicht
foot-llms = llms.txt
description = Carrel zeigt Webseiten als reinen Text, folgt Feeds, führt eine Bibliothek und beobachtet Seiten auf Änderungen, für Menschen und KI-Assistenten.
error-title = Fehler: { $title }
form-problems =
    { $count ->
        [one] Es gibt ein Problem
       *[other] Es gibt { $count } Probleme
    }
field-email = E-Mail-Adresse
field-password = Passwort
field-new-password = Neues Passwort
field-current-password = Aktuelles Passwort
password-hint = Mindestens 10 Zeichen. Mehrere Wörter sind besser als ein ungewöhnliches Wort.
undo = Rückgängig
sample-notice = Dieses Konto enthält Beispieldaten zum Ausprobieren. Entferne es, wenn du genug gesehen hast.
sample-remove = Beispielkonto entfernen
language = Sprache
language-hint = Sprache deiner Seiten. Einige Seiten gibt es nur auf Englisch.
language-of-browser = Wie im Browser
language-save = Sprache speichern
language-saved = Sprache gespeichert.
time-now = gerade eben
time-in-seconds =
    { $count ->
        [one] in 1 Sekunde
       *[other] in { $count } Sekunden
    }
time-in-minutes =
    { $count ->
        [one] in 1 Minute
       *[other] in { $count } Minuten
    }
time-in-hours =
    { $count ->
        [one] in 1 Stunde
       *[other] in { $count } Stunden
    }
time-in-days =
    { $count ->
        [one] in 1 Tag
       *[other] in { $count } Tagen
    }
time-seconds-ago =
    { $count ->
        [one] vor 1 Sekunde
       *[other] vor { $count } Sekunden
    }
time-minutes-ago =
    { $count ->
        [one] vor 1 Minute
       *[other] vor { $count } Minuten
    }
time-hours-ago =
    { $count ->
        [one] vor 1 Stunde
       *[other] vor { $count } Stunden
    }
time-days-ago =
    { $count ->
        [one] vor 1 Tag
       *[other] vor { $count } Tagen
    }
manifest-description = Feeds, eine Bibliothek, Wächter und jede Seite als reiner Text.
search-description = Durchsuche deine Feeds und deine Bibliothek oder öffne eine Seite über ihre Adresse.
