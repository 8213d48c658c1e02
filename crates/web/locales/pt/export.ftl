# Export of the library.

export-everything = Tudo
export-everything-words = Textos, arquivos, etiquetas, notas e destaques, e seus feeds, estrelas, regras, monitores e as mudanças deles. Pode ser importado de novo.
export-bookmarks = Favoritos
export-bookmarks-words = Endereços, títulos e etiquetas, para qualquer navegador.
export-table = Uma tabela
export-table-words = Uma linha por item, para uma planilha.
export-cards = Cartões
export-cards-words = Lacunas e perguntas dos seus destaques, como texto para o Anki.
export-create = Criar exportação
export-feeds = Exporte seus feeds <1>como OPML</1>.
export-creating = Criando a exportação
export-reloads = Esta página recarrega até a exportação ficar pronta. Você pode sair e voltar.
export-written = Itens gravados
export-progress = { $done } de { $total }
export-failed = A exportação falhou
export-failed-words = Não foi possível criar a exportação. <1>Tente de novo</1>.
export-yours = Sua exportação
export-expires = Os arquivos serão excluídos { $time }.
export-delete = Excluir exportação
export-part = Baixar parte { $number }
export-kilobytes = { $amount } KB
