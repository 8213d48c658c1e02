# Form that saves a page.

save-heading = Pagina bewaren
save-words = De tekst wordt opgehaald en in je bibliotheek bewaard, waar je hem later kunt lezen, markeren en terugvinden.
save-no-address = Wat je hebt gedeeld bevat geen adres. Vul het adres van de pagina in.
save-title = Titel
save-title-hint = Optioneel. Anders wordt de titel van de pagina gebruikt.
save-tags-hint = Optioneel, gescheiden door komma’s.
save-library = Naar bibliotheek
save-to = Bewaren in
save-render = Eerst in een browser openen
save-render-auto = Als de pagina scripts nodig heeft
save-render-always = Altijd
save-render-without-cookie-notices = Altijd, zonder cookiemeldingen
save-render-never = Nooit
save-render-hint = Voor pagina’s waarvan de tekst pas na scripts verschijnt. Kost vijf nieuwe extracties in plaats van één.

# Form that uploads files.

upload-heading = Bestanden uploaden
upload-files = Bestanden
upload-hint = PDF’s, e-books, kantoordocumenten, tekst, webpagina’s, e-mail en afbeeldingen. Met scripts kun je bestanden ook naar deze pagina slepen.
upload-send = Uploaden
upload-saved = Bewaard
upload-sending = Wordt geüpload:
upload-none = Kies minstens één bestand.
upload-refused-size = Niet bewaard: het is groter dan { $size }, het maximum van je abonnement.
upload-refused-storage = Niet bewaard: je opslag is vol. <1>Gebruik bekijken</1>.
upload-refused-type = Niet bewaard: de inhoud is niet van het type dat de naam aangeeft.
upload-refused = Niet bewaard: { $reason }
upload-failed = Niet bewaard. Controleer de verbinding, laad de pagina opnieuw en probeer het nog eens.
