# Saved searches.

search-renamed = Búsqueda renombrada.
search-deleted = Búsqueda eliminada.
searches-none = No tienes búsquedas guardadas. Busca en tu biblioteca o en tus entradas y elige «Guardar esta búsqueda» encima de los resultados.
searches-in-library = En la biblioteca
searches-in-entries = En entradas de fuentes
