# Shell of every page: navigation, footer, times, forms, and messages.

skip = Naar de inhoud
nav-main = Hoofdnavigatie
nav-today = Vandaag
nav-feeds = Feeds
nav-library = Bibliotheek
nav-monitors = Monitors
nav-settings = Opties
nav-read = Lezen
nav-api = API
nav-about = Over
nav-account = Account
nav-sign-in = Inloggen
nav-stored-texts = Opgeslagen teksten
find = Zoeken
find-everything = Alles
find-feeds-and-library = Feeds en bibliotheek doorzoeken
signed-in-as = Ingelogd als
foot-texts = De teksten op leespagina’s zijn van hun auteurs. Carrel toont ze met een link naar de bron.
foot-documents = Documenten
foot-read = Een pagina lezen
foot-handbook = Handboek
foot-reader-api = Lees-API
foot-developer-api = Ontwikkelaars-API
foot-agents = Agents
foot-problems = Fouten
foot-reading-settings = Leesinstellingen
foot-llms = llms.txt
description = Carrel toont webpagina’s als schone tekst, volgt feeds, bewaart een bibliotheek en houdt pagina’s in de gaten op wijzigingen, voor mensen en AI-assistenten.
error-title = Fout: { $title }
form-problems =
    { $count ->
        [one] Er is een probleem
       *[other] Er zijn { $count } problemen
    }
field-email = E-mailadres
field-password = Wachtwoord
field-new-password = Nieuw wachtwoord
field-current-password = Huidig wachtwoord
password-hint = Minstens 10 tekens. Een paar woorden zijn beter dan één ongewoon woord.
undo = Ongedaan maken
sample-notice = Dit account bevat voorbeeldgegevens om rond te kijken. Verwijder het als je genoeg hebt gezien.
sample-remove = Voorbeeldaccount verwijderen
language = Taal
language-hint = Taal van je pagina’s. Sommige pagina’s zijn er alleen in het Engels.
language-of-browser = Zoals de browser
language-save = Taal opslaan
language-saved = Taal opgeslagen.
time-now = zojuist
time-in-seconds =
    { $count ->
        [one] over 1 seconde
       *[other] over { $count } seconden
    }
time-in-minutes =
    { $count ->
        [one] over 1 minuut
       *[other] over { $count } minuten
    }
time-in-hours =
    { $count ->
        [one] over 1 uur
       *[other] over { $count } uur
    }
time-in-days =
    { $count ->
        [one] over 1 dag
       *[other] over { $count } dagen
    }
time-seconds-ago =
    { $count ->
        [one] 1 seconde geleden
       *[other] { $count } seconden geleden
    }
time-minutes-ago =
    { $count ->
        [one] 1 minuut geleden
       *[other] { $count } minuten geleden
    }
time-hours-ago =
    { $count ->
        [one] 1 uur geleden
       *[other] { $count } uur geleden
    }
time-days-ago =
    { $count ->
        [one] 1 dag geleden
       *[other] { $count } dagen geleden
    }
manifest-description = Feeds, een bibliotheek, monitors, en elke pagina als schone tekst.
search-description = Zoek in je feeds en je bibliotheek, of open een pagina via het adres.
