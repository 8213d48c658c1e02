# Daily review of highlights.

review = Markeringen herhalen
review-due =
    { $count ->
        [one] Vandaag is er { $count } markering te herhalen.
       *[other] Vandaag zijn er { $count } markeringen te herhalen.
    }
review-start = Nu herhalen
review-left =
    { $count ->
        [one] Vandaag nog { $count }
       *[other] Vandaag nog { $count }
    }
review-soon = Binnenkort
review-later = Later
review-never = Nooit meer
review-rule =
    { $count ->
        [one] ‘Binnenkort’ toont haar morgen weer, ‘Later’ over { $count } dag, en daarna met steeds langere tussenpozen.
       *[other] ‘Binnenkort’ toont haar morgen weer, ‘Later’ over { $count } dagen, en daarna met steeds langere tussenpozen.
    }
review-none = Vandaag is er niets te herhalen.
review-none-words = Een nieuwe markering komt een dag later aan de beurt en keert met groeiende tussenpozen terug.
review-removed = Deze markering wordt niet meer herhaald. Op de pagina van haar item kun je haar weer opnemen.
highlight-review-again = Weer herhalen
item-highlight-resumed = Deze markering wordt weer herhaald.
review-frequency = Hoe vaak deze bron terugkomt
review-frequency-more = Vaker
review-frequency-normal = Normaal
review-frequency-less = Minder vaak
review-frequency-never = Nooit
review-frequency-saved = Frequentie bewaard.
review-per-day = Markeringen per dag
review-per-day-saved = Aantal bewaard.
review-sources = Bronnen die vaker of minder vaak terugkomen
review-sources-more = Alleen de nieuwste { $count } staan in de lijst.
review-send = Naar je kanalen sturen
review-send-words = De markeringen van de dag worden gestuurd op elke dag dat er zijn, met links naar de passages.
review-send-to = Dagelijks om { $time } naar { $address }.
review-send-start = Sturen naar { $address }
review-send-stop = Niet meer sturen
review-send-at-hint = Berichten over monitors en feeds aan dit kanaal komen dan ook één keer per dag, in dit bericht.
review-send-none = <1>Voeg een kanaal toe</1> om ze per mail of in een chat te krijgen.
review-send-started = De markeringen van de dag worden gestuurd.
review-send-stopped = De markeringen van de dag worden niet meer gestuurd.
review-themes = Herhalingen per thema
review-themes-words = Elk toont een eigen aantal markeringen per dag, naast de algemene herhaling.
review-themes-edit = Herhalingen per thema toevoegen of wijzigen
review-theme-new = Nieuwe herhaling per thema
review-theme-name = Naam
review-theme-choose = Welke markeringen
review-theme-tag = Met het label
review-theme-item = Uit de bron
review-theme-search = Gevonden door de bewaarde zoekopdracht
review-theme-same = De huidige bron
review-theme-add = Toevoegen
review-theme-delete = Herhaling verwijderen
review-theme-stay = De markeringen blijven.
review-theme-created = Herhaling toegevoegd.
review-theme-changed = Herhaling gewijzigd.
review-theme-deleted = Herhaling verwijderd.
review-theme-no-search = De bewaarde zoekopdracht is verwijderd. Kies andere markeringen.
review-theme-no-item = De bron is verwijderd.
card = Kaart voor het herhalen
card-make = Kaart maken
card-change = Kaart wijzigen
card-words = Bij het herhalen vraagt eerst de kaart, en een druk toont het antwoord. Een markering heeft één kaart: bewaren vervangt haar.
card-gaps = Woorden verbergen
card-gaps-rule = Woorden die worden verborgen
card-gaps-first = Alleen de eerste { $count } woorden staan in de lijst.
card-gaps-written = Andere delen die worden verborgen, één per regel
card-gaps-save = Gaten bewaren
card-question = Een vraag stellen
card-question-label = Vraag
card-answer = Antwoord
card-question-save = Vraag bewaren
card-delete = Kaart verwijderen
card-saved = De kaart is bewaard.
card-deleted = De kaart is verwijderd.
card-unfit = De kaart past niet bij de woorden van de markering en verbergt daarom niets. Kies de gaten opnieuw.
card-show-answer = Antwoord tonen
