# Rules for saved items.

item-rules = Regras para itens salvos
item-rules-words = Uma regra altera cada item novo uma única vez, assim que o texto é lido. Itens importados não são alterados. Etiquetas públicas ou compartilhadas não são adicionadas.
item-rules-created = Regra criada. Ela vale para o que você salvar a partir de agora.
item-rules-changed = Regras alteradas.
item-rules-deleted = Regra excluída.
item-rules-name = Nome da regra
item-rules-query = Itens que esta busca encontra
item-rules-query-hint = Por exemplo, domain:example.org ou title:fatura. As palavras e os filtros são os da busca.
item-rules-status = Mover para
item-rules-status-none = Não mover
item-rules-adds = Adiciona as etiquetas: { $tags }
item-rules-moves = Move para: { $status }
item-rules-nothing = Não altera nada
item-rules-matches = Correspondências até agora: { $count }
item-rules-items = Ver itens
item-rules-withheld = Não adicionadas, por serem públicas ou compartilhadas: { $tags }
item-rules-edit-named = Editar “{ $name }”
item-rules-up = Subir
item-rules-up-named = Mover “{ $name }” para cima
item-rules-down = Descer
item-rules-down-named = Mover “{ $name }” para baixo
item-rules-stay = Os itens que a regra alterou ficam como estão.
