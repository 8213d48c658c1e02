# Details, notes, tags, copies, and deletion of library items.

edit-author = Auteur
edit-tags-hint = Gescheiden door komma’s; hoogstens 12.
edit-kind = Soort
note-item-deleted = Het item ervan is verwijderd.
note-item-deleted-titled = Het item ervan is verwijderd: { $title }.
note-delete-highlight = Markering verwijderen
note-back = Terug naar het item
note-delete = Notitie verwijderen
quote-share = Dit citaat delen
quote-title = Citaat delen
quote-back = Terug naar de markering
quote-text = Citaat met bron
quote-original = Het citaat op de oorspronkelijke pagina
quote-original-words = { $link }. De link markeert het citaat in de meeste browsers.
quote-own = <1>De markering in je bibliotheek</1>. Alleen jij kunt deze link openen.
public-tag-published = Het label is openbaar. Deel de link.
public-tag-private = Het label is weer privé. De oude link werkt niet meer.
public-tag-name = Label
public-tag-hint = Op de pagina staan de items met een openbaar webadres: titel, adres, wanneer je ze bewaarde en het begin van de tekst als die van het adres komt. Nooit je notities, markeringen, andere labels en bestanden.
public-tags = Openbare labels
public-tags-words = Een openbaar label heeft een pagina en een feed die iedereen met de link kan lezen, zonder account.
public-tags-yours = Je openbare labels
public-tags-publish-heading = Een label publiceren
public-tags-publish = Publiceren
public-tag-link = Link van ‘{ $tag }’
public-tag-feeds = <1>Pagina openen</1>. De feed is er als <2>RSS</2>, <3>Atom</3> en <4>JSON Feed</4>.
public-tag-hide-named = ‘{ $tag }’ privé maken
public-tag-hide = Privé maken
shared-added = Pagina toegevoegd.
shared-removed = Pagina uit dit label verwijderd. De eigenaar heeft haar nog.
shared-joined = Je bent lid van het team.
shared-none = Nog niets. Als iemand je in een team uitnodigt, staan de labels en monitors ervan hier.
shared-teams = Je teams
shared-can-add = je kunt pagina’s toevoegen
shared-no-changes = nog geen wijzigingen
shared-no-pages = Nog geen pagina’s.
shared-pages = Pagina’s
shared-older = Oudere pagina’s
shared-tag = Gedeeld label
shared-save = In mijn bibliotheek bewaren
shared-add-page = Pagina toevoegen
shared-add-hint = Ze wordt in de bibliotheek van de eigenaar bewaard.
shared-add = Toevoegen
shared-remove = Verwijderen
shared-remove-named = ‘{ $name }’ verwijderen
shared-changes = Laatste wijzigingen
shared-monitor = Gedeelde monitor
copy-requested = De pagina wordt gekopieerd. Deze weergave laadt opnieuw tot de kopie klaar is.
copy-deleted = Kopie verwijderd.
copy-page = Pagina
copy-page-words = Eén bestand met tekst, opmaak en afbeeldingen, zonder scripts. Opent in elke browser.
copy-picture = Afbeelding
copy-picture-words = De hele pagina als PNG.
copy-pdf-words = De pagina zoals afgedrukt.
copy-words = Een kopie telt mee voor je opslag en kost vijf verse extracties. Ze zit in je export.
copy-open = Kopie openen
copy-from = { $time }, { $size } kB
copy-waiting = Wordt gekopieerd.
copy-fault-storage = De pagina kon niet worden gekopieerd: je opslag is vol. Verwijder bestanden of items.
copy-fault-robots = De pagina kon niet worden gekopieerd: de site laat programma’s haar niet lezen.
copy-fault-content = De pagina kon niet worden gekopieerd: ze is te groot of te complex voor een browser.
copy-fault-browser = De pagina kon niet worden gekopieerd: de browser reageerde niet. Probeer het opnieuw.
copy-fault-queue = De pagina is niet gekopieerd: er wachtten te veel kopieën. Probeer het opnieuw.
copy-fault-limit = De pagina is niet gekopieerd: de verse extracties van vandaag voor automatische kopieën zijn op. Probeer het nu opnieuw of morgen.
copy-fault-address = De pagina kon niet worden gekopieerd: ze kon niet worden geopend. Controleer het adres en probeer het opnieuw.
copy-replace = Vervangen
copy-create = Kopiëren
copies-automatic = Automatische kopieën van pagina’s
copies-saved = Automatische kopieën opgeslagen.
copies-words = Carrel kan de pagina van elk nieuw item dat je via het adres bewaart kopiëren, zoals een browser haar toont. Kies je geen formaat, dan wordt er niets gekopieerd. Pagina’s die de extensie of een e-mail heeft gestuurd, worden niet gekopieerd.
copies-formats = Formaten
copies-imports = Ook pagina’s van geïmporteerde items kopiëren, de nieuwste eerst, hoogstens { $count } kopieën per dag
copies-limits = Een kopie telt mee voor je opslag en kost vijf verse extracties. Automatische kopieën gebruiken hoogstens de helft van de verse extracties van een dag. Is een limiet bereikt, dan staat dat bij het item.
delete-items-question =
    { $count ->
        [one] Dit item verwijderen?
       *[other] Deze { $count } items verwijderen?
    }
delete-items-words = Na een minuut wordt definitief verwijderd, met de bestanden. Tot dan kun je het ongedaan maken.
delete-items-annotations = Ook hun notities en markeringen verwijderen. Anders blijven ze, en kun je ze via zoeken vinden.
delete-items-title = Verwijderen
tags-none = Nog geen labels. Voeg er een toe op de pagina van een item, of aan meerdere in de lijst.
tags-words = Geef je een label de naam van een ander label, dan worden ze samengevoegd. Is dat label openbaar of gedeeld met een team, dan geldt dat voor de items van beide. Een label kan een <1>openbare pagina</1> hebben.
tags-more = Meer labels
tags-yours = Je labels
tags-count =
    { $count ->
        [one] { $count } item
       *[other] { $count } items
    }
tags-remove-named = ‘{ $name }’ overal verwijderen
copy-left-out = Weggelaten: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 afbeelding
       *[other] { $count } afbeeldingen
    }
copy-fonts =
    { $count ->
        [one] 1 lettertype
       *[other] { $count } lettertypen
    }
copy-styles =
    { $count ->
        [one] 1 stylesheet
       *[other] { $count } stylesheets
    }
copy-media =
    { $count ->
        [one] 1 audio of video
       *[other] { $count } audio’s of video’s
    }
copy-frames =
    { $count ->
        [one] 1 frame of object
       *[other] { $count } frames of objecten
    }
copy-cut = De pagina is misschien onvolledig, omdat die een limiet bereikte.
