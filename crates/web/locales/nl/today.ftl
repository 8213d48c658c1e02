# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } ongelezen item
       *[other] { $amount } ongelezen items
    }
today-unread-partial =
    { $count ->
        [one] minstens { $amount } ongelezen item
       *[other] minstens { $amount } ongelezen items
    }
today-unread-heading = Ongelezen
today-all-unread = Alle ongelezen
today-order = Eerst de feeds die je het meest leest en met een ster markeert.
today-search-or-open = Zoeken of openen
today-search-label = Doorzoek alles of open een pagina
today-search-hint = Doorzoekt je feeds en je bibliotheek. Voer een adres in om de pagina te openen.
today-search-example = haven, of https://…
today-go = Ga
today-changes = Wijzigingen
today-all-changes = Alle wijzigingen
today-started = Verder lezen
today-saved = Onlangs bewaard
today-waiting = Lang geleden bewaard
today-this-day = Op deze dag
today-attention = Vraagt je aandacht
today-all-failing = Alle feeds die niet antwoorden
begin = Aan de slag
begin-progress = { $completed } van { $count } klaar
begin-done = Klaar
begin-follow = Volg een site
begin-follow-words = om de nieuwe items hier en onder Feeds te zien.
begin-save = Bewaar een pagina
begin-save-words = om die later te lezen, met je markeringen en notities.
begin-watch = Bewaak een prijs
begin-watch-words = of een ander deel van een pagina, om de wijzigingen hier te zien.
begin-continue = Verder
begin-close = Niet meer tonen
nothing-new = Niets nieuws
nothing-feeds = <1>Vind meer sites om te volgen</1>, of <2>neem je feeds mee</2> uit een andere lezer.
nothing-library = <1>Blader door je bibliotheek</1>, of <2>neem je bewaarde pagina’s mee</2>.
nothing-monitors = <1>Bewaak een pagina</1> om de wijzigingen hier te zien.
