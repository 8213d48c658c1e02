# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Gruppi di monitor
groups-deleted = Gruppo eliminato. I suoi monitor mantengono le impostazioni.
groups-words = I monitor di un gruppo condividono impostazioni come intervallo, ore silenziose e canali. Un gruppo può avere una pagina e un feed pubblici.
groups-public = pubblico
groups-new = Nuovo gruppo
groups-create = Crea gruppo
groups-count =
    { $count ->
        [one] { $count } monitor
       *[other] { $count } monitor
    }
groups-in-group = { $link } in questo gruppo.
group-made = Gruppo creato. Sceglilo nel modulo di un monitor, o per i monitor selezionati nell’elenco.
group-saved = Gruppo salvato.
group-title = Gruppo
group-publish = Pagina e feed pubblici
group-publish-words = Chiunque abbia il link può leggere i nomi dei monitor e i loro cambiamenti. Se lo disattivi, i link smettono di funzionare per sempre.
group-new-monitor = Nuovo monitor qui
group-shared-words = Le impostazioni condivise valgono per ogni monitor del gruppo, salvo che ne abbia di proprie. Se smetti di condividerne una, ogni monitor ne mantiene il valore.
group-check = Controlla
group-own-interval = l’impostazione di ogni monitor
group-share-days = Condividi questi giorni e orari
group-share-channels = Condividi questi canali
group-page = Pagina pubblica
group-page-words = Chiunque abbia questo link può leggere la pagina. Se la pagina è privata, tratta il link come una password.
group-page-link = Link della pagina
group-delete-question = Eliminare il gruppo { $name }?
group-delete-words = I suoi monitor restano, con le impostazioni attuali. La pagina e il feed pubblici smettono di funzionare per sempre.
group-delete = Elimina gruppo
duplicate-name = { $name } (copia)
duplicate-heading = Duplica { $name }
duplicate-words = La copia ha tutte le impostazioni di questo monitor e sorveglia un altro indirizzo. Puoi modificarla dopo.
duplicate-create = Crea copia
lists-heading = Importa ed esporta monitor
lists-words = Un backup di changedetection.io (ZIP), un elenco di urlwatch (urls.yaml) o un’esportazione di questo servizio. I monitor che hai già restano invariati.
lists-download = Scarica i monitor (JSON)
lists-imported = I tuoi monitor sono importati
lists-program = Il file è un elenco di { $program }.
lists-new = Nuovi
lists-existing = Esistenti
lists-refused = Non importati
lists-not-read = Non letti
lists-not-read-words = Alcuni monitor non sono stati letti: sono difettosi, o l’elenco ne ha più di 1000.
lists-show = Mostra i monitor
lists-line-new = { $monitor }: nuovo
lists-line-existing = { $monitor }: esisteva già
lists-line-refused = { $monitor }: non importato. { $reason }
lists-without = Senza: { $settings }
changes-search = Cerca nei cambiamenti
changes-no-match-newest = Nessun risultato tra i cambiamenti più recenti.
changes-no-match = Nessun cambiamento corrisponde.
changes-older = Cambiamenti precedenti
monitor-edit-heading = Modifica { $name }
monitor-edit-preview-empty = L’anteprima mostra quali cambiamenti passati verrebbero segnalati con queste impostazioni.
monitor-edit-baseline = Se cambi l’indirizzo o ciò che vi si sorveglia, la prossima esecuzione è il nuovo riferimento.
monitor-edit-preview = Prova sul passato
monitor-edit-replayed =
    { $count ->
        [one] Con queste impostazioni sarebbe stato segnalato { $left } su { $count } ultimo cambiamento.
       *[other] Con queste impostazioni sarebbero stati segnalati { $left } degli ultimi { $count } cambiamenti.
    }
monitor-edit-reported = segnalato: { $change }
monitor-edit-not-reported = non segnalato: { $change }
monitor-edit-unknown = sconosciuto: { $change }
monitor-edit-past = Cambiamenti passati
monitor-rotate-question = Sostituire il link del feed di { $name }?
monitor-rotate-words = Il link attuale del feed e tutti i link ai cambiamenti smettono subito di funzionare. I lettori di feed hanno bisogno del nuovo link. Il monitor e la pagina che controlla restano gli stessi.
monitor-rotate = Sostituisci il link
monitor-delete-question = Eliminare { $name }?
monitor-delete-words = Le sue esecuzioni e i suoi cambiamenti vengono eliminati, e il suo feed risponde 410 Gone. Non si può annullare.
monitor-delete-button = Elimina monitor
