# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Pagina niet gevonden
public-not-found-words = De link klopt niet. Controleer of hij volledig is.
public-gone = Deze pagina is niet meer openbaar
public-gone-words = De eigenaar heeft haar verwijderd of een nieuwe link gegeven.
public-gone-title = Niet meer openbaar
public-unavailable = Tijdelijk niet beschikbaar
public-unavailable-words = Probeer het over een paar seconden opnieuw.
public-group-follow = Volg de wijzigingen in een feedlezer: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Nog geen monitors.
public-tag-not-found = De link klopt niet, of de eigenaar deelt deze pagina niet meer.
public-tag-follow = Volg deze lijst in een feedlezer: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Nog geen items.
public-newest = De nieuwste { $number } items worden getoond.
change-not-found = Wijziging niet gevonden
change-not-found-words = De link klopt niet, of de wijziging is verwijderd.
change-gone = Deze link is niet meer geldig
change-gone-words = De feed heeft een nieuwe link of is niet meer openbaar.
change-gone-title = Link niet meer geldig
change-of = Wijziging van { $monitor }
change-detected = Gevonden
change-address = Adres
change-differences = Verschillen
change-views = Weergaven
change-sides = Naast elkaar
change-inline = In de tekst
change-before = Voor
change-after = Na
change-rest =
    { $count ->
        [one] Nog { $count } verschil wordt niet getoond.
       *[other] Nog { $count } verschillen worden niet getoond.
    }
change-legend = Verwijderde tekst is doorgestreept, toegevoegde tekst is onderstreept.
change-unknown-size = onbekende grootte
change-no-screenshot = Deze schermafbeelding is niet bewaard: ze is te groot of te oud, of de ruimte voor schermafbeeldingen is vol.
change-earlier = Eerdere wijziging
change-later = Latere wijziging
change-count-added = { $count } toegevoegd
change-count-removed = { $count } verwijderd
change-count-changed = { $count } gewijzigd
change-count-moved = { $count } verplaatst
change-unchanged =
    { $count ->
        [one] { $count } ongewijzigde regel
       *[other] { $count } ongewijzigde regels
    }
change-whole = De bron is te veel gewijzigd om regel voor regel te vergelijken.
change-before-value = Voor:
change-after-value = Na:
change-link = Link: { $link }
change-fell = { $amount } gedaald
change-rose = { $amount } gestegen
change-new = Nieuw
change-removed = Verwijderd
change-changed = Gewijzigd
change-moved = Verplaatst
change-removed-part = verwijderd:
change-added-part = toegevoegd:
change-explanation-pending = Het taalmodel legt de wijziging uit.
change-explanation-none = Het taalmodel heeft de wijziging niet uitgelegd: { $reason }.
change-explanation-by = Geschreven door het taalmodel { $name }. Het kan fout zijn.
change-explanation-irrelevant = Volgens het model is de wijziging niet van belang voor de wens.
change-explanation-withheld = Volgens het model is de wijziging niet van belang voor de wens, dus is er geen bericht verstuurd.
