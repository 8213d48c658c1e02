# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } entrada sin leer
       *[other] { $amount } entradas sin leer
    }
today-unread-partial =
    { $count ->
        [one] al menos { $amount } entrada sin leer
       *[other] al menos { $amount } entradas sin leer
    }
today-unread-heading = Sin leer
today-all-unread = Todo lo no leído
today-order = Primero las fuentes que más lees y destacas.
today-search-or-open = Buscar o abrir
today-search-label = Busca en todo o abre una página
today-search-hint = Busca en tus fuentes y tu biblioteca. Escribe una dirección para abrir la página.
today-search-example = puerto, o https://…
today-go = Ir
today-changes = Cambios
today-all-changes = Todos los cambios
today-started = Seguir leyendo
today-saved = Guardado recientemente
today-waiting = Guardado hace tiempo
today-this-day = Tal día como hoy
today-attention = Requiere tu atención
today-all-failing = Todas las fuentes que no responden
begin = Primeros pasos
begin-progress = { $completed } de { $count } completados
begin-done = Hecho
begin-follow = Sigue un sitio
begin-follow-words = para ver sus entradas nuevas aquí y en Fuentes.
begin-save = Guarda una página
begin-save-words = para leerla más tarde, con tus resaltados y notas.
begin-watch = Vigila un precio
begin-watch-words = o cualquier otra parte de una página, para ver sus cambios aquí.
begin-continue = Continuar
begin-close = No mostrar más
nothing-new = Nada nuevo
nothing-feeds = <1>Encuentra más sitios</1>, o <2>trae tus fuentes</2> de otro lector.
nothing-library = <1>Repasa tu biblioteca</1>, o <2>trae tus páginas guardadas</2>.
nothing-monitors = <1>Vigila una página</1> para ver sus cambios aquí.
