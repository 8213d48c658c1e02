# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Seite nicht gefunden
public-not-found-words = Der Link ist falsch. Prüfe, ob er vollständig ist.
public-gone = Diese Seite ist nicht mehr öffentlich
public-gone-words = Ihr Eigentümer hat sie gelöscht oder ihr einen neuen Link gegeben.
public-gone-title = Nicht mehr öffentlich
public-unavailable = Vorübergehend nicht verfügbar
public-unavailable-words = Versuche es in einigen Sekunden erneut.
public-group-follow = Den Änderungen in einem Feedreader folgen: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Noch keine Wächter.
public-tag-not-found = Der Link ist falsch, oder der Eigentümer teilt diese Seite nicht mehr.
public-tag-follow = Dieser Liste in einem Feedreader folgen: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Noch nichts.
public-newest = Gezeigt werden die neuesten { $number }.
change-not-found = Änderung nicht gefunden
change-not-found-words = Der Link ist falsch, oder die Änderung wurde gelöscht.
change-gone = Dieser Link ist nicht mehr gültig
change-gone-words = Sein Feed hat einen neuen Link oder ist nicht mehr öffentlich.
change-gone-title = Link nicht mehr gültig
change-of = Änderung von { $monitor }
change-detected = Erkannt
change-address = Adresse
change-differences = Unterschiede
change-views = Ansichten
change-sides = Nebeneinander
change-inline = Im Text
change-before = Vorher
change-after = Nachher
change-rest =
    { $count ->
        [one] { $count } weiterer Unterschied wird nicht gezeigt.
       *[other] { $count } weitere Unterschiede werden nicht gezeigt.
    }
change-legend = Entfernter Text ist durchgestrichen, neuer Text ist unterstrichen.
change-unknown-size = unbekannte Größe
change-no-screenshot = Dieses Bild ist nicht gespeichert: Es ist zu groß oder zu alt, oder der Platz für Bilder ist aufgebraucht.
change-earlier = Frühere Änderung
change-later = Spätere Änderung
change-count-added = { $count } neu
change-count-removed = { $count } entfernt
change-count-changed = { $count } geändert
change-count-moved = { $count } verschoben
change-unchanged =
    { $count ->
        [one] { $count } unveränderte Zeile
       *[other] { $count } unveränderte Zeilen
    }
change-whole = Die Quelle hat sich zu stark geändert, um sie Zeile für Zeile zu vergleichen.
change-before-value = Vorher:
change-after-value = Nachher:
change-link = Link: { $link }
change-fell = um { $amount } gesunken
change-rose = um { $amount } gestiegen
change-new = Neu
change-removed = Entfernt
change-changed = Geändert
change-moved = Verschoben
change-removed-part = entfernt:
change-added-part = neu:
change-explanation-pending = Das Sprachmodell erklärt die Änderung.
change-explanation-none = Das Sprachmodell hat die Änderung nicht erklärt: { $reason }.
change-explanation-by = Vom Sprachmodell { $name } geschrieben. Es kann falsch sein.
change-explanation-irrelevant = Nach seinem Urteil ist die Änderung für den Wunsch nicht wichtig.
change-explanation-withheld = Nach seinem Urteil ist die Änderung für den Wunsch nicht wichtig, daher wurde keine Nachricht gesendet.
