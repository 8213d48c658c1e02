# Rules for saved items.

item-rules = Regeln für gespeicherte Objekte
item-rules-words = Eine Regel ändert jedes neue Objekt einmal, sobald sein Text gelesen wurde. Importierte Objekte werden nicht geändert. Öffentliche und geteilte Schlagwörter werden nicht hinzugefügt.
item-rules-created = Regel erstellt. Sie gilt für alles, was du ab jetzt speicherst.
item-rules-changed = Regeln geändert.
item-rules-deleted = Regel gelöscht.
item-rules-name = Name der Regel
item-rules-query = Objekte, die diese Suche findet
item-rules-query-hint = Zum Beispiel domain:example.org oder title:rechnung. Wörter und Filter sind die der Suche.
item-rules-status = Verschieben nach
item-rules-status-none = Nicht verschieben
item-rules-adds = Fügt Schlagwörter hinzu: { $tags }
item-rules-moves = Verschiebt nach: { $status }
item-rules-nothing = Ändert nichts
item-rules-matches = Treffer bisher: { $count }
item-rules-items = Treffer anzeigen
item-rules-withheld = Nicht hinzugefügt, weil öffentlich oder geteilt: { $tags }
item-rules-edit-named = „{ $name }“ bearbeiten
item-rules-up = Nach oben
item-rules-up-named = „{ $name }“ nach oben verschieben
item-rules-down = Nach unten
item-rules-down-named = „{ $name }“ nach unten verschieben
item-rules-stay = Von der Regel geänderte Objekte bleiben, wie sie sind.
