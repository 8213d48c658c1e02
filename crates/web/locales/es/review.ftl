# Daily review of highlights.

review = Repasar resaltados
review-due =
    { $count ->
        [one] Hoy toca repasar { $count } resaltado.
       *[other] Hoy toca repasar { $count } resaltados.
    }
review-start = Repasar ahora
review-left =
    { $count ->
        [one] Queda { $count } hoy
       *[other] Quedan { $count } hoy
    }
review-soon = Pronto
review-later = Más adelante
review-never = Nunca más
review-rule =
    { $count ->
        [one] «Pronto» lo trae mañana, «Más adelante» en { $count } día, y después a intervalos cada vez mayores.
       *[other] «Pronto» lo trae mañana, «Más adelante» en { $count } días, y después a intervalos cada vez mayores.
    }
review-none = Hoy no hay nada que repasar.
review-none-words = Un resaltado nuevo se repasa al día siguiente y vuelve a intervalos crecientes.
review-removed = Este resaltado ya no se repasará. Puedes volver a incluirlo en la página de su elemento.
highlight-review-again = Repasar de nuevo
item-highlight-resumed = Este resaltado volverá a repasarse.
