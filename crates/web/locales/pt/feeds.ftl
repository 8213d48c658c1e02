# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Assinaturas
feeds-status = Status dos feeds
feeds-all = Todos
feeds-none = Você ainda não segue nenhum feed.
feeds-none-in-status = Nenhum feed tem este status.
feeds-count =
    { $count ->
        [one] { $amount } feed
       *[other] { $amount } feeds
    }
feeds-more = Mais feeds
feeds-rules = Regras
feeds-statistics = Estatísticas
feeds-unread-count = { $amount } não lidas
follow-words = Digite o endereço de qualquer página dele. As novas entradas aparecerão nos seus feeds.
follow-address = Endereço do site ou do feed dele
follow-collection = Coleção
follow-search = Buscar feeds
follow-search-again = Buscar de novo
follow-several = Vários feeds de uma vez: <1>importar um arquivo OPML</1>.
follow-services = Serviços cujas páginas são reconhecidas
follow-found = Feeds encontrados
follow-none = Não há feed neste endereço, e a página não aponta para nenhum. Em vez disso, você pode <1>vigiar a página</1> e receber um aviso quando ela mudar.
follow-unchecked = indicado na página, ainda não verificado
follow-titled = Seguir “{ $title }”
follow-list = Seguir os novos itens desta página
follow-list-words = A página tem uma lista de { $count } itens. Um monitor avisa dos novos como entradas nos seus feeds.
follow-list-watch = Vigiar novos itens
feed-request-words = Se você definir um agente de usuário ou cabeçalhos, o feed é baixado separadamente para a sua conta.
feed-request-headers-hint = Um por linha, como X-Feed-Key: 1234. São guardados cifrados e enviados só ao site do feed.
feed-request-stored = Guardados: { $names }. Os novos os substituem.
feed-request-remove = Remover os cabeçalhos guardados
