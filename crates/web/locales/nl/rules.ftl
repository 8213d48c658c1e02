# Rules for new entries.

rules-made = Regel gemaakt. Ze controleert elk nieuw item.
rules-applied = Regel gemaakt en toegepast op je ongelezen items.
rules-deleted = Regel verwijderd. Items die ze verborg staan weer in je lijsten. Weggegooide items kunnen niet worden hersteld.
rules-of = Regels van { $feed }
rules-for-all = Regels voor alle feeds
rules-words = Een regel controleert elk nieuw item. Ze kan het weggooien, verbergen, als gelezen markeren, tegen andere regels beschermen, een ster geven, in je bibliotheek bewaren of naar kanalen sturen.
rules-also-for-all = Er zijn ook <1>regels voor alle feeds</1>.
rules-single-feed = Regels voor één feed staan op de pagina van die feed.
rules-active = Actieve regels
rules-new = Nieuwe regel
rules-muted-count = { $number } verborgen
rules-dropped-count = { $number } weggegooid
rules-starred-count = { $number } met ster
rules-saved-count = { $number } bewaard
rules-unsaved-count = { $number } niet bewaard, het laatste { $time }: { $reason }
rules-unsaved-daily-limit = regels bewaren hoogstens { $most } items per dag
rules-unsaved-storage-limit = je opslag is vol
rules-unsaved-deleted = je hebt dit verwijderd uit je bibliotheek
rules-unsaved-unavailable = het item kan niet worden bewaard
rules-unsaved-failed = het bewaren is meerdere keren mislukt
rules-since = gemaakt { $time }
rules-off = Uitgeschakeld
rules-off-words = { $off } { $time }: het duurde te lang
rules-matches = Items die bij deze regel passen
rules-nothing-to-test = Er zijn nog geen items om ze op te proberen.
rules-match-count = Van de nieuwste { $examined } items passen er { $matched }.
rules-nothing-changed = Er is niets veranderd.
rules-would-drop = Ze zouden worden weggegooid: geteld en nooit in je lijsten, ook niet als je de regel verwijdert. Er is nog niets veranderd.
rules-would-mute = Ze zouden worden verborgen: niet in lijsten, tellers en apps. Er is nog niets veranderd.
rules-would-read = Ze zouden als gelezen worden gemarkeerd. Er is nog niets veranderd.
rules-would-keep = Ze zouden worden behouden, ook als een andere regel past. Er is nog niets veranderd.
rules-would-star = Ze zouden een ster krijgen en in je bibliotheek worden bewaard, hoogstens { $most } items per dag voor alle regels. Er is nog niets veranderd.
rules-would-save = Ze zouden in je bibliotheek worden bewaard, hoogstens { $most } items per dag voor alle regels. Er is nog niets veranderd.
rules-would-notify = Nieuwe items zoals deze zouden naar de kanalen worden gestuurd. Bestaande items worden niet gestuurd. Er is nog niets veranderd.
rules-more = En nog { $number }.
rules-delete-question = Deze regel verwijderen?
rules-too-slow = Deze regel is uitgeschakeld omdat ze te lang duurde bij nieuwe items. Verwijder ze en maak een eenvoudigere.
rules-has-dropped =
    { $count ->
        [one] Ze heeft { $count } item weggegooid. Weggegooide items kunnen niet worden hersteld.
       *[other] Ze heeft { $count } items weggegooid. Weggegooide items kunnen niet worden hersteld.
    }
rules-has-muted-none = Ze heeft nog geen items verborgen.
rules-has-muted =
    { $count ->
        [one] Ze heeft { $count } item verborgen. Als je de regel verwijdert, komt het terug in je lijsten.
       *[other] Ze heeft { $count } items verborgen. Als je de regel verwijdert, komen ze terug in je lijsten.
    }
rules-stay-changed = Items die ze heeft gewijzigd, blijven zo.
rules-delete = Regel verwijderen
rules-pattern = Woorden, expressie of datum
rules-pattern-hint = Hoofdletters en kleine letters zijn gelijk. Een expressie is een reguliere expressie, zoals \bkorting\b of ^(Advertentie|Gesponsord):. Vul voor bestanden een mediatype of een adres in, zoals audio. Vul voor datums 7d (de laatste 7 dagen), >7d (ouder), before:2026-01-31, after:2026, between:2026-01,2026-03 of future in.
rules-tags-hint = Alleen voor Bewaren. Optioneel, gescheiden door komma’s. Als meer regels hetzelfde item bewaren, gelden de { $rules } oudste, met samen hoogstens { $tags } labels.
rules-channels = Kanalen
rules-channels-hint = Alleen voor ‘Naar kanalen sturen’. Items die een regel weggooit, verbergt of als gelezen markeert, worden niet gestuurd.
rules-channels-none = geen: ze zijn verwijderd
rules-action = Actie
rules-part = Zoeken in
rules-kind = Zoek op
rules-unread-too = Ook toepassen op ongelezen items (de nieuwste 500)
rules-preview = Treffers bekijken
rules-create = Regel maken
rules-drop = Weggooien
rules-mute = Verbergen
rules-keep = Behouden
rules-save = Bewaren
rules-notify = Naar kanalen sturen
rules-drop-note = niet voor je bewaard, alleen geteld
rules-mute-note = in geen enkele lijst tot je de regel verwijdert
rules-read-note = alleen in de lijst met alle items
rules-keep-note = geen andere regel verbergt of markeert ze
rules-star-note = met ster en in je bibliotheek bewaard
rules-save-note = in je bibliotheek bewaard, met de labels hieronder
rules-notify-note = naar de kanalen hieronder gestuurd, ook als de feed geen kanalen heeft
rules-part-any = titel, auteur of tekst
rules-part-title = titel
rules-part-author = auteur
rules-part-text = tekst uit de feed
rules-part-url = adres
rules-part-published = publicatiedatum
rules-part-media = bijgevoegde bestanden
rules-part-category = categorieën
rules-kind-words = Precies deze woorden
rules-kind-expression = Een reguliere expressie
rules-summary-words = { $action }: ‘{ $pattern }’ in { $part }
rules-summary-expression = { $action }: { $pattern } in { $part }
