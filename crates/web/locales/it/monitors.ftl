# List of monitors, and the states of a monitor.

monitors-deleted = Monitor eliminato. Il suo feed ora risponde 410 Gone.
monitors-purpose = Un monitor controlla a orari fissi una pagina, una mappa del sito o alcuni valori e segnala i cambiamenti, qui e in qualsiasi lettore di feed.
monitors-api = Con l’API:
monitors-groups = Gruppi
monitors-lists = Importa ed esporta
monitors-none-in-group = Nessun monitor è in questo gruppo.
monitors-none-tagged = Nessun monitor ha questa etichetta.
monitors-pause-selected = Sospendi i selezionati
monitors-resume-selected = Riprendi i selezionati
monitors-pause-tagged = Sospendi tutti e { $count } con questa etichetta
monitors-resume-tagged = Riprendi tutti e { $count } con questa etichetta
monitors-usage = { $used } monitor su { $most }; restano { $left } crediti su { $credits } questo mese.
monitors-unchanged = nessuna modifica
monitors-change-selected = Modifica i selezionati
monitors-add-tags = Aggiungi etichette
monitors-remove-tags = Togli etichette
monitors-separated = Separate da virgole.
monitors-also-notify = Avvisa anche con
monitors-no-longer-notify = Non avvisare più con
monitors-updated =
    { $count ->
        [one] { $count } monitor aggiornato.
       *[other] { $count } monitor aggiornati.
    }
monitors-left = Non aggiornati: { $count }. Superano il limite del piano, hanno troppe etichette o canali, o non esistono più.
monitors-caption = I tuoi monitor, dal più recente
monitors-select = Seleziona
monitors-select-named = Seleziona { $name }
monitors-last-change = Ultimo cambiamento
monitors-next-run = Prossima esecuzione
monitors-none-yet = ancora niente
monitor-active = attivo
monitor-failed = non riuscito
monitor-paused = in pausa
monitor-over-plan = in pausa: oltre il limite del piano
failure-selector-none = La parte sorvegliata non è nella pagina
failure-selector = Il selettore non può essere valutato nella pagina
failure-settings = Le impostazioni del monitor non sono valide
