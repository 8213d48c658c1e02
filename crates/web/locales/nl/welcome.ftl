# First steps of a new account.

welcome-followed = Je volgt deze feeds nu. De items verschijnen over een paar minuten.
welcome-none = Er was niets geselecteerd. Selecteer feeds en volg ze dan.
welcome-follow-words = Nieuwe items van de sites die je volgt, komen in één lijst binnen.
welcome-site = Adres van een site
welcome-bring = Uit een andere lezer: <1>breng je feeds mee (OPML)</1>. Uit een browser: <2>breng je bladwijzers mee</2>.
welcome-save-words = Je bibliotheek bewaart de volledige tekst. Je kunt erin markeren, notities toevoegen en elk woord terugvinden.
welcome-page = Adres van een pagina
welcome-ways = <1>Bewaar vanaf elke pagina met één klik</1>.
welcome-watch-words = Carrel controleert de pagina voor je en meldt het als de prijs daalt of iets anders verandert.
welcome-watched = Adres van een product of pagina
welcome-today = Naar Vandaag
welcome-skip = Stappen overslaan
welcome-suggested = Of kies uit deze feeds
welcome-follow-selected = Selectie volgen
topic-news = Nieuws
topic-science = Wetenschap
topic-technology = Technologie
topic-programming = Programmeren
topic-culture = Ideeën en cultuur
topic-comics = Strips en eten
