# Language model: what is sent to it, and the switch of the account.

model = Sprachmodell
model-purpose = Ein Sprachmodell kann gespeicherte Seiten und ungelesene Einträge zusammenfassen. Es ist aus, bis du es einschaltest.
model-manage = Sprachmodell verwalten
model-is-on = Das Sprachmodell ist für dein Konto { $state }.
model-is-off = Das Sprachmodell ist für dein Konto { $state }. Es wird nichts dorthin gesendet.
model-on = eingeschaltet
model-off = ausgeschaltet
model-switch-on = Einschalten
model-switch-off = Ausschalten
model-switched-on = Eingeschaltet. Die Seite eines gespeicherten Textes hat einen Knopf zum Zusammenfassen, und die Einträge einer Sammlung haben einen Link zu einem Überblick.
model-switched-off = Ausgeschaltet. Es wird nichts mehr gesendet. Vorhandene Zusammenfassungen und Überblicke bleiben.
model-sent = Was gesendet wird
model-sent-summary = Für die Zusammenfassung eines gespeicherten Textes: sein Titel, die ersten { $characters } Zeichen und höchstens { $tags } Namen deiner Schlagwörter.
model-sent-briefing = Für den Überblick über eine Sammlung: die Titel von höchstens { $entries } ungelesenen Einträgen und die ersten { $characters } Zeichen ihrer Zusammenfassungen.
model-sent-search = Für eine Suche nach Bedeutung: die Wörter, nach denen du suchst. In der Bibliothek: die Titel und ersten { $characters } Zeichen deiner neuesten { $items } gespeicherten Texte.
model-sent-entries = Für eine Suche nach Bedeutung in Feeds: die Titel und die ersten { $characters } Zeichen der Zusammenfassungen deiner neuesten { $unread } ungelesenen und { $starred } markierten Einträge.
model-sent-when = Nur wenn du { $summarize } auf der Seite eines gespeicherten Textes oder { $briefing } auf der Seite einer Sammlung drückst, wenn du nach Bedeutung suchst oder wenn ein Programm mit deinem Schlüssel es verlangt.
model-sent-never = Nie dein Name, deine Adresse, deine Notizen oder deine Markierungen.
model-briefing-button = Überblick schreiben
model-where = Wohin gesendet wird
model-where-words = An das Modell { $model } auf { $host }, das der Betreiber dieser Installation gewählt hat. Der Betreiber jenes Servers kann lesen, was gesendet wird.
model-with-embeddings = { $model } (für eine Suche nach Bedeutung { $other })
model-answer = Was mit der Antwort geschieht
model-answer-words = Die Antwort wird als Text gezeigt und kann falsch sein. Sie ändert nichts: Vorgeschlagene Schlagwörter werden nur hinzugefügt, wenn du sie drückst.
model-limit = Dein Tarif erlaubt { $amount } Anfragen am Tag.
model-answer-numbers = Bei einer Suche nach Bedeutung sind die Antworten Listen von Zahlen. Die deiner Texte werden gelöscht, wenn du das Modell ausschaltest. Die eines Eintrags werden auch für andere Konten mit demselben Feed benutzt, außer bei Newslettern, Wächtern und Feeds mit Anmeldung.
