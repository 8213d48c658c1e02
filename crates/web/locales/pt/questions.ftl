# Questions to the language model about a text or the library.

question-ask = Perguntar sobre este texto
question-field = Sua pergunta
question-send = Perguntar
question-requested = A resposta está sendo escrita. Esta página vai mostrá-la quando estiver pronta.
question-pending = A resposta está sendo escrita.
question-failed = Não há resposta: { $reason }.
question-none = O texto não diz.
question-by = Respondido pelo modelo de linguagem { $name }. A resposta pode estar errada; as citações são do texto.
question-left-out = Frases omitidas porque a citação não está no texto: { $number }.
question-partial = De um texto longo, só foram enviados o começo e os trechos com palavras da pergunta.
question-omitted = Não lidos: { $number }.
question-library = Perguntar à sua biblioteca
question-library-words = A resposta vem dos textos de no máximo { $count } itens, os que melhor combinam com a pergunta. Cada frase tem uma citação do seu item.
question-library-none = Seus textos não dizem.
question-items = Itens lidos: { $number }.
question-gone = O item foi excluído.
question-follow-up = Pergunta de acompanhamento
question-earlier = Perguntas anteriores: { $count }
question-unanswered = Sem resposta no texto.
question-complete = Esta conversa tem { $count } perguntas. Faça uma pergunta nova para começar outra.
