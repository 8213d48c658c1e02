# Search in the library and in feeds, and search by meaning.

search-help = Palabras, { $phrase }, { $without }, { $tag } y { $domain } encuentran elementos, notas, resaltados y entradas. Escribe una dirección para abrir la página.
search-whole-phrases = "frases enteras"
search-without = -sin
search-all-library = Todo en la biblioteca
search-similar = No hay coincidencias exactas. Estos resultados contienen palabras parecidas.
search-all-feeds = Todo en tus fuentes
search-again = Buscar de nuevo
search-none = sin resultados
search-more-than = más de { $amount }
search-note = Nota
search-highlight = Resaltado
meaning-requested = La búsqueda está en marcha. Esta página muestra los resultados cuando estén listos.
meaning-words = Describe lo que recuerdas de un texto. No hace falta que contenga esas palabras.
meaning-form = Buscar en la biblioteca por significado
meaning-query = Descripción del texto
meaning-off = El modelo de lenguaje está desactivado. <1>Ajustes</1>
meaning-searching = Buscando { $query }. La primera búsqueda tarda más, porque los textos se comparan por primera vez.
meaning-failed = No hay resultados: { $reason }.
meaning-results = Resultados de { $query }
meaning-none = Ningún elemento coincide.
meaning-compared = Se compararon los textos de { $number } elementos { $time }.
meaning-unindexed = Aún sin comparar: { $number }. Busca de nuevo para continuar.
meaning-request-failed = Falló una solicitud: { $reason }.
