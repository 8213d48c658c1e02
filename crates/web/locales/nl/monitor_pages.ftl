# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Groepen van monitors
groups-deleted = Groep verwijderd. De monitors houden hun instellingen.
groups-words = Monitors van een groep delen instellingen, zoals interval, stille uren en kanalen. Een groep kan een openbare pagina en feed hebben.
groups-public = openbaar
groups-new = Nieuwe groep
groups-create = Groep maken
groups-count =
    { $count ->
        [one] { $count } monitor
       *[other] { $count } monitors
    }
groups-in-group = { $link } in deze groep.
group-made = Groep gemaakt. Kies haar in het formulier van een monitor, of voor geselecteerde monitors in de lijst.
group-saved = Groep bewaard.
group-title = Groep
group-publish = Openbare pagina en feed
group-publish-words = Iedereen met de link kan de namen van de monitors en hun wijzigingen lezen. Zet je dit uit, dan werken de links nooit meer.
group-new-monitor = Nieuwe monitor hier
group-shared-words = Gedeelde instellingen gelden voor elke monitor in de groep, tenzij die eigen instellingen heeft. Deel je een instelling niet meer, dan houdt elke monitor de waarde.
group-check = Controleren
group-own-interval = instelling van elke monitor
group-share-days = Deze dagen en tijden delen
group-share-channels = Deze kanalen delen
group-page = Openbare pagina
group-page-words = Iedereen met deze link kan de pagina lezen. Is de pagina privé, behandel de link dan als een wachtwoord.
group-page-link = Link van de pagina
group-delete-question = De groep { $name } verwijderen?
group-delete-words = De monitors blijven, met hun huidige instellingen. De openbare pagina en feed werken nooit meer.
group-delete = Groep verwijderen
duplicate-name = { $name } (kopie)
duplicate-heading = { $name } dupliceren
duplicate-words = De kopie heeft alle instellingen van deze monitor en bewaakt een ander adres. Je kunt haar daarna bewerken.
duplicate-create = Kopie maken
lists-heading = Monitors importeren en exporteren
lists-words = Een back-up van changedetection.io (ZIP), een lijst van urlwatch (urls.yaml) of een export van deze dienst. Monitors die je al hebt, blijven ongewijzigd.
lists-download = Monitors als JSON downloaden
lists-imported = Je monitors zijn geïmporteerd
lists-program = Het bestand is een lijst van { $program }.
lists-new = Nieuw
lists-existing = Bestaand
lists-refused = Niet geïmporteerd
lists-not-read = Niet gelezen
lists-not-read-words = Sommige monitors zijn niet gelezen: ze zijn defect, of de lijst heeft er meer dan 1000.
lists-show = Monitors tonen
lists-line-new = { $monitor }: nieuw
lists-line-existing = { $monitor }: bestond al
lists-line-refused = { $monitor }: niet geïmporteerd. { $reason }
lists-without = Zonder: { $settings }
changes-search = Wijzigingen doorzoeken
changes-no-match-newest = Geen treffer onder de nieuwste wijzigingen.
changes-no-match = Geen wijzigingen komen overeen.
changes-older = Oudere wijzigingen
monitor-edit-heading = { $name } bewerken
monitor-edit-preview-empty = Het voorbeeld toont welke eerdere wijzigingen met deze instellingen gemeld zouden worden.
monitor-edit-baseline = Als je het adres wijzigt, of wat daar bewaakt wordt, is de volgende controle de nieuwe basis.
monitor-edit-preview = Testen op eerdere
monitor-edit-replayed =
    { $count ->
        [one] Met deze instellingen zou { $left } van de laatste { $count } wijziging zijn gemeld.
       *[other] Met deze instellingen zouden { $left } van de laatste { $count } wijzigingen zijn gemeld.
    }
monitor-edit-reported = gemeld: { $change }
monitor-edit-not-reported = niet gemeld: { $change }
monitor-edit-unknown = onbekend: { $change }
monitor-edit-past = Eerdere wijzigingen
monitor-rotate-question = De feedlink van { $name } vervangen?
monitor-rotate-words = De huidige feedlink en alle links naar wijzigingen werken meteen niet meer. Feedlezers hebben de nieuwe link nodig. De monitor en de pagina blijven hetzelfde.
monitor-rotate = Feedlink vervangen
monitor-delete-question = { $name } verwijderen?
monitor-delete-words = De controles en wijzigingen worden verwijderd, en de feed antwoordt 410 Gone. Dit kan niet ongedaan worden gemaakt.
monitor-delete-button = Monitor verwijderen
