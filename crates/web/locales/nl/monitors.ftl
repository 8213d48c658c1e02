# List of monitors, and the states of a monitor.

monitors-deleted = Monitor verwijderd. De feed antwoordt nu met 410 Gone.
monitors-purpose = Een monitor controleert volgens schema een pagina, een sitemap of enkele waarden en meldt wijzigingen, hier en in elke feedlezer.
monitors-api = Met de API:
monitors-groups = Groepen
monitors-lists = Import en export
monitors-none-in-group = Er zit geen monitor in deze groep.
monitors-none-tagged = Geen monitor heeft dit label.
monitors-pause-selected = Selectie pauzeren
monitors-resume-selected = Selectie hervatten
monitors-pause-tagged = Alle { $count } met dit label pauzeren
monitors-resume-tagged = Alle { $count } met dit label hervatten
monitors-usage = { $used } van { $most } monitors; deze maand nog { $left } van { $credits } credits.
monitors-unchanged = ongewijzigd
monitors-change-selected = Selectie wijzigen
monitors-add-tags = Labels toevoegen
monitors-remove-tags = Labels verwijderen
monitors-separated = Gescheiden door komma’s.
monitors-also-notify = Ook melden via
monitors-no-longer-notify = Niet meer melden via
monitors-updated =
    { $count ->
        [one] { $count } monitor bijgewerkt.
       *[other] { $count } monitors bijgewerkt.
    }
monitors-left = Niet bijgewerkt: { $count }. Ze overschrijden het abonnement, hebben te veel labels of kanalen, of bestaan niet meer.
monitors-caption = Je monitors, nieuwste eerst
monitors-select = Selecteren
monitors-select-named = { $name } selecteren
monitors-last-change = Laatste wijziging
monitors-next-run = Volgende controle
monitors-none-yet = nog geen
monitor-active = actief
monitor-failed = mislukt
monitor-paused = gepauzeerd
monitor-over-plan = gepauzeerd: boven de limiet van het abonnement
failure-selector-none = Het bewaakte deel staat niet op de pagina
failure-selector = De selector kan op de pagina niet worden uitgevoerd
failure-settings = De instellingen van de monitor zijn ongeldig
