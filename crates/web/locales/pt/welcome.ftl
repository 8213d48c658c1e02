# First steps of a new account.

welcome-followed = Agora você segue estes feeds. As entradas aparecem em alguns minutos.
welcome-none = Nada foi selecionado. Selecione feeds e depois siga-os.
welcome-follow-words = As novas entradas dos sites que você segue chegam em uma única lista.
welcome-site = Endereço de um site
welcome-bring = De outro leitor: <1>traga seus feeds (OPML)</1>. De um navegador: <2>traga seus favoritos</2>.
welcome-save-words = Sua biblioteca guarda o texto completo. Você pode destacá-lo, adicionar notas e reencontrar cada palavra.
welcome-page = Endereço de uma página
welcome-ways = <1>Salve de qualquer página com um clique</1>.
welcome-watch-words = O Carrel verifica a página para você e avisa quando o preço cai ou quando algo mais muda.
welcome-watched = Endereço de um produto ou de uma página
welcome-today = Ir para Hoje
welcome-skip = Pular estes passos
welcome-suggested = Ou escolha entre estes feeds
welcome-follow-selected = Seguir selecionados
topic-news = Notícias
topic-science = Ciência
topic-technology = Tecnologia
topic-programming = Programação
topic-culture = Ideias e cultura
topic-comics = Quadrinhos e comida
