# Search in the library and in feeds, and search by meaning.

search-help = Palavras, { $phrase }, { $without }, { $tag } e { $domain } encontram itens, notas, destaques e entradas. Digite um endereço para abrir a página.
search-whole-phrases = "frases inteiras"
search-without = -sem
search-all-library = Todos os resultados da biblioteca
search-similar = Nenhum resultado exato. Estes contêm palavras parecidas.
search-all-feeds = Todos os resultados dos feeds
search-again = Buscar de novo
search-none = nenhum resultado
search-more-than = mais de { $amount }
search-note = Nota
search-highlight = Destaque
meaning-requested = A busca está em andamento. Esta página mostra os resultados quando estiverem prontos.
meaning-words = Descreva o que você lembra de um texto. Ele não precisa conter essas palavras.
meaning-form = Buscar na biblioteca por significado
meaning-query = Descrição do texto
meaning-off = O modelo de linguagem está desligado. <1>Configurações</1>
meaning-searching = Buscando { $query }. A primeira busca demora mais, porque os textos são comparados pela primeira vez.
meaning-failed = Não há resultados: { $reason }.
meaning-results = Resultados para { $query }
meaning-none = Nenhum item corresponde.
meaning-compared = Os textos de { $number } itens foram comparados { $time }.
meaning-unindexed = Ainda não comparados: { $number }. Busque de novo para continuar.
meaning-request-failed = Uma solicitação falhou: { $reason }.
