# Import of files into the library.

import-words = Je kunt bladwijzers, exports van later-lezen-diensten, markeringen uit lezers, literatuurverwijzingen, lijsten met URL’s en exports van Carrel zelf importeren.
import-checked-first = Het bestand wordt eerst gecontroleerd. Je ziet wat er geïmporteerd zou worden en beslist dan.
import-file = Bestand
import-format = Formaat
import-detect = Herkennen
import-include = Uit een export van Carrel ook feeds, monitors, instellingen, regels en posities importeren
import-check = Bestand controleren
import-fields = Wat uit elk formaat wordt geïmporteerd
import-servers = <1>Importeer van een server</1> van Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop of Pinboard.
import-opml = Importeer feeds <1>als OPML</1>.
import-folders = Mappen
import-folders-path = Eén label met het pad
import-folders-tags = Een label per map
import-folders-none = Geen labels
import-undone = Import ongedaan gemaakt.
import-no-rows = Geen rij kan opnieuw worden geprobeerd.
import-no-file = Het bestand of de lijst met rijen is niet meer bewaard. Importeer het opnieuw: wat al bestaat, wordt niet dubbel toegevoegd.
import-reloads = Deze pagina laadt opnieuw tot dit klaar is. Je kunt weggaan en terugkomen.
import-rows-checked = Gecontroleerde rijen
import-removed = Alles wat de import had toegevoegd is verwijderd, behalve items die je sindsdien hebt gewijzigd.
import-can-undo = Je kunt deze import ongedaan maken. Die mogelijkheid verloopt { $time }. Items die je hebt gewijzigd blijven, net als aanvullingen op items die je al had.
import-heading-undoing = Import wordt ongedaan gemaakt
import-heading-checking = Bestand wordt gecontroleerd
import-heading-running = Bezig met importeren
import-heading-preview = Voorbeeld van de import
import-heading-undone = Import ongedaan gemaakt
import-heading-finished = Import voltooid
import-heading-stopped = Import gestopt
import-heading-failed = Import mislukt
import-you-stopped = Je hebt de import gestopt voordat die klaar was.
import-unknown-format = Het bestand bevat geen gegevens in dit formaat. Kies een ander formaat of automatische herkenning.
import-damaged = Het bestand is beschadigd of niet van het type dat het zegt te zijn.
import-too-large = Het bestand is te groot, heeft te veel rijen of bevat een rij die te veel geheugen vraagt.
import-incomplete = De import kon niet worden voltooid.
import-rows = Rijen
import-would-be-new = Zouden nieuw zijn
import-new = Nieuw
import-existing = Al aanwezig
import-skipped = Overgeslagen
import-failed = Mislukt
import-annotations = Notities en markeringen
import-part-feed-settings = Feedinstellingen
import-part-rules = Regels
import-part-templates = Berichtsjablonen
import-part-account-settings = Accountinstellingen
import-part-positions = Posities
import-parts-uncounted = Feeds, monitors, instellingen, regels en posities worden ook geïmporteerd. Ze worden tijdens het importeren geteld.
import-problems =
    { $count ->
        [one] { $count } probleem
       *[other] { $count } problemen
    }
import-problems-first =
    { $count ->
        [one] Het eerste probleem
       *[other] De eerste { $count } problemen
    }
import-row-reason = Rij { $row }: { $reason }
import-stop = Stoppen
import-to-library = Naar bibliotheek
import-retry = Mislukte rijen opnieuw
import-from-server = Importeren van een server
import-continue = Import vervolgen
import-other-file = Ander bestand kiezen
import-undo = Ongedaan maken
import-rows-gone = De rijen worden niet meer getoond, omdat nieuwere imports de ruimte nodig hebben.
import-no-match = Geen rijen komen overeen.
import-more-rows = Meer rijen
import-download-rows = Alle rijen als CSV downloaden
import-with-problems = Met problemen
import-annotation = Notitie of markering
import-untitled = Zonder titel
import-row = Rij { $row }
import-columns = Kolommen
import-columns-words = Dit stelt Carrel voor elke kolom van het bestand voor. Als je een veld wijzigt, controleer het bestand dan opnieuw voor de import.
import-check-again = Opnieuw controleren
