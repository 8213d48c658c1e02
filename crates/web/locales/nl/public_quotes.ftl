# Public links of quotes.

public-quote-published = Het citaat is openbaar. Deel de link.
public-quote-private = Het citaat is weer privé. De oude link werkt niet meer.
public-quote = Openbare link
public-quote-unavailable = Dit citaat kan geen openbare link hebben: de tekst komt niet van een openbaar adres of bevat het citaat niet. Het kan van een pagina achter een login komen.
public-quote-words = Iedereen met de link kan het citaat, en de titel en het adres van de pagina, zonder account lezen.
public-quote-note = Met mijn notitie
public-quote-create = Link maken
public-quote-link = Link van het citaat
public-quote-open = <1>Pagina openen</1>.
public-quote-paused = De pagina is nu niet beschikbaar: de tekst komt niet van een openbaar adres of bevat het citaat niet meer.
public-quote-hide = Privé maken
public-quote-hide-named = ‘{ $quote }’ privé maken
public-quote-all = Alle openbare labels en citaten
public-quotes-yours = Je openbare citaten
public-quotes-words = Iedereen met de link kan een citaat, en de titel en het adres van de pagina, lezen.
public-quote-not-found = De link klopt niet, of de eigenaar deelt dit citaat niet meer.
public-quote-note-heading = Notitie
