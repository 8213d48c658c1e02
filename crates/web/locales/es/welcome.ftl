# First steps of a new account.

welcome-followed = Ahora sigues estas fuentes. Sus entradas aparecen en unos minutos.
welcome-none = No hay nada seleccionado. Selecciona fuentes y luego síguelas.
welcome-follow-words = Las entradas nuevas de los sitios que sigues llegan a una sola lista.
welcome-site = Dirección de un sitio
welcome-bring = Desde otro lector: <1>trae tus fuentes (OPML)</1>. Desde un navegador: <2>trae tus marcadores</2>.
welcome-save-words = Tu biblioteca conserva el texto completo. Puedes resaltarlo, añadir notas y encontrar de nuevo cada palabra.
welcome-page = Dirección de una página
welcome-ways = <1>Guarda desde cualquier página con un clic</1>.
welcome-watch-words = Carrel revisa la página por ti y te avisa cuando baja el precio o cambia otra cosa.
welcome-watched = Dirección de un producto o una página
welcome-today = Ir a Hoy
welcome-skip = Omitir estos pasos
welcome-suggested = O elige entre estas fuentes
welcome-follow-selected = Seguir seleccionadas
topic-news = Noticias
topic-science = Ciencia
topic-technology = Tecnología
topic-programming = Programación
topic-culture = Ideas y cultura
topic-comics = Cómics y cocina
