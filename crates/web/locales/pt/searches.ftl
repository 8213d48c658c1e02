# Saved searches.

search-renamed = Busca renomeada.
search-deleted = Busca excluída.
searches-none = Você não tem buscas salvas. Busque na sua biblioteca ou nas suas entradas e escolha “Salvar esta busca” acima dos resultados.
searches-in-library = Na biblioteca
searches-in-entries = Em entradas de feeds
