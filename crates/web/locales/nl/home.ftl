# Home page.

home-heading = Het web lezen, volgen, bewaren en bewaken
home-purpose = { $name } maakt van webpagina’s schone tekst, brengt je het nieuws van je favoriete sites, bewaart wat je wilt onthouden en meldt wanneer een pagina verandert.
home-try = Probeer het: plak het adres van een artikel
home-read = Lezen
home-read-words = Elk artikel, document of pdf als schone tekst, zonder advertenties en pop-ups. Luister ernaar, of neem het mee als e-book.
home-follow = Volgen
home-follow-words = Blogs, nieuws, podcasts en kanalen in één lijst. Neem je feeds mee uit een andere lezer.
home-save = Bewaren
home-save-words = Pagina’s en bestanden met hun volledige tekst. Markeer, maak notities en vind elk woord terug.
home-watch = Bewaken
home-watch-words = Een bericht als een prijs daalt, een product weer op voorraad is of een pagina verandert.
home-picture-today = De pagina ‘Vandaag’: gedaalde prijzen en nieuwe items van gevolgde sites
home-picture-text = Een bewaarde tekst met een gemarkeerde zin
home-picture-monitor = Een gevolgde prijs met de grafiek van de waarden
home-everywhere = Gebruik het in de browser op elk apparaat, in je feed- en leeslater-apps en op e-readers. Ook <1>AI-assistenten</1> kunnen het gebruiken, als je dat toestaat.
home-no-account = Deze dienst heeft nog geen account. Maak het eerste hier, of op de server met { $command }.
home-programs = Voor programma’s
home-programs-words = Zet dit adres voor een ander adres, of gebruik de <1>API</1>. Een sleutel is niet nodig.
