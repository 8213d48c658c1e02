# First steps of a new account.

welcome-followed = Du folgst jetzt diesen Feeds. Ihre Einträge erscheinen in wenigen Minuten.
welcome-none = Nichts ausgewählt. Wähle Feeds aus und folge ihnen dann.
welcome-follow-words = Neue Einträge der Websites, denen du folgst, kommen in einer Liste an.
welcome-site = Adresse einer Website
welcome-bring = Aus einem anderen Reader: <1>bring deine Feeds mit (OPML)</1>. Aus einem Browser: <2>bring deine Lesezeichen mit</2>.
welcome-save-words = Deine Bibliothek bewahrt den vollen Text auf. Du kannst darin markieren, Notizen hinzufügen und jedes Wort wiederfinden.
welcome-page = Adresse einer Seite
welcome-ways = <1>Von jeder Seite mit einem Klick speichern</1>.
welcome-watch-words = Carrel prüft die Seite für dich und benachrichtigt dich, wenn der Preis fällt oder sich etwas anderes ändert.
welcome-watched = Adresse eines Produkts oder einer Seite
welcome-today = Zu „Heute“
welcome-skip = Überspringen
welcome-suggested = Oder wähle aus diesen Feeds
welcome-follow-selected = Ausgewählten folgen
topic-news = Nachrichten
topic-science = Wissenschaft
topic-technology = Technik
topic-programming = Programmierung
topic-culture = Ideen und Kultur
topic-comics = Comics und Essen
