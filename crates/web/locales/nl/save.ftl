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
save-render-never = Nooit
save-render-hint = Voor pagina’s waarvan de tekst pas na scripts verschijnt. Kost vijf nieuwe extracties in plaats van één.
