# Rules for saved items.

item-rules = Regels voor bewaarde items
item-rules-words = Een regel wijzigt elk nieuw item één keer, zodra de tekst gelezen is. Geïmporteerde items worden niet gewijzigd. Openbare en gedeelde labels worden niet toegevoegd.
item-rules-created = Regel gemaakt. Ze geldt voor wat je vanaf nu bewaart.
item-rules-changed = Regels gewijzigd.
item-rules-deleted = Regel verwijderd.
item-rules-name = Naam van de regel
item-rules-query = Items die deze zoekopdracht vindt
item-rules-query-hint = Bijvoorbeeld domain:example.org of title:factuur. De woorden en filters zijn die van het zoeken.
item-rules-status = Verplaatsen naar
item-rules-status-none = Niet verplaatsen
item-rules-adds = Voegt labels toe: { $tags }
item-rules-moves = Verplaatst naar: { $status }
item-rules-nothing = Wijzigt niets
item-rules-matches = Gevonden tot nu toe: { $count }
item-rules-items = Items tonen
item-rules-withheld = Niet toegevoegd, want openbaar of gedeeld: { $tags }
item-rules-edit-named = ‘{ $name }’ bewerken
item-rules-up = Omhoog
item-rules-up-named = ‘{ $name }’ omhoog verplaatsen
item-rules-down = Omlaag
item-rules-down-named = ‘{ $name }’ omlaag verplaatsen
item-rules-stay = Items die de regel heeft gewijzigd, blijven zo.
