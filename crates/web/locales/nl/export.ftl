# Export of the library.

export-everything = Alles
export-everything-words = Teksten, bestanden, labels, notities en markeringen, plus je feeds, sterren, regels, monitors en hun wijzigingen. Kan weer geïmporteerd worden.
export-bookmarks = Bladwijzers
export-bookmarks-words = Adressen, titels en labels, voor elke browser.
export-table = Een tabel
export-table-words = Eén regel per item, voor een spreadsheet.
export-cards = Kaarten
export-cards-words = Gaten en vragen van je markeringen, als tekst voor Anki.
export-create = Export maken
export-feeds = Exporteer je feeds <1>als OPML</1>.
export-creating = Export wordt gemaakt
export-reloads = Deze pagina laadt opnieuw tot de export klaar is. Je kunt weggaan en terugkomen.
export-written = Geschreven items
export-progress = { $done } van { $total }
export-failed = Export mislukt
export-failed-words = De export kon niet worden gemaakt. <1>Probeer het opnieuw</1>.
export-yours = Je export
export-expires = De bestanden worden { $time } verwijderd.
export-delete = Export verwijderen
export-part = Deel { $number } downloaden
export-kilobytes = { $amount } kB
