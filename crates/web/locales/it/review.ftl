# Daily review of highlights.

review = Ripassa le evidenziazioni
review-due =
    { $count ->
        [one] Oggi c’è { $count } evidenziazione da ripassare.
       *[other] Oggi ci sono { $count } evidenziazioni da ripassare.
    }
review-start = Ripassa ora
review-left =
    { $count ->
        [one] Ne resta { $count } per oggi
       *[other] Ne restano { $count } per oggi
    }
review-soon = Presto
review-later = Più avanti
review-never = Mai più
review-rule =
    { $count ->
        [one] “Presto” la riporta domani, “Più avanti” tra { $count } giorno, e poi a intervalli sempre più lunghi.
       *[other] “Presto” la riporta domani, “Più avanti” tra { $count } giorni, e poi a intervalli sempre più lunghi.
    }
review-none = Oggi non c’è nulla da ripassare.
review-none-words = Una nuova evidenziazione si ripassa il giorno dopo e torna a intervalli crescenti.
review-removed = Questa evidenziazione non sarà più ripassata. Puoi includerla di nuovo nella pagina del suo elemento.
highlight-review-again = Ripassa di nuovo
item-highlight-resumed = Questa evidenziazione sarà di nuovo ripassata.
review-frequency = Quanto spesso torna questa fonte
review-frequency-more = Più spesso
review-frequency-normal = Normale
review-frequency-less = Meno spesso
review-frequency-never = Mai
review-frequency-saved = Frequenza salvata.
review-per-day = Evidenziazioni al giorno
review-per-day-saved = Numero salvato.
review-sources = Fonti che tornano più o meno spesso
review-sources-more = Sono elencate solo le { $count } più recenti.
review-send = Invia ai tuoi canali
review-send-words = Le evidenziazioni da ripassare vengono inviate ogni giorno in cui ce ne sono, con link ai passaggi.
review-send-to = Inviate ogni giorno alle { $time } a { $address }.
review-send-start = Invia a { $address }
review-send-stop = Non inviare più
review-send-at-hint = Anche i messaggi su monitor e feed per questo canale arrivano allora una volta al giorno, in questo messaggio.
review-send-none = <1>Aggiungi un canale</1> per riceverle via e-mail o in una chat.
review-send-started = Le evidenziazioni da ripassare verranno inviate.
review-send-stopped = Le evidenziazioni da ripassare non verranno più inviate.
review-themes = Ripassi a tema
review-themes-words = Ognuno mostra un proprio numero di evidenziazioni al giorno, oltre al ripasso generale.
review-themes-edit = Aggiungi o modifica ripassi a tema
review-theme-new = Nuovo ripasso a tema
review-theme-name = Nome
review-theme-choose = Quali evidenziazioni
review-theme-tag = Con l’etichetta
review-theme-item = Dalla fonte
review-theme-search = Trovate dalla ricerca salvata
review-theme-same = La fonte attuale
review-theme-add = Aggiungi
review-theme-delete = Elimina ripasso
review-theme-stay = Le sue evidenziazioni restano.
review-theme-created = Ripasso a tema aggiunto.
review-theme-changed = Ripasso a tema modificato.
review-theme-deleted = Ripasso a tema eliminato.
review-theme-no-search = La ricerca salvata è stata eliminata. Scegli altre evidenziazioni.
review-theme-no-item = La fonte è stata eliminata.
card = Scheda di ripasso
card-make = Crea una scheda
card-change = Modifica la scheda
card-words = Nel ripasso la scheda chiede per prima, e premendo si vede la risposta. Un’evidenziazione ha una sola scheda: salvando la si sostituisce.
card-gaps = Nascondi parole
card-gaps-rule = Parole da nascondere
card-gaps-first = Sono elencate solo le prime { $count } parole.
card-gaps-written = Altre parti da nascondere, una per riga
card-gaps-save = Salva spazi vuoti
card-question = Fai una domanda
card-question-label = Domanda
card-answer = Risposta
card-question-save = Salva domanda
card-delete = Elimina scheda
card-saved = Scheda salvata.
card-deleted = Scheda eliminata.
card-unfit = La scheda non corrisponde alle parole dell’evidenziazione, quindi non nasconde nulla. Scegli di nuovo gli spazi vuoti.
card-show-answer = Mostra risposta
