# List of monitors, and the states of a monitor.

monitors-deleted = Wächter gelöscht. Sein Feed antwortet jetzt mit 410 Gone.
monitors-purpose = Ein Wächter prüft nach Zeitplan eine Seite, eine Sitemap oder einzelne Werte und meldet Änderungen, hier und in jedem Feedreader.
monitors-api = Mit der API:
monitors-groups = Gruppen
monitors-lists = Import und Export
monitors-none-in-group = In dieser Gruppe ist kein Wächter.
monitors-none-tagged = Kein Wächter hat dieses Schlagwort.
monitors-pause-selected = Auswahl pausieren
monitors-resume-selected = Auswahl fortsetzen
monitors-pause-tagged = Alle { $count } mit diesem Schlagwort pausieren
monitors-resume-tagged = Alle { $count } mit diesem Schlagwort fortsetzen
monitors-usage = { $used } von { $most } Wächtern; diesen Monat sind { $left } von { $credits } Credits übrig.
monitors-unchanged = unverändert
monitors-change-selected = Auswahl ändern
monitors-add-tags = Schlagwörter hinzufügen
monitors-remove-tags = Schlagwörter entfernen
monitors-separated = Durch Kommas getrennt.
monitors-also-notify = Zusätzlich benachrichtigen
monitors-no-longer-notify = Nicht mehr benachrichtigen
monitors-updated =
    { $count ->
        [one] { $count } Wächter wurde geändert.
       *[other] { $count } Wächter wurden geändert.
    }
monitors-left = { $count } konnten nicht geändert werden: Sie überschreiten den Tarif, haben zu viele Schlagwörter oder Kanäle oder existieren nicht mehr.
monitors-caption = Deine Wächter, die neuesten zuerst
monitors-select = Auswählen
monitors-select-named = { $name } auswählen
monitors-last-change = Letzte Änderung
monitors-next-run = Nächster Lauf
monitors-none-yet = noch keine
monitor-active = aktiv
monitor-failed = fehlgeschlagen
monitor-paused = pausiert
monitor-over-plan = pausiert: über dem Limit des Tarifs
failure-selector-none = Der beobachtete Teil ist nicht auf der Seite
failure-selector = Der Selektor lässt sich auf der Seite nicht auswerten
failure-settings = Die Einstellungen des Wächters sind ungültig
