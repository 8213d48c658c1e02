# Sign-in and sign-up.

sign-in = Entrar
sign-in-passkey = Entrar com uma chave de acesso
oidc-sign-in = Entrar com { $name }
sign-in-forgot = Esqueceu a senha?
sign-in-new = Ainda não tem conta? <1>Crie uma</1>.
sign-in-for-app = Um aplicativo pede acesso à sua conta. Entre ou crie uma conta para ver o pedido. Nada é permitido sem a sua aprovação.
sign-up = Criar conta
sign-up-heading = Criar uma conta
sign-up-button = Criar conta
sign-up-closed = O cadastro está fechado. Peça uma conta ao operador deste serviço.
sign-up-purpose = Siga sites, salve páginas na sua biblioteca e receba uma mensagem quando uma página mudar. Basta um endereço de e-mail e uma senha.
sign-up-invitation = Convite
sign-up-invitation-hint = O código que você recebeu. Ele vale uma vez.
sign-up-known = Já tem uma conta? <1>Entre</1>.
purpose-today = Entre para ver o seu dia
purpose-today-words = “Hoje” é a sua página inicial: novas entradas dos seus feeds, mudanças das páginas que você vigia e o que salvou por último.
purpose-feeds = Entre para ver os seus feeds
purpose-feeds-words = Siga blogs, sites de notícias e podcasts: as novas entradas chegam em uma só lista, aqui e nos seus aplicativos. Você pode trazer os feeds de outro leitor.
purpose-library = Entre para abrir a sua biblioteca
purpose-library-words = A sua biblioteca guarda páginas e arquivos com o texto completo, os seus destaques e as suas notas. Você pode buscar cada palavra, ler off-line em um leitor digital e exportar tudo a qualquer momento.
purpose-monitors = Entre para ver os seus monitores
purpose-monitors-words = Um monitor verifica uma página da web com regularidade e avisa de cada mudança real: um preço menor, um produto de volta ao estoque, um novo parágrafo. As mensagens chegam por e-mail, em um chat ou em qualquer leitor de feeds.
purpose-search = Entre para buscar
purpose-search-words = A busca abrange a sua biblioteca, os seus destaques e notas, e as entradas dos seus feeds.
