# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Offline lezen
offline-words = Deze browser kan teksten bewaren: wat je voor later hebt bewaard of begonnen bent te lezen, en ongelezen items. Zonder verbinding kun je ze dan hier lezen.
offline-own-browser = Kies dit alleen in je eigen browser. Wat je zonder verbinding als gelezen markeert, een ster geeft, archiveert of markeert, wordt daarna verzonden. Bij afmelden worden de teksten en wat niet verzonden is verwijderd en gaat offline lezen uit. Het heeft scripts nodig.
offline-save-amount = Hoeveelheid bewaren
offline-switch-on = Teksten hier bewaren
offline-stored = Bewaarde teksten
offline-switch-off = Verwijderen en uitzetten
offline-amount = Hoeveelheid
offline-size = Tot { $texts } teksten, hoogstens { $size } MB met afbeeldingen
offline-all-pictures = Alle afbeeldingen van de teksten, niet alleen die je hebt gezien
offline-storing = De teksten worden bewaard.
offline-list-words = Deze teksten kun je zonder verbinding lezen. Wat je dan als gelezen markeert, een ster geeft, archiveert of markeert, wordt verzonden zodra er verbinding is. Andere wijzigingen hebben een verbinding nodig.
offline-queue = Nog niet verzonden wijzigingen
offline-nothing = Er is nog niets te bewaren: niets staat voor later of is begonnen, en geen item is ongelezen.
offline-settings = Instellingen van offline lezen
offline-off = Offline lezen staat uit
offline-off-words = Deze browser bewaart geen teksten. <1>Zet het aan</1> om zonder verbinding te lezen.
offline-refused = Je bent offline
offline-refused-words = Er is niets gewijzigd. Ga terug en herhaal de actie als je verbinding hebt.
offline-text-words = Je bent offline. Dit is de bewaarde tekst. Je markeringen en sterren worden verzonden zodra er verbinding is.
