# Form of a new monitor, and its preview.

monitor-new = Nieuwe monitor
monitor-new-words = Carrel controleert een pagina regelmatig en meldt wanneer het deel dat je interesseert verandert.
monitor-full = Je abonnement staat geen monitors meer toe.
monitor-full-used = { $used } van { $limit } in gebruik.
monitor-full-words = Verwijder er een die je niet meer nodig hebt, of laat er een iets anders bewaken.
monitor-full-list = Naar je monitors
monitor-full-plan = Abonnement en gebruik
monitor-examples = Probeer een voorbeeld
monitor-example-change = Elke wijziging van een pagina
monitor-example-word = Een woord verschijnt
monitor-example-list = Nieuws in een lijst
monitor-preview = Voorbeeld
monitor-preview-again = Nieuw voorbeeld
monitor-preview-empty = Druk op Voorbeeld om te zien wat deze monitor gaat bewaken. Het kost geen credits.
monitor-start = Bewaken
monitor-cancel = Annuleren
step-1 = 1. Wat bewaken
step-2 = 2. Wanneer
step-3 = 3. Hoe je bericht krijgt
monitor-address = Adres van de pagina
monitor-address-hint = De openbare pagina, sitemap of het JSON-document om te bewaken.
monitor-type = Soort
target-page = Een pagina
target-page-words = de tekst of een deel ervan; 1 credit per keer
target-sitemap = Een sitemap
target-sitemap-words = toegevoegde en verwijderde adressen; 2 credits per keer
target-product = Een product
target-product-words = naam, prijs en beschikbaarheid; 3 credits per keer
target-calendar = Een agenda
target-calendar-words = de afspraken van een iCalendar-bestand; 2 credits per keer
target-file = Een bestand
target-file-words = van elk formaat, op grootte en hash; 1 credit per keer
target-image = Een afbeelding
target-image-words = op uiterlijk, zoals van een webcam; 2 credits per keer
target-headers = Headers
target-headers-words = de status en headers van het antwoord; 1 credit per keer
target-extract = Waarden
target-extract-words = zoals prijzen, met een selector; 3 credits per keer
monitor-part = Alleen een deel van de pagina
monitor-selector = Selector
monitor-selector-hint = CSS, zoals #price of li:contains("Tickets"), XPath, zoals //table[2]//tr, JSONPath, zoals $.version, of jq, zoals jq:.items[] | select(.free) | .name. Van een pagina lezen JSONPath en jq de gegevens van de scripts: $['ld+json'][0].offers.price of $.__NEXT_DATA__.props. Bij meerdere, één per regel, wordt ook gemeld wanneer er een verschijnt of verdwijnt. Voor het uiterlijk: één CSS-selector.
monitor-filters = Filters
monitor-filters-hint = Eén per regel, op volgorde toegepast op de regels van de pagina: keep of drop met een reguliere expressie, zoals drop ^Advert; replace, zoals replace \d+ views => views; sort; unique. Het voorbeeld toont de regels na elk filter.
monitor-sitemap = Filters van de sitemap
monitor-include = Adressen opnemen
monitor-include-hint = Eén patroon per regel, zoals /blog/*.
monitor-exclude = Adressen uitsluiten
monitor-exclude-hint = Eén patroon per regel.
monitor-values = Waarden
monitor-values-hint = Eén per regel, zoals price = .price. Een sterretje na de naam markeert de sleutel die een element herkent. Bevat een waarde meer getallen, kies er een met first, last, least of greatest tussen haakjes, zoals price (least) = .price. Noem van headers welke te lezen, zoals etag = ETag.
monitor-items = Herhaald element
monitor-items-hint = CSS-selector of XPath van het herhaalde element, zoals .product. Leeg: de pagina is één element.
monitor-empty = De lijst mag leeg zijn, zoals een lijst met vrije afspraken.
monitor-empty-words = Anders telt een lege lijst alleen als die twee keer leeg is.
monitor-headers = Headers
monitor-headers-hint = Eén per regel, zoals etag = ETag. Leeg: alle headers behalve die altijd verschillen.
monitor-interval = Controleren
monitor-not-in-plan = (niet in je abonnement)
every-minutes =
    { $count ->
        [1] elke minuut
        [one] elke { $count } minuten
       *[other] elke { $count } minuten
    }
every-hours =
    { $count ->
        [1] elk uur
        [one] elke { $count } uur
       *[other] elke { $count } uur
    }
every-days =
    { $count ->
        [1] elke dag
        [one] elke { $count } dagen
       *[other] elke { $count } dagen
    }
every-week = elke week
monitor-trigger = Melden wanneer
trigger-any = er iets verandert
trigger-text-appears = een tekst verschijnt
trigger-text-disappears = een tekst verdwijnt
trigger-above = een getal stijgt boven
trigger-below = een getal daalt onder
trigger-share = minstens dit percentage verandert
trigger-added = er iets bij komt
trigger-removed = er iets verdwijnt
trigger-condition = aan de voorwaarden hieronder is voldaan
monitor-value = Tekst of getal
monitor-value-hint = Niet nodig voor ‘er iets verandert’.
monitor-one-value = Slechts één van de waarden
monitor-value-name = Naam van de waarde
monitor-value-name-hint = Een naam uit Waarden; van een product name, price, currency of availability; van een afspraak title, start, end, location, status of repeats; van een bestand size of sha256; van headers status of een header. Leeg: elke waarde.
monitor-conditions = Voorwaarden
monitor-conditions-hint = Eén per regel; alle moeten waar zijn. Een regel met het woord or begint een alternatief. Begin bij waarden met een naam, zoals price falls by 10%, price new low in 30 days, price between 5 and 9, of not stock contains sold out. Zonder waarden: contains tickets, matches v\d+, count above 3, length below 200, of similarity below 80.
monitor-repeat = Opnieuw melden zolang het waar is
monitor-repeat-after = Opnieuw melden na
monitor-repeat-hint = Uren, zoals 24. Leeg: één keer melden, wanneer het waar wordt.
monitor-ignore = Sommige wijzigingen negeren
monitor-ignore-label = Wijzigingen negeren met
monitor-ignore-hint = Eén tekst per regel. Blokken met die tekst worden genegeerd.
schedule-days = Dagen en tijden
schedule-only-on = Alleen op
day-monday = maandag
day-tuesday = dinsdag
day-wednesday = woensdag
day-thursday = donderdag
day-friday = vrijdag
day-saturday = zaterdag
day-sunday = zondag
schedule-week = Welke van deze dagen in de maand
schedule-week-all = alle
week-first = eerste
week-second = tweede
week-third = derde
week-fourth = vierde
week-last = laatste
schedule-times = Op deze tijden
schedule-times-hint = Gescheiden door komma’s, zoals 08:30, 17:00. Ze vervangen het interval.
schedule-from = Alleen van
schedule-from-hint = Zoals 08:00. Binnen deze uren volgt de monitor zijn interval.
schedule-to = tot
schedule-to-hint = Zoals 18:00.
schedule-zone = Tijdzone
schedule-zone-hint = Zoals Europe/Berlin. Leeg: UTC.
schedule-jitter = Willekeurige vertraging in minuten
schedule-jitter-hint = Hoogstens 120. Leeg: minder dan een minuut.
schedule-not-before = Niet voor
schedule-not-before-hint = Een datum zoals 2026-12-24, of een tijd zoals 2026-12-24T08:00:00Z.
schedule-muted = Stille uren en fouten
schedule-mute-from = Geen berichten van
schedule-mute-from-hint = Zoals 22:00, in de tijdzone van Dagen en tijden. Controles gaan door; berichten wachten tot het einde.
schedule-mute-to-hint = Zoals 07:00.
schedule-failures = Bericht na zoveel fouten op rij
schedule-failures-hint = Leeg: alleen wanneer de monitor stopt.
monitor-follow = Wijzigingen ook in mijn feeds tonen
monitor-notify = Bericht via
monitor-no-channels = Je hebt nog geen kanalen. <1>Voeg er een toe</1> voor bericht per e-mail, webhook of chat.
monitor-group = Groep
monitor-group-none = geen
monitor-override = Afwijken van de groep
monitor-override-hint = De instellingen van de groep vervangen die van dit formulier, behalve wat je hier kiest.
setting-interval = Interval
setting-channels = Kanalen
monitor-tags-hint = Optioneel. Labels gescheiden door komma’s, zoals thuis, prijzen. Hoogstens { $count }.
monitor-name = Naam
monitor-name-hint = Het voorbeeld stelt de titel van de pagina voor; je kunt die wijzigen.
monitor-name-limit = Hoogstens { $count } tekens.
request = Verzoek en aanmelding
request-agent = User-agent
request-agent-hint = Leeg: die van Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (niet meer beschikbaar)
request-headers-hint = Eén per regel, zoals Accept-Language: de. Voer geheimen hieronder in.
request-post = Verstuur een verzoek met deze inhoud
request-method = Methode
request-body = Inhoud
request-body-hint = Elke keer wordt die verstuurd, dus het effect herhaalt zich.
request-media = Mediatype van de inhoud
request-media-hint = Leeg: formuliergegevens.
request-cookies = Cookies van de site tussen controles bewaren
request-any-status = Een foutstatus, zoals 404, is inhoud.
request-any-status-words = Anders mislukt zo’n controle.
request-credentials = Inloggegevens
credentials-keep = Bewaarde inloggegevens behouden
credentials-none = Geen
credentials-basic = Gebruikersnaam en wachtwoord
credentials-bearer = Bearer-token
credentials-header = Een andere header, zoals een API-sleutel of cookie
request-user = Gebruikersnaam of naam van de header
request-user-hint = Niet nodig voor een bearer-token.
request-secret = Wachtwoord, token of waarde
request-secret-hint = Alleen naar deze site verstuurd, en nooit getoond.
preview-heading = Wat wordt bewaakt
preview-of-page = Zojuist gevonden op ‘{ $title }’: { $amount }. Geen credits gebruikt.
preview-of-address = Zojuist gevonden: { $amount }. Geen credits gebruikt.
preview-lines =
    { $count ->
        [one] 1 regel tekst
       *[other] { $count } regels tekst
    }
preview-addresses =
    { $count ->
        [one] 1 adres
       *[other] { $count } adressen
    }
preview-items =
    { $count ->
        [one] 1 element
       *[other] { $count } elementen
    }
preview-nothing = niets
preview-number = Het te vergelijken getal: { $number }
preview-number-of = Het te vergelijken getal van { $item }: { $number }
preview-met = Aan de voorwaarde is al voldaan. De eerste controle meldt niets. Er volgt een melding als er niet meer aan wordt voldaan en daarna weer wel.
preview-met-repeat = Aan de voorwaarde is al voldaan. De eerste controle meldt niets. Blijft dat zo, dan volgt een melding na het aantal uren bij ‘{ $field }’.
preview-not-met = Aan de voorwaarde is nu niet voldaan.
preview-filter =
    { $count ->
        [one] Na filter { $number }: { $count } regel
       *[other] Na filter { $number }: { $count } regels
    }
preview-only-first = Alleen de eerste { $count } worden getoond.
preview-or-only = Of bewaak alleen
preset-address = Een beter adres
preset-product = Dit product: elke wijziging
preset-product-price = Dit product: de prijs daalt
preset-in-stock = Weer op voorraad
preset-price-falls = De prijs daalt
preset-price-changes = De prijs verandert
preset-stock = Op voorraad of uitverkocht
preset-list = Nieuws in deze lijst
preset-part = Deze tekst verandert
unwatched-margin = niet bewaakt: buiten de hoofdtekst; een selector of een verwachte tekst neemt het mee
unwatched-clock = niet bewaakt: lijkt op een klok of datum van de pagina
unwatched-part = tijden en tellers erin worden niet bewaakt
unwatched-ignored = genegeerd door je regel
unwatched-learned = niet bewaakt: verandert bij elke controle
target-visual = Het uiterlijk
target-visual-words = van een pagina in een browser, of van één element; 3 credits per keer
rendering = Scripts
rendering-open = De pagina openen in een browser, die de scripts uitvoert.
rendering-open-words = 3 credits per keer. Voor pagina’s, producten en waarden, zonder inhoud van het verzoek en zonder proxy.
rendering-wait = Wachten op
rendering-wait-hint = CSS-selector van een element zonder welk de pagina niet compleet is.
rendering-steps = Stappen
rendering-steps-hint = Eén per regel, voordat de pagina wordt gelezen: click .more, type #search => boats, press Enter, select #sort => Prijs, scroll_end, wait 2 (seconden) of wait_text Op voorraad. Het handboek noemt ze allemaal. Met een vraagteken (click? .close) wordt een stap overgeslagen als het element ontbreekt. Schrijf voor een wachtwoord of ander geheim secret #password; daaronder verschijnt een veld ervoor. Andere teksten worden onveranderd bewaard.
rendering-cookie-notices = Cookiemeldingen sluiten
rendering-cookie-notices-words = Ze worden geweigerd of anders verborgen, nooit aanvaard.
pick-button = Kiezen op een afbeelding van de pagina
pick-hint = Een browser opent de pagina en toont de onderdelen. Dat telt als vijf nieuwe extracties, net als elk voorbeeld in een browser.
pick-no-browser = Om een onderdeel op een afbeelding van de pagina te kiezen, heeft deze dienst een browser nodig, die ontbreekt. Ook Voorbeeld stelt onderdelen voor.
pick-heading = Een onderdeel van de pagina kiezen
pick-words = Kies op de afbeelding of in de lijst wat wordt bewaakt. De pagina wordt dan elke keer in een browser geopend: 3 credits per keer.
pick-cut = Niet alle onderdelen zijn te kiezen: de pagina is te lang, heeft te veel onderdelen of is niet volledig geladen.
pick-empty = Geen onderdeel van de pagina heeft tekst die kan worden bewaakt.
pick-another = Een ander onderdeel kiezen
pick-alt = Afbeelding van de pagina
pick-parts = Onderdelen van de pagina
pick-chosen = Gekozen onderdelen
pick-more = Druk op een ander onderdeel om het toe te voegen, of op een gekozen onderdeel om het te verwijderen.
pick-steps-button = Stappen op een afbeelding kiezen
pick-purpose = Wat kies je?
pick-purpose-part = Het onderdeel dat wordt bewaakt
pick-purpose-step = Stappen voordat de pagina wordt gelezen
pick-steps-heading = Stappen op de pagina kiezen
pick-step-words = Druk op een element op de afbeelding of in de lijst en kies dan wat ermee gebeurt. Na elke stap toont een nieuwe afbeelding de pagina; elke afbeelding telt als vijf nieuwe extracties.
pick-steps = Stappen tot nu toe
pick-step-remove = Stap { $number } verwijderen
pick-step-on = Stap op “{ $name }”
pick-step-click = Klikken
pick-step-type = Invullen
pick-step-wait = Wachten tot het er is
pick-step-scroll = Ernaartoe scrollen
pick-step-select = Een optie kiezen
pick-step-check = Aanvinken
pick-step-uncheck = Uitvinken
pick-step-press = Er een toets in indrukken
pick-step-hover = De aanwijzer erop plaatsen
pick-step-wait-text = Op een tekst erin wachten
pick-step-wait-gone = Wachten tot het weg is
pick-step-scroll-end = Naar het einde van de lijst scrollen
pick-step-remove-element = Van de pagina verwijderen
pick-step-key = Toets
pick-step-optional = Deze stap overslaan als het element ontbreekt
pick-step-text = Tekst van de stap
pick-step-text-hint = Voor “Invullen”, “Een optie kiezen” en “Op een tekst wachten”. Hoogstens { $count } tekens.
pick-step-add = Stap toevoegen en pagina tonen
pick-kind-button = (knop)
pick-kind-field = (veld)
pick-step-secret = Een geheim invullen
step-secret = Geheim voor { $selector }
step-secret-new = In te vullen geheim
step-secret-hint = Wordt versleuteld bewaard, alleen op deze site ingevuld en nooit getoond.
step-secret-set = Het is ingesteld. Laat leeg om het te behouden.
monitor-explanation = Taalmodel
monitor-explanation-words = Als je het <1>taalmodel</1> hebt aangezet, krijgt het de verschillen van elke wijziging en zegt het in één zin wat er is veranderd. Berichten wachten er hoogstens 10 minuten op.
monitor-explanation-explain = Elke wijziging uitleggen
monitor-explanation-wish = Wijzigingen die voor jou van belang zijn
monitor-explanation-wish-hint = Bijvoorbeeld: alleen prijsdalingen. Hoogstens { $count } tekens. Leeg als alle van belang zijn.
monitor-explanation-only = Geen berichten sturen over onbelangrijke wijzigingen. Ze blijven in de geschiedenis en in de feed.
