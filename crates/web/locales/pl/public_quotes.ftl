# Public links of quotes.

public-quote-published = Cytat jest publiczny. Udostępnij jego link.
public-quote-private = Cytat znów jest prywatny. Stary link już nie działa.
public-quote = Publiczny link
public-quote-unavailable = Ten cytat nie może mieć publicznego linku: jego tekstu nie pobrano z publicznego adresu albo tekst nie zawiera cytatu. Może pochodzić ze strony wymagającej logowania.
public-quote-words = Każdy z linkiem może przeczytać cytat oraz tytuł i adres jego strony bez konta.
public-quote-note = Dołącz moją notatkę
public-quote-create = Utwórz link
public-quote-link = Link cytatu
public-quote-open = <1>Otwórz stronę</1>.
public-quote-paused = Strona jest teraz niedostępna: tekstu nie pobrano z publicznego adresu albo nie zawiera już cytatu.
public-quote-hide = Ustaw prywatny
public-quote-hide-named = Ustaw „{ $quote }” jako prywatny
public-quote-all = Wszystkie publiczne etykiety i cytaty
public-quotes-yours = Twoje publiczne cytaty
public-quotes-words = Każdy z linkiem może przeczytać cytat oraz tytuł i adres jego strony.
public-quote-not-found = Link jest błędny lub właściciel przestał udostępniać ten cytat.
public-quote-note-heading = Notatka
