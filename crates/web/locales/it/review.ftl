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
