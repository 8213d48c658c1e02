# Daily review of highlights.

review = Revisar destaques
review-due =
    { $count ->
        [one] { $count } destaque para revisar hoje.
       *[other] { $count } destaques para revisar hoje.
    }
review-start = Revisar agora
review-left =
    { $count ->
        [one] Falta { $count } hoje
       *[other] Faltam { $count } hoje
    }
review-soon = Em breve
review-later = Mais tarde
review-never = Nunca mais
review-rule =
    { $count ->
        [one] “Em breve” o traz de volta amanhã, “Mais tarde” em { $count } dia, e depois em intervalos cada vez maiores.
       *[other] “Em breve” o traz de volta amanhã, “Mais tarde” em { $count } dias, e depois em intervalos cada vez maiores.
    }
review-none = Nada para revisar hoje.
review-none-words = Um novo destaque é revisado no dia seguinte e volta em intervalos crescentes.
review-removed = Este destaque não será mais revisado. Você pode incluí-lo de novo na página do item.
highlight-review-again = Revisar de novo
item-highlight-resumed = Este destaque voltará a ser revisado.
