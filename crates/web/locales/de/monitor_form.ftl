# Form of a new monitor, and its preview.

monitor-new = Neuer Wächter
monitor-new-words = Carrel prüft eine Seite regelmäßig und meldet, wenn sich der Teil ändert, der dich interessiert.
monitor-full = Dein Tarif erlaubt keine weiteren Wächter.
monitor-full-used = { $used } von { $limit } sind belegt.
monitor-full-words = Lösche einen, den du nicht mehr brauchst, oder lass einen etwas anderes beobachten.
monitor-full-list = Zu deinen Wächtern
monitor-full-plan = Tarif und Nutzung
monitor-examples = Probiere ein Beispiel
monitor-example-change = Jede Änderung einer Seite
monitor-example-word = Ein Wort erscheint
monitor-example-list = Neues in einer Liste
monitor-preview = Vorschau
monitor-preview-again = Neue Vorschau
monitor-preview-empty = Drücke Vorschau, um zu sehen, was dieser Wächter beobachten wird. Das kostet keine Credits.
monitor-start = Beobachten
monitor-cancel = Abbrechen
step-1 = 1. Was beobachtet wird
step-2 = 2. Wann
step-3 = 3. Wie du benachrichtigt wirst
monitor-address = Adresse der Seite
monitor-address-hint = Die öffentliche Seite, Sitemap oder JSON-Datei, die beobachtet werden soll.
monitor-type = Art
target-page = Eine Seite
target-page-words = ihr Text oder ein Teil davon; 1 Credit pro Lauf
target-sitemap = Eine Sitemap
target-sitemap-words = neue und entfernte Adressen; 2 Credits pro Lauf
target-product = Ein Produkt
target-product-words = Name, Preis und Verfügbarkeit; 3 Credits pro Lauf
target-calendar = Ein Kalender
target-calendar-words = Termine einer iCalendar-Datei; 2 Credits pro Lauf
target-file = Eine Datei
target-file-words = jedes Formats, nach Größe und Hash; 1 Credit pro Lauf
target-image = Ein Bild
target-image-words = nach seinem Aussehen, etwa einer Webcam; 2 Credits pro Lauf
target-headers = Header
target-headers-words = Status und Header der Antwort; 1 Credit pro Lauf
target-extract = Werte
target-extract-words = etwa Preise, per Selektor; 3 Credits pro Lauf
monitor-part = Nur ein Teil der Seite
monitor-selector = Selektor
monitor-selector-hint = CSS, etwa #price oder li:contains("Tickets"), XPath, etwa //table[2]//tr, JSONPath, etwa $.version, oder jq, etwa jq:.items[] | select(.free) | .name. Auf einer Seite lesen JSONPath und jq die Daten ihrer Skripte: $['ld+json'][0].offers.price oder $.__NEXT_DATA__.props. Bei mehreren, einer pro Zeile, wird auch gemeldet, wenn einer erscheint oder verschwindet. Für das Aussehen: ein CSS-Selektor.
monitor-filters = Filter
monitor-filters-hint = Einer pro Zeile, der Reihe nach auf die Zeilen der Seite angewendet: keep oder drop mit einem regulären Ausdruck, etwa drop ^Advert; replace, etwa replace \d+ views => views; sort; unique. Die Vorschau zeigt die Zeilen nach jedem Filter.
monitor-sitemap = Filter der Sitemap
monitor-include = Nur passende Adressen
monitor-include-hint = Ein Muster pro Zeile, etwa /blog/*.
monitor-exclude = Adressen ausschließen
monitor-exclude-hint = Ein Muster pro Zeile.
monitor-values = Werte
monitor-values-hint = Einer pro Zeile, etwa price = .price. Ein Stern nach dem Namen markiert den Schlüssel, der ein Element kennzeichnet. Enthält ein Wert mehrere Zahlen, wähle eine mit first, last, least oder greatest in Klammern, etwa price (least) = .price. Bei Headern nenne die zu lesenden, etwa etag = ETag.
monitor-items = Wiederholtes Element
monitor-items-hint = CSS-Selektor oder XPath des wiederholten Elements, etwa .product. Leer: die Seite ist ein Element.
monitor-empty = Die Liste darf leer sein, etwa eine Liste freier Termine.
monitor-empty-words = Sonst zählt eine leere Liste nur, wenn sie zweimal leer ist.
monitor-headers = Header
monitor-headers-hint = Einer pro Zeile, etwa etag = ETag. Leer: alle Header außer denen, die immer verschieden sind.
monitor-interval = Prüfen
monitor-not-in-plan = (nicht in deinem Tarif)
every-minutes =
    { $count ->
        [1] jede Minute
        [one] alle { $count } Minuten
       *[other] alle { $count } Minuten
    }
every-hours =
    { $count ->
        [1] jede Stunde
        [one] alle { $count } Stunden
       *[other] alle { $count } Stunden
    }
every-days =
    { $count ->
        [1] jeden Tag
        [one] alle { $count } Tage
       *[other] alle { $count } Tage
    }
every-week = jede Woche
monitor-trigger = Melden, wenn
trigger-any = sich etwas ändert
trigger-text-appears = ein Text erscheint
trigger-text-disappears = ein Text verschwindet
trigger-above = eine Zahl steigt über
trigger-below = eine Zahl fällt unter
trigger-share = sich mindestens so viel Prozent ändern
trigger-added = etwas hinzukommt
trigger-removed = etwas entfernt wird
trigger-condition = die Bedingungen unten erfüllt sind
monitor-value = Text oder Zahl
monitor-value-hint = Nicht nötig für „sich etwas ändert“.
monitor-one-value = Nur einer der Werte
monitor-value-name = Name des Werts
monitor-value-name-hint = Ein Name aus Werte; bei einem Produkt name, price, currency oder availability; bei einem Termin title, start, end, location, status oder repeats; bei einer Datei size oder sha256; bei Headern status oder ein Header. Leer: jeder Wert.
monitor-conditions = Bedingungen
monitor-conditions-hint = Eine pro Zeile; alle müssen wahr sein. Eine Zeile mit dem Wort or beginnt eine Alternative. Bei Werten beginne mit einem Namen, etwa price falls by 10%, price new low in 30 days, price between 5 and 9 oder not stock contains sold out. Ohne: contains tickets, matches v\d+, count above 3, length below 200 oder similarity below 80.
monitor-repeat = Erneut melden, solange es wahr ist
monitor-repeat-after = Erneut melden nach
monitor-repeat-hint = Stunden, etwa 24. Leer: nur einmal melden, wenn es wahr wird.
monitor-ignore = Manche Änderungen ignorieren
monitor-ignore-label = Änderungen ignorieren, die enthalten
monitor-ignore-hint = Ein Text pro Zeile. Absätze, die ihn enthalten, werden ignoriert.
schedule-days = Tage und Zeiten
schedule-only-on = Nur am
day-monday = Montag
day-tuesday = Dienstag
day-wednesday = Mittwoch
day-thursday = Donnerstag
day-friday = Freitag
day-saturday = Samstag
day-sunday = Sonntag
schedule-week = Welche dieser Tage im Monat
schedule-week-all = alle
week-first = erster
week-second = zweiter
week-third = dritter
week-fourth = vierter
week-last = letzter
schedule-times = Zu diesen Zeiten
schedule-times-hint = Durch Kommas getrennt, etwa 08:30, 17:00. Sie ersetzen das Intervall.
schedule-from = Nur von
schedule-from-hint = Etwa 08:00. In diesen Stunden läuft der Wächter in seinem Intervall.
schedule-to = bis
schedule-to-hint = Etwa 18:00.
schedule-zone = Zeitzone
schedule-zone-hint = Etwa Europe/Berlin. Leer: UTC.
schedule-jitter = Zufällige Verzögerung in Minuten
schedule-jitter-hint = Höchstens 120. Leer: weniger als eine Minute.
schedule-not-before = Nicht vor
schedule-not-before-hint = Ein Datum wie 2026-12-24 oder eine Zeit wie 2026-12-24T08:00:00Z.
schedule-muted = Ruhezeiten und Fehlschläge
schedule-mute-from = Keine Nachrichten von
schedule-mute-from-hint = Etwa 22:00, in der Zeitzone von Tage und Zeiten. Die Läufe gehen weiter; Nachrichten warten bis zum Ende.
schedule-mute-to-hint = Etwa 07:00.
schedule-failures = Nach so vielen Fehlschlägen hintereinander benachrichtigen
schedule-failures-hint = Leer: nur, wenn der Wächter anhält.
monitor-follow = Änderungen auch in meinen Feeds zeigen
monitor-notify = Benachrichtigen über
monitor-no-channels = Du hast noch keine Kanäle. <1>Richte einen ein</1>, um per E-Mail, Webhook oder Chat benachrichtigt zu werden.
monitor-group = Gruppe
monitor-group-none = keine
monitor-override = Abweichend von der Gruppe
monitor-override-hint = Die Einstellungen der Gruppe ersetzen die dieses Formulars, außer denen, die du hier wählst.
setting-interval = Intervall
setting-channels = Kanäle
monitor-tags-hint = Optional. Schlagwörter durch Kommas getrennt, etwa Zuhause, Preise. Höchstens { $count }.
monitor-name = Name
monitor-name-hint = Die Vorschau schlägt den Titel der Seite vor; du kannst ihn ändern.
monitor-name-limit = Höchstens { $count } Zeichen.
request = Anfrage und Anmeldung
request-agent = User-Agent
request-agent-hint = Leer: der von Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (nicht mehr angeboten)
request-headers-hint = Einer pro Zeile, etwa Accept-Language: de. Geheimes gehört in die Felder unten.
request-post = Eine Anfrage mit diesem Inhalt senden
request-method = Methode
request-body = Inhalt
request-body-hint = Jeder Lauf sendet ihn, sodass sich seine Wirkung wiederholt.
request-media = Medientyp des Inhalts
request-media-hint = Leer: Formulardaten.
request-cookies = Cookies der Website zwischen den Läufen behalten
request-any-status = Ein Fehlerstatus wie 404 ist Inhalt.
request-any-status-words = Sonst schlägt ein solcher Lauf fehl.
request-credentials = Zugangsdaten
credentials-keep = Gespeicherte Zugangsdaten behalten
credentials-none = Keine
credentials-basic = Benutzername und Passwort
credentials-bearer = Bearer-Token
credentials-header = Anderer Header, etwa ein API-Schlüssel oder Cookie
request-user = Benutzername oder Name des Headers
request-user-hint = Nicht nötig für ein Bearer-Token.
request-secret = Passwort, Token oder Wert
request-secret-hint = Wird nur an diese Website gesendet und nie angezeigt.
preview-heading = Was beobachtet wird
preview-of-page = Gerade gefunden auf „{ $title }“: { $amount }. Es wurden keine Credits verbraucht.
preview-of-address = Gerade gefunden: { $amount }. Es wurden keine Credits verbraucht.
preview-lines =
    { $count ->
        [one] 1 Textzeile
       *[other] { $count } Textzeilen
    }
preview-addresses =
    { $count ->
        [one] 1 Adresse
       *[other] { $count } Adressen
    }
preview-items =
    { $count ->
        [one] 1 Element
       *[other] { $count } Elemente
    }
preview-nothing = nichts
preview-number = Die zu vergleichende Zahl: { $number }
preview-number-of = Die zu vergleichende Zahl von { $item }: { $number }
preview-met = Die Bedingung ist schon erfüllt. Der erste Lauf meldet nichts: Gemeldet wird erst, wenn sie einmal nicht mehr erfüllt war und wieder erfüllt ist.
preview-met-repeat = Die Bedingung ist schon erfüllt. Der erste Lauf meldet nichts. Bleibt sie erfüllt, wird sie nach der Zahl von Stunden unter „{ $field }“ gemeldet.
preview-not-met = Die Bedingung ist gerade nicht erfüllt.
preview-filter =
    { $count ->
        [one] Nach Filter { $number }: { $count } Zeile
       *[other] Nach Filter { $number }: { $count } Zeilen
    }
preview-only-first = Nur die ersten { $count } werden gezeigt.
preview-or-only = Oder beobachte nur
preset-address = Eine bessere Adresse
preset-product = Dieses Produkt: jede Änderung
preset-product-price = Dieses Produkt: der Preis fällt
preset-in-stock = Wieder lieferbar
preset-price-falls = Der Preis fällt
preset-price-changes = Der Preis ändert sich
preset-stock = Lieferbar oder ausverkauft
preset-list = Neues in dieser Liste
preset-part = Dieser Text ändert sich
unwatched-margin = nicht beobachtet: außerhalb des Haupttextes; ein Selektor oder ein erwarteter Text schließt es ein
unwatched-clock = nicht beobachtet: sieht wie eine Uhr oder ein Datum der Seite aus
unwatched-part = Zeiten und Zähler darin werden nicht beobachtet
unwatched-ignored = durch deine Regel ignoriert
unwatched-learned = nicht beobachtet: ändert sich bei jeder Prüfung
target-visual = Das Aussehen
target-visual-words = einer Seite im Browser oder eines Elements; 3 Credits pro Lauf
rendering = Skripte
rendering-open = Die Seite in einem Browser öffnen, der ihre Skripte ausführt.
rendering-open-words = 3 Credits pro Lauf. Für Seiten, Produkte und Werte, ohne Anfrageinhalt und Proxy.
rendering-wait = Warten auf
rendering-wait-hint = CSS-Selektor eines Elements, ohne das die Seite nicht vollständig ist.
rendering-steps = Schritte
rendering-steps-hint = Einer pro Zeile, bevor die Seite gelesen wird: click .more, type #search => boats, press Enter, select #sort => Preis, scroll_end, wait 2 (Sekunden) oder wait_text Auf Lager. Das Handbuch nennt alle. Mit einem Fragezeichen (click? .close) entfällt ein Schritt, wenn sein Element fehlt. Für ein Passwort oder ein anderes Geheimnis schreibe secret #password; darunter erscheint ein Feld dafür. Andere Texte werden unverändert gespeichert.
rendering-cookie-notices = Cookie-Hinweise schließen
rendering-cookie-notices-words = Sie werden abgelehnt oder sonst ausgeblendet, nie angenommen.
pick-button = Auf einem Bild der Seite wählen
pick-hint = Ein Browser öffnet die Seite und zeigt ihre Teile. Das zählt als fünf frische Extraktionen, wie jede Vorschau im Browser.
pick-no-browser = Um einen Teil auf einem Bild der Seite zu wählen, braucht dieser Dienst einen Browser, der hier fehlt. Auch die Vorschau schlägt Teile vor.
pick-heading = Einen Teil der Seite wählen
pick-words = Wähle auf dem Bild oder in der Liste, was beobachtet wird. Die Seite wird dann bei jedem Lauf in einem Browser geöffnet: 3 Credits pro Lauf.
pick-cut = Nicht alle Teile stehen zur Wahl: Die Seite ist zu lang, hat zu viele Teile oder wurde nicht vollständig geladen.
pick-empty = Kein Teil der Seite hat einen Text, der beobachtet werden kann.
pick-another = Einen anderen Teil wählen
pick-alt = Bild der Seite
pick-parts = Teile der Seite
pick-chosen = Gewählte Teile
pick-more = Ein weiterer Teil kommt durch Drücken dazu, ein gewählter wird durch Drücken entfernt.
pick-steps-button = Schritte auf einem Bild wählen
pick-purpose = Was wählst du?
pick-purpose-part = Den Teil, der beobachtet wird
pick-purpose-step = Schritte, bevor die Seite gelesen wird
pick-steps-heading = Schritte auf der Seite wählen
pick-step-words = Drücke ein Element auf dem Bild oder in der Liste und wähle dann, was damit geschieht. Nach jedem Schritt zeigt ein neues Bild die Seite; jedes zählt als fünf frische Extraktionen.
pick-steps = Bisherige Schritte
pick-step-remove = Schritt { $number } entfernen
pick-step-on = Schritt auf „{ $name }“
pick-step-click = Klicken
pick-step-type = Ausfüllen
pick-step-wait = Warten, bis es da ist
pick-step-scroll = Dorthin scrollen
pick-step-select = Option wählen
pick-step-check = Ankreuzen
pick-step-uncheck = Kreuz entfernen
pick-step-press = Darin eine Taste drücken
pick-step-hover = Mit dem Zeiger darüberfahren
pick-step-wait-text = Auf einen Text darin warten
pick-step-wait-gone = Warten, bis es verschwindet
pick-step-scroll-end = Bis ans Ende seiner Liste scrollen
pick-step-remove-element = Von der Seite entfernen
pick-step-key = Taste
pick-step-optional = Diesen Schritt auslassen, wenn das Element fehlt
pick-step-text = Text des Schritts
pick-step-text-hint = Für „Ausfüllen“, „Option wählen“ und „Auf einen Text warten“. Höchstens { $count } Zeichen.
pick-step-add = Schritt hinzufügen und Seite zeigen
pick-kind-button = (Schaltfläche)
pick-kind-field = (Feld)
pick-step-secret = Ein Geheimnis ausfüllen
step-secret = Geheimnis für { $selector }
step-secret-new = Auszufüllendes Geheimnis
step-secret-hint = Wird verschlüsselt gespeichert, nur auf dieser Website eingegeben und nie angezeigt.
step-secret-set = Es ist gesetzt. Leer lassen, um es zu behalten.
monitor-explanation = Sprachmodell
monitor-explanation-words = Wenn du das <1>Sprachmodell</1> eingeschaltet hast, erhält es die Unterschiede jeder Änderung und sagt in einem Satz, was sich geändert hat. Nachrichten warten höchstens 10 Minuten darauf.
monitor-explanation-explain = Jede Änderung erklären
monitor-explanation-wish = Änderungen, die dir wichtig sind
monitor-explanation-wish-hint = Zum Beispiel: nur wenn der Preis sinkt. Höchstens { $count } Zeichen. Leer, wenn alle wichtig sind.
monitor-explanation-only = Keine Nachrichten über unwichtige Änderungen. Sie bleiben im Verlauf und im Feed.
