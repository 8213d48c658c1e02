# Saved searches.

search-renamed = Búsqueda renombrada.
search-deleted = Búsqueda eliminada.
searches-query = Consulta
searches-none = No tienes búsquedas guardadas. Busca en tu biblioteca o en tus entradas y elige «Guardar esta búsqueda» encima de los resultados.
searches-in-library = En la biblioteca
searches-in-entries = En entradas de fuentes
search-feed-created = La fuente tiene una dirección nueva. La dirección anterior ya no funciona.
search-feed-deleted = Fuente eliminada. Su dirección ya no funciona.
searches-feed-words = Una búsqueda puede tener una fuente privada con sus 50 resultados más nuevos para cualquier lector. Quien conozca la dirección puede leerla.
searches-feed-address = Dirección de la fuente de «{ $name }»
searches-feed-create = Crear fuente
searches-feed-create-named = Crear una fuente de «{ $name }»
searches-feed-new = Nueva dirección de la fuente
searches-feed-new-named = Nueva dirección de la fuente de «{ $name }»
searches-feed-delete = Eliminar fuente
searches-feed-delete-named = Eliminar la fuente de «{ $name }»
