# Language model: what is sent to it, and the switch of the account.

model = Modelo de linguagem
model-purpose = Um modelo de linguagem pode resumir itens salvos e entradas não lidas. Ele fica desligado até você ligá-lo.
model-manage = Gerenciar o modelo
model-is-on = O modelo de linguagem está { $state } para a sua conta.
model-is-off = O modelo de linguagem está { $state } para a sua conta. Nada é enviado a ele.
model-on = ligado
model-off = desligado
model-switch-on = Ligar
model-switch-off = Desligar
model-switched-on = Ligado. A página de um item salvo tem um botão para resumi-lo, e as entradas de uma coleção têm um link para um resumo.
model-switched-off = Desligado. Nada mais é enviado. Os resumos existentes permanecem.
model-sent = O que é enviado
model-sent-summary = Para o resumo de um item: seu título, os primeiros { $characters } caracteres do texto e no máximo { $tags } nomes das suas etiquetas.
model-sent-briefing = Para o resumo de uma coleção: os títulos de no máximo { $entries } entradas não lidas e os primeiros { $characters } caracteres dos seus resumos.
model-sent-search = Para uma busca por significado: as palavras que você busca. Na biblioteca: os títulos e os primeiros { $characters } caracteres dos textos dos seus { $items } itens mais novos.
model-sent-entries = Para uma busca por significado nos feeds: os títulos e os primeiros { $characters } caracteres dos resumos das suas { $unread } entradas não lidas e { $starred } com estrela mais novas.
model-sent-when = Só quando você aperta { $summarize } na página de um item ou { $briefing } na página de uma coleção, quando busca por significado ou quando um programa com a sua chave pede.
model-sent-never = Nunca seu nome, seu endereço, suas notas ou seus destaques.
model-briefing-button = Escrever um resumo
model-where = Para onde é enviado
model-where-words = Ao modelo { $model } em { $host }, escolhido pelo operador desta instalação. O operador desse servidor pode ler o que é enviado.
model-with-embeddings = { $model } (para uma busca por significado, { $other })
model-answer = O que acontece com a resposta
model-answer-words = A resposta é mostrada como texto e pode estar errada. Ela não muda nada: as etiquetas sugeridas só são adicionadas quando você as aperta.
model-limit = Seu plano permite { $amount } pedidos por dia.
model-answer-numbers = Em uma busca por significado, as respostas são listas de números. As dos seus textos são excluídas quando você desliga o modelo. As de uma entrada também são usadas para outras contas com o mesmo feed, exceto em newsletters, monitores e feeds com login.
