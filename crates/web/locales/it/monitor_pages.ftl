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
group-publish-words = Chiunque abbia il link può leggere i nomi dei monitor e le loro modifiche. Se lo disattivi, i link smettono di funzionare per sempre.
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
changes-search = Cerca nelle modifiche
changes-no-match-newest = Nessun risultato tra le modifiche più recenti.
changes-no-match = Nessuna modifica corrisponde.
changes-older = Modifiche precedenti
monitor-edit-heading = Modifica { $name }
monitor-edit-preview-empty = L’anteprima mostra quali modifiche passate verrebbero segnalate con queste impostazioni.
monitor-edit-baseline = Se cambi l’indirizzo o ciò che vi si sorveglia, la prossima esecuzione è il nuovo riferimento.
monitor-edit-preview = Prova sul passato
monitor-edit-replayed =
    { $count ->
        [one] Con queste impostazioni sarebbe stata segnalata { $left } su { $count } ultima modifica.
       *[other] Con queste impostazioni sarebbero state segnalate { $left } delle ultime { $count } modifiche.
    }
monitor-edit-reported = segnalata: { $change }
monitor-edit-not-reported = non segnalata: { $change }
monitor-edit-unknown = sconosciuta: { $change }
monitor-edit-past = Modifiche passate
monitor-rotate-question = Sostituire il link del feed di { $name }?
monitor-rotate-words = Il link attuale del feed e tutti i link alle modifiche smettono subito di funzionare. I lettori di feed hanno bisogno del nuovo link. Il monitor e la pagina che controlla restano gli stessi.
monitor-rotate = Sostituisci il link
monitor-delete-question = Eliminare { $name }?
monitor-delete-words = Le sue esecuzioni e modifiche vengono eliminate, e il suo feed risponde 410 Gone. Non si può annullare.
monitor-delete-button = Elimina monitor
