# Public links of quotes.

public-quote-published = La citazione è pubblica. Condividi il suo link.
public-quote-private = La citazione è di nuovo privata. Il vecchio link non funziona più.
public-quote = Link pubblico
public-quote-unavailable = Questa citazione non può avere un link pubblico: il suo testo non viene da un indirizzo pubblico o non contiene la citazione. Potrebbe venire da una pagina con accesso.
public-quote-words = Chiunque abbia il link può leggere la citazione, e il titolo e l’indirizzo della sua pagina, senza account.
public-quote-note = Includi la mia nota
public-quote-create = Crea link
public-quote-link = Link della citazione
public-quote-open = <1>Apri la pagina</1>.
public-quote-paused = La pagina ora non è disponibile: il testo non viene da un indirizzo pubblico o non contiene più la citazione.
public-quote-hide = Rendi privata
public-quote-hide-named = Rendi privata «{ $quote }»
public-quote-all = Tutte le etichette e citazioni pubbliche
public-quotes-yours = Le tue citazioni pubbliche
public-quotes-words = Chiunque abbia il suo link può leggere una citazione, e il titolo e l’indirizzo della sua pagina.
public-quote-not-found = Il link è errato, o il proprietario non condivide più questa citazione.
public-quote-note-heading = Nota
