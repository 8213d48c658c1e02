# Mails about an account.

reset-subject = Neues Passwort für Carrel festlegen
reset-body =
    Jemand hat ein neues Passwort für das Konto { $email } bei { $origin } angefordert.

    Wenn du das warst, öffne diesen Link innerhalb einer Stunde. Er gilt, bis ein Passwort festgelegt ist.

    { $link }

    Wenn du es nicht warst, ignoriere diese Mail. Nichts ändert sich, solange der Link nicht benutzt wird.
grant-made-subject = Eine App wurde mit deinem Carrel-Konto verbunden
grant-made-event = Eine App darf jetzt dein Konto bei { $origin } benutzen.
grant-made-advice =
    Wenn du das erlaubt hast, ist nichts zu tun. Wenn nicht, entziehe ihr den Zugriff und lege ein neues Passwort fest:

    { $link }
grant-reused-subject = Der Zugriff einer App auf dein Carrel-Konto wurde beendet
grant-reused-event = Ein Token dieser App wurde ein zweites Mal benutzt. Das geschieht, wenn es kopiert wurde. Der Zugriff der App wurde sofort beendet, mit allen ihren Token.
grant-reused-advice =
    Wenn du die App noch benutzt, verbinde sie neu. Letzte Aktivität deiner Apps und Schlüssel:

    { $link }
grant-name = Name laut App: „{ $name }“ (nicht geprüft)
grant-host = Kehrt zurück zu: { $host }
grant-reads = Rechte: lesen
grant-changes = Rechte: lesen und ändern
grant-time = Erlaubt: { $time }
email-request = Jemand mit einem Konto bei { $origin } möchte diese E-Mail-Adresse dafür verwenden.
email-taken-subject = Diese E-Mail-Adresse hat bereits ein Konto
email-taken-advice = Die Adresse hat dort bereits ein Konto, deshalb wurde nichts geändert. Wenn du das warst, melde dich mit dieser Adresse an oder lösche zuerst jenes Konto. Wenn du es nicht warst, ignoriere diese Mail.
email-confirm-subject = Bestätige deine neue E-Mail-Adresse für Carrel
email-confirm-advice =
    Wenn du das warst, öffne diesen Link innerhalb eines Tages und drücke die Schaltfläche:

    { $link }

    Wenn du es nicht warst, ignoriere diese Mail. Nichts ändert sich, solange der Link nicht benutzt wird.
email-changed-subject = Die E-Mail-Adresse deines Carrel-Kontos wurde geändert
email-changed-body =
    Die E-Mail-Adresse deines Kontos bei { $origin } wurde von { $before } in { $after } geändert.

    Wenn du das warst, ersetze die alte Adresse in deinen Feed-Apps und auf deinen E-Readern. Fever-Apps brauchen einen neuen API-Schlüssel.

    Wenn du es nicht warst, öffne diesen Link innerhalb von 7 Tagen. Er stellt diese Adresse wieder her und legt ein neues Passwort fest:

    { $link }
team-subject = Einladung in ein Team in Carrel
team-body =
    Der Inhaber des Kontos { $owner } bei { $origin } lädt dich in ein Team ein und teilt gespeicherte Seiten mit ihm.

    Um beizutreten, öffne diesen Link innerhalb von 7 Tagen. Du brauchst dort ein Konto:

    { $link }

    Wenn du den Absender nicht kennst, ignoriere diese Mail.
