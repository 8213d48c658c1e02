# Reading settings.

look-saved = Instellingen in deze browser opgeslagen.
look-saved-account = Instellingen voor al je browsers opgeslagen.
look-offline-off = Offline lezen staat uit. De teksten in deze browser zijn verwijderd.
look-words = Uiterlijk en gedrag van pagina’s en teksten in alle browsers waarin je bent ingelogd. Een wijziging is meteen zichtbaar; sla haar op om haar op elke pagina toe te passen.
look-only-here = Alleen in deze browser
look-only-here-words = Je andere browsers blijven zoals ze zijn.
look-save = Instellingen opslaan
look-sample = De haven ontwaakt vóór de stad. Boten die om vier uur uitvoeren keren een voor een terug, en de meeuwen kennen ze allemaal.
look-ways = Overal bewaren en zoeken
look-bookmark = Sleep deze link naar je bladwijzers. Hij bewaart de pagina die je bekijkt: { $link }
look-bookmark-link = Bewaren in Carrel
look-install = Installeer Carrel als app via het menu van je browser. Op een telefoon kunnen andere apps er dan pagina’s mee delen.
look-keys = Je feeds en je bibliotheek hebben toetsen zoals die van andere lezers. Druk daar op { $key } om ze te zien.
look-search-engine = Je kunt ook vanuit je browser zoeken: voeg Carrel toe als zoekmachine, met het adres { $address }.
appearance-words = Weergave van teksten in deze browser. Een wijziging is meteen zichtbaar; sla haar op om haar op elke pagina toe te passen.
appearance-offline = Met een account kan een browser ook <1>teksten bewaren om offline te lezen</1>.
appearance-refused = De instellingen zijn niet opgeslagen, omdat een andere site ze heeft verstuurd. Kies ze opnieuw.
appearance-unread = De instellingen konden niet worden gelezen. Kies ze opnieuw.
appearance-face-wrong = De instellingen zijn niet opgeslagen. Voer de naam van het lettertype in: 1 tot 60 letters A–Z, cijfers, spaties en koppeltekens.
