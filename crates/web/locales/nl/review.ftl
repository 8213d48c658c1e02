# Daily review of highlights.

review = Markeringen herhalen
review-due =
    { $count ->
        [one] Vandaag is er { $count } markering te herhalen.
       *[other] Vandaag zijn er { $count } markeringen te herhalen.
    }
review-start = Nu herhalen
review-left =
    { $count ->
        [one] Vandaag nog { $count }
       *[other] Vandaag nog { $count }
    }
review-soon = Binnenkort
review-later = Later
review-never = Nooit meer
review-rule =
    { $count ->
        [one] ‘Binnenkort’ toont haar morgen weer, ‘Later’ over { $count } dag, en daarna met steeds langere tussenpozen.
       *[other] ‘Binnenkort’ toont haar morgen weer, ‘Later’ over { $count } dagen, en daarna met steeds langere tussenpozen.
    }
review-none = Vandaag is er niets te herhalen.
review-none-words = Een nieuwe markering komt een dag later aan de beurt en keert met groeiende tussenpozen terug.
review-removed = Deze markering wordt niet meer herhaald. Op de pagina van haar item kun je haar weer opnemen.
highlight-review-again = Weer herhalen
item-highlight-resumed = Deze markering wordt weer herhaald.
