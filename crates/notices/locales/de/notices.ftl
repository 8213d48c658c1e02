# Messages to the channels of an account.

credits-most-title = 80 % der Wächter-Credits dieses Monats sind verbraucht
credits-most-text = { $used } von { $limit } Credits sind verbraucht. Wenn keine mehr übrig sind, warten Wächter auf den nächsten Monat.
credits-none-title = Die Wächter-Credits dieses Monats sind aufgebraucht
credits-none-text = Wächter, für die keine Credits übrig sind, laufen in der ersten Stunde des nächsten Monats wieder.
sign-in-title = Neue Anmeldung bei deinem Konto
sign-in-text = Ein Browser, der mit diesem Konto noch nicht benutzt wurde, hat sich aus { $network } angemeldet: { $time }. Wenn du das warst, ist nichts zu tun. Wenn nicht, lege ein neues Passwort fest.
factor-added-title = Deinem Konto wurde ein zweiter Faktor hinzugefügt
passkey-added-title = Deinem Konto wurde ein Passkey hinzugefügt
single-sign-on-added-title = Dein Konto wurde mit Single Sign-on verbunden
single-sign-on-removed-title = Single Sign-on wurde von deinem Konto getrennt
factor-removed-title = Der zweite Faktor deines Kontos wurde entfernt
sign-in-changed-text = Zeitpunkt: { $time }. Wenn du das warst, ist nichts zu tun. Wenn nicht, lege ein neues Passwort fest.
key-title = Ein API-Schlüssel wurde erstellt
key-text = Sein Name ist „{ $name }“. Wenn du ihn nicht erstellt hast, widerrufe ihn und lege ein neues Passwort fest.
app-title = Eine App wurde mit deinem Konto verbunden
app-text = Sie nennt sich „{ $app }“; dieser Name ist nicht geprüft. Wenn du das nicht erlaubt hast, entziehe ihr den Zugriff und lege ein neues Passwort fest.
off-title = Der Kanal „{ $name }“ wurde abgeschaltet
off-gone = Er hat geantwortet, dass er keine weiteren Nachrichten will (410).
off-refused = Der Mailserver meldet, dass es diese Adresse nicht gibt.
off-failing = Drei Tage lang konnte keine Nachricht zugestellt werden.
off-text = { $why } Nachrichten werden sieben Tage aufbewahrt und gesendet, wenn der Kanal wieder eingeschaltet wird.
plan-title =
    { $count ->
        [one] { $count } Kanal wurde abgeschaltet
       *[other] { $count } Kanäle wurden abgeschaltet
    }
plan-text = Höchstzahl aktiver Kanäle in deinem Tarif: { $limit }. Die neuesten wurden abgeschaltet: { $names }. Ihre Nachrichten werden sieben Tage aufbewahrt.
quoted = „{ $name }“
test-title = Test dieses Kanals
test-text = So kommen Nachrichten von Carrel an.
digest-title = Was bis { $date } geschah
today-unread = Ungelesen
today-changes = Änderungen
today-started = Weiterlesen
today-saved = Zuletzt gespeichert
today-waiting = Vor langer Zeit gespeichert
today-this-day = An diesem Tag
today-attention = Braucht deine Aufmerksamkeit
today-highlights = Markierungen zur Wiederholung
today-review =
    { $count ->
        [one] Heute ist { $count } Markierung fällig.
       *[other] Heute sind { $count } Markierungen fällig.
    }
stop-link = Abbestellen
several-title = Mehrere Änderungen
entries-title =
    { $count ->
        [one] 1 neuer Eintrag
       *[other] { $count } neue Einträge
    }
item-saved-title = Gespeichert: { $title }
items-saved-title =
    { $count ->
        [one] 1 Objekt wurde gespeichert
       *[other] { $count } Objekte wurden gespeichert
    }
missed-title = Was dieser Kanal verpasst hat
collected-count =
    { $count ->
        [one] Eine Nachricht:
       *[other] { $count } Nachrichten:
    }
more = Und { $count } weitere.
more-short = und { $count } weitere
snooze = Diesen Wächter pausieren oder stummschalten: { $link }
snooze-short = Pausieren oder stummschalten: { $link }
template-failed = (Die Vorlage dieses Kanals ist fehlgeschlagen. { $error }.)
stop = Diese Nachrichten beenden: { $link }
confirm-subject = Bestätige diese Adresse für Nachrichten von Carrel
confirm-body =
    Jemand mit einem Konto bei { $origin } möchte Nachrichten dieses Kontos an diese Adresse senden lassen.

    Wenn du das bist, öffne diesen Link und drücke die Schaltfläche:

    { $link }

    Wenn nicht, tu nichts: Dann wird dir nichts gesendet.
