# Public links of quotes.

public-quote-published = Das Zitat ist öffentlich. Teile seinen Link.
public-quote-private = Das Zitat ist wieder privat. Sein alter Link funktioniert nicht mehr.
public-quote = Öffentlicher Link
public-quote-unavailable = Dieses Zitat kann keinen öffentlichen Link haben: Sein Text wurde nicht von einer öffentlichen Adresse geladen oder enthält das Zitat nicht. Es kann von einer Seite mit Anmeldung stammen.
public-quote-words = Jeder mit dem Link kann das Zitat sowie Titel und Adresse seiner Seite ohne Konto lesen.
public-quote-note = Mit meiner Notiz
public-quote-create = Link erstellen
public-quote-link = Link des Zitats
public-quote-open = <1>Seite öffnen</1>.
public-quote-paused = Die Seite ist zurzeit nicht verfügbar: Der Text wurde nicht von einer öffentlichen Adresse geladen oder enthält das Zitat nicht mehr.
public-quote-hide = Privat machen
public-quote-hide-named = „{ $quote }“ privat machen
public-quote-all = Alle öffentlichen Schlagwörter und Zitate
public-quotes-yours = Deine öffentlichen Zitate
public-quotes-words = Jeder mit dem Link eines Zitats kann es sowie Titel und Adresse seiner Seite lesen.
public-quote-not-found = Der Link ist falsch, oder der Eigentümer teilt dieses Zitat nicht mehr.
public-quote-note-heading = Notiz
