# Saved searches.

search-renamed = Zoekopdracht hernoemd.
search-deleted = Zoekopdracht verwijderd.
searches-none = Je hebt geen bewaarde zoekopdrachten. Zoek in je bibliotheek of in je items en kies dan boven de resultaten ‘Deze zoekopdracht bewaren’.
searches-in-library = In de bibliotheek
searches-in-entries = In items van feeds
