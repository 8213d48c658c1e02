# Saved searches.

search-renamed = Zoekopdracht hernoemd.
search-deleted = Zoekopdracht verwijderd.
searches-query = Zoekopdracht
searches-none = Je hebt geen bewaarde zoekopdrachten. Zoek in je bibliotheek of in je items en kies dan boven de resultaten ‘Deze zoekopdracht bewaren’.
searches-in-library = In de bibliotheek
searches-in-entries = In items van feeds
search-feed-created = De feed heeft een nieuw adres. Een eerder adres werkt niet meer.
search-feed-deleted = Feed verwijderd. Het adres werkt niet meer.
searches-feed-words = Een zoekopdracht kan een privéfeed van de 50 nieuwste resultaten hebben, voor elke feedlezer. Iedereen die het adres kent, kan hem lezen.
searches-feed-address = Adres van de feed van ‘{ $name }’
searches-feed-create = Feed maken
searches-feed-create-named = Feed van ‘{ $name }’ maken
searches-feed-new = Nieuw feedadres
searches-feed-new-named = Nieuw adres van de feed van ‘{ $name }’
searches-feed-delete = Feed verwijderen
searches-feed-delete-named = Feed van ‘{ $name }’ verwijderen
