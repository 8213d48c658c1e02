# Search in the library and in feeds, and search by meaning.

search-help = Woorden, { $phrase }, { $without }, { $tag } en { $domain } vinden bewaarde items, notities, markeringen en feeditems. Voer een adres in om de pagina te openen.
search-whole-phrases = "hele zinnen"
search-without = -zonder
search-all-library = Alles in de bibliotheek
search-similar = Geen exacte treffers. Deze bevatten vergelijkbare woorden.
search-all-feeds = Alles in je feeds
search-again = Opnieuw zoeken
search-none = geen resultaten
search-more-than = meer dan { $amount }
search-note = Notitie
search-highlight = Markering
meaning-requested = De zoekopdracht loopt. Deze pagina toont de resultaten zodra ze er zijn.
meaning-words = Beschrijf wat je je van een tekst herinnert. Die woorden hoeven er niet in te staan.
meaning-form = Bibliotheek op betekenis doorzoeken
meaning-query = Beschrijving van de tekst
meaning-off = Het taalmodel staat uit. <1>Instellingen</1>
meaning-searching = Er wordt gezocht naar { $query }. De eerste keer duurt langer, omdat de teksten dan voor het eerst worden vergeleken.
meaning-failed = Er zijn geen resultaten: { $reason }.
meaning-results = Resultaten voor { $query }
meaning-none = Geen items komen overeen.
meaning-compared = De teksten van { $number } items zijn { $time } vergeleken.
meaning-unindexed = Nog niet vergeleken: { $number }. Zoek opnieuw om verder te gaan.
meaning-request-failed = Een verzoek is mislukt: { $reason }.
