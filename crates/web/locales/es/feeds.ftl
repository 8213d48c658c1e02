# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Suscripciones
feeds-status = Estado de las fuentes
feeds-all = Todas
feeds-none = Aún no sigues ninguna fuente.
feeds-none-in-status = Ninguna fuente tiene este estado.
feeds-count =
    { $count ->
        [one] { $amount } fuente
       *[other] { $amount } fuentes
    }
feeds-more = Más fuentes
feeds-rules = Reglas
feeds-statistics = Estadísticas
feeds-unread-count = { $amount } sin leer
follow-words = Escribe la dirección de cualquiera de sus páginas. Las entradas nuevas aparecerán en tus fuentes.
follow-address = Dirección del sitio o de su fuente
follow-collection = Colección
follow-search = Buscar fuentes
follow-search-again = Buscar de nuevo
follow-several = Varias fuentes a la vez: <1>importar un archivo OPML</1>.
follow-services = Servicios cuyas páginas se reconocen
follow-found = Fuentes encontradas
follow-none = No hay ninguna fuente en esta dirección, y la página no enlaza a ninguna. En su lugar puedes <1>vigilar la página</1> y recibir un aviso cuando cambie.
follow-unchecked = enlazada en la página, aún sin comprobar
follow-titled = Seguir «{ $title }»
follow-list = Seguir lo nuevo de esta página
follow-list-words = La página tiene una lista de { $count } elementos. Un monitor avisa de los nuevos como entradas en tus fuentes.
follow-list-watch = Vigilar lo nuevo
feed-request-words = Si indicas un agente de usuario o cabeceras, la fuente se descarga por separado para tu cuenta.
feed-request-headers-hint = Una por línea, como X-Feed-Key: 1234. Se guardan cifradas y se envían solo al sitio de la fuente.
feed-request-stored = Guardadas: { $names }. Las nuevas las sustituyen.
feed-request-remove = Quitar las cabeceras guardadas
