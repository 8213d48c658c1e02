# Import and export of lists of feeds.

opml-title = Importar e exportar
opml-heading = Importar e exportar feeds
opml-words = Um arquivo OPML, que todo leitor de feeds exporta. As pastas viram coleções. Os feeds que você já segue não mudam.
opml-download = Baixar feeds como OPML
opml-running = <1>Há uma importação em andamento</1>.
opml-last = Resultado da última importação
feed-import-running = Importando seus feeds
feed-import-finished = Seus feeds foram importados
feed-import-reloads = Esta página recarrega até a importação terminar. Você pode sair e voltar.
feed-import-checked = Feeds verificados
feed-import-empty = O arquivo não contém feeds.
feed-import-to-feeds = Ir para seus feeds
feed-import-stopped-words = Os feeds já importados ficam.
feed-import-unknown = O arquivo não é uma lista de feeds em OPML ou está danificado. Exporte-o de novo do seu leitor. Favoritos e páginas salvas são importados em Biblioteca › Importar.
feed-import-too-large = Ler o arquivo exige tempo ou memória demais. Nada foi importado.
feed-import-again = Importe o arquivo de novo. Feeds já importados não são adicionados duas vezes.
feed-import-in-file = Feeds no arquivo
feed-import-known = Já seguidos
feed-import-refused = Não importados
feed-import-collections = Coleções criadas
feed-import-no-collection = Sem coleção, porque seu plano não permite mais
feed-import-problems = O que não foi importado como no arquivo, e por quê
feed-import-problem = Feed { $row }: { $reason }
feed-import-more = E mais { $amount }.
