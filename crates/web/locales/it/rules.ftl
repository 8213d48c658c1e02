# Rules for new entries.

rules-made = Regola creata. Controlla ogni nuova voce.
rules-applied = Regola creata e applicata alle voci non lette.
rules-deleted = Regola eliminata. Le voci che nascondeva sono tornate nei tuoi elenchi. Quelle scartate non si possono ripristinare.
rules-of = Regole di { $feed }
rules-for-all = Regole per tutti i feed
rules-words = Una regola controlla ogni nuova voce. Può scartarla, nasconderla, segnarla come letta, proteggerla da altre regole, darle una stella, salvarla nella tua libreria o inviarla ai canali.
rules-also-for-all = Ci sono anche <1>regole per tutti i feed</1>.
rules-single-feed = Le regole di un singolo feed sono nella pagina di quel feed.
rules-active = Regole attive
rules-new = Nuova regola
rules-muted-count = { $number } nascoste
rules-dropped-count = { $number } scartate
rules-starred-count = { $number } con stella
rules-saved-count = { $number } salvate
rules-unsaved-count = { $number } non salvate, l’ultima { $time }: { $reason }
rules-unsaved-daily-limit = le regole salvano al massimo { $most } voci al giorno
rules-unsaved-storage-limit = il tuo spazio è pieno
rules-unsaved-deleted = hai eliminato questo elemento
rules-unsaved-unavailable = la voce non si può salvare
rules-unsaved-failed = il salvataggio non è riuscito dopo più tentativi
rules-since = creata { $time }
rules-off = Disattivata
rules-off-words = { $off } { $time }: richiedeva troppo tempo
rules-matches = Voci a cui corrisponde questa regola
rules-nothing-to-test = Non ci sono ancora voci su cui provarla.
rules-match-count = Delle { $examined } voci più recenti, ne corrispondono { $matched }.
rules-nothing-changed = Non è cambiato nulla.
rules-would-drop = Verrebbero scartate: contate, e mai nei tuoi elenchi, anche se elimini la regola. Non è ancora cambiato nulla.
rules-would-mute = Verrebbero nascoste da elenchi, contatori e app. Non è ancora cambiato nulla.
rules-would-read = Verrebbero segnate come lette. Non è ancora cambiato nulla.
rules-would-keep = Verrebbero tenute, anche se corrisponde un’altra regola. Non è ancora cambiato nulla.
rules-would-star = Riceverebbero una stella e verrebbero salvate nella tua libreria, al massimo { $most } voci al giorno per tutte le regole. Non è ancora cambiato nulla.
rules-would-save = Verrebbero salvate nella tua libreria, al massimo { $most } voci al giorno per tutte le regole. Non è ancora cambiato nulla.
rules-would-notify = Le nuove voci come queste verrebbero inviate ai canali. Quelle già presenti non vengono inviate. Non è ancora cambiato nulla.
rules-more = E altre { $number }.
rules-delete-question = Eliminare questa regola?
rules-too-slow = Questa regola è stata disattivata perché richiedeva troppo tempo sulle nuove voci. Eliminala e creane una più semplice.
rules-has-dropped =
    { $count ->
        [one] Ha scartato { $count } voce. Le voci scartate non si possono ripristinare.
       *[other] Ha scartato { $count } voci. Le voci scartate non si possono ripristinare.
    }
rules-has-muted-none = Non ha ancora nascosto nessuna voce.
rules-has-muted =
    { $count ->
        [one] Ha nascosto { $count } voce. Se elimini la regola, torna nei tuoi elenchi.
       *[other] Ha nascosto { $count } voci. Se elimini la regola, tornano nei tuoi elenchi.
    }
rules-stay-changed = Le voci che ha modificato restano come sono.
rules-delete = Elimina regola
rules-pattern = Parole, espressione o data
rules-pattern-hint = Maiuscole e minuscole sono uguali. Un’espressione è un’espressione regolare, come \bsaldi\b o ^(Annuncio|Sponsorizzato):. Per i file, inserisci un tipo di media o un indirizzo, come audio. Per le date, inserisci 7d (gli ultimi 7 giorni), >7d (più vecchie), before:2026-01-31, after:2026, between:2026-01,2026-03 o future.
rules-tags-hint = Solo per Salva. Facoltativo, separate da virgole. Se più regole salvano una voce, valgono le { $rules } più vecchie, con al massimo { $tags } etichette in tutto.
rules-channels = Canali
rules-channels-hint = Solo per “Invia ai canali”. Le voci che una regola scarta, nasconde o segna come lette non vengono inviate.
rules-channels-none = nessuno: sono stati eliminati
rules-action = Azione
rules-part = Cerca in
rules-kind = Corrispondenza
rules-unread-too = Applicala anche alle voci non lette (le 500 più recenti)
rules-preview = Anteprima
rules-create = Crea regola
rules-drop = Scarta
rules-mute = Nascondi
rules-keep = Tieni
rules-save = Salva
rules-notify = Invia ai canali
rules-drop-note = non conservate per te, solo contate
rules-mute-note = nascoste da tutti gli elenchi finché non elimini la regola
rules-read-note = solo nell’elenco di tutte le voci
rules-keep-note = nessun’altra regola le nasconde o le segna
rules-star-note = con stella e salvate nella tua libreria
rules-save-note = salvate nella tua libreria, con le etichette qui sotto
rules-notify-note = inviate ai canali qui sotto, anche se il feed non ha canali
rules-part-any = il titolo, l’autore o il testo
rules-part-title = il titolo
rules-part-author = l’autore
rules-part-text = il testo del feed
rules-part-url = l’indirizzo
rules-part-published = la data di pubblicazione
rules-part-media = i file allegati
rules-part-category = le categorie
rules-kind-words = Queste parole esatte
rules-kind-expression = Un’espressione regolare
rules-summary-words = { $action }: «{ $pattern }» in: { $part }
rules-summary-expression = { $action }: { $pattern } in: { $part }
