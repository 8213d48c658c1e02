# Saved searches.

search-renamed = Busca renomeada.
search-deleted = Busca excluída.
searches-query = Consulta
searches-none = Você não tem buscas salvas. Busque na sua biblioteca ou nas suas entradas e escolha “Salvar esta busca” acima dos resultados.
searches-in-library = Na biblioteca
searches-in-entries = Em entradas de feeds
search-feed-created = O feed tem um novo endereço. O endereço anterior não funciona mais.
search-feed-deleted = Feed excluído. O endereço dele não funciona mais.
searches-feed-words = Uma busca pode ter um feed privado com os 50 resultados mais novos, para qualquer leitor de feeds. Quem souber o endereço pode lê-lo.
searches-feed-address = Endereço do feed de “{ $name }”
searches-feed-create = Criar feed
searches-feed-create-named = Criar um feed de “{ $name }”
searches-feed-new = Novo endereço do feed
searches-feed-new-named = Novo endereço do feed de “{ $name }”
searches-feed-delete = Excluir feed
searches-feed-delete-named = Excluir o feed de “{ $name }”
