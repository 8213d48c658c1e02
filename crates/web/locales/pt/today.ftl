# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } entrada não lida
       *[other] { $amount } entradas não lidas
    }
today-unread-partial =
    { $count ->
        [one] pelo menos { $amount } entrada não lida
       *[other] pelo menos { $amount } entradas não lidas
    }
today-unread-heading = Não lidas
today-all-unread = Todas as não lidas
today-order = Primeiro os feeds que você mais lê e marca.
today-search-or-open = Buscar ou abrir
today-search-label = Busque em tudo ou abra uma página
today-search-hint = Busca nos seus feeds e na sua biblioteca. Digite um endereço para abrir a página.
today-search-example = porto, ou https://…
today-go = Ir
today-changes = Mudanças
today-all-changes = Todas as mudanças
today-started = Continuar a ler
today-saved = Salvos recentemente
today-waiting = Salvos há muito tempo
today-this-day = Neste dia
today-attention = Precisa da sua atenção
today-all-failing = Todos os feeds que não respondem
begin = Primeiros passos
begin-progress = { $completed } de { $count } concluídos
begin-done = Feito
begin-follow = Siga um site
begin-follow-words = para ver as novas entradas aqui e em Feeds.
begin-save = Salve uma página
begin-save-words = para ler depois, com os seus destaques e notas.
begin-watch = Vigie um preço
begin-watch-words = ou outra parte de uma página, para ver as mudanças aqui.
begin-continue = Continuar
begin-close = Não mostrar mais
nothing-new = Nada de novo
nothing-feeds = <1>Encontre mais sites</1>, ou <2>traga os seus feeds</2> de outro leitor.
nothing-library = <1>Percorra a sua biblioteca</1>, ou <2>traga as suas páginas salvas</2>.
nothing-monitors = <1>Vigie uma página</1> para ver as mudanças aqui.
