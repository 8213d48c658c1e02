# Daily review of highlights.

review = Réviser les surlignages
review-due =
    { $count ->
        [one] { $count } surlignage à réviser aujourd’hui.
       *[other] { $count } surlignages à réviser aujourd’hui.
    }
review-start = Réviser
review-left =
    { $count ->
        [one] Encore { $count } aujourd’hui
       *[other] Encore { $count } aujourd’hui
    }
review-soon = Bientôt
review-later = Plus tard
review-never = Plus jamais
review-rule =
    { $count ->
        [one] « Bientôt » le ramène demain, « Plus tard » dans { $count } jour, puis à des intervalles de plus en plus longs.
       *[other] « Bientôt » le ramène demain, « Plus tard » dans { $count } jours, puis à des intervalles de plus en plus longs.
    }
review-none = Rien à réviser aujourd’hui.
review-none-words = Un nouveau surlignage est à réviser le lendemain, puis revient à des intervalles croissants.
review-removed = Ce surlignage ne sera plus révisé. Vous pouvez le réintégrer sur la page de son élément.
highlight-review-again = Réviser à nouveau
item-highlight-resumed = Ce surlignage sera de nouveau révisé.
