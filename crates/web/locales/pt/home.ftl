# Home page.

home-heading = Leia, siga, salve e vigie a web
home-purpose = { $name } transforma páginas da web em texto limpo, traz as novidades dos sites de que você gosta, guarda o que você quer lembrar e avisa quando uma página muda.
home-try = Experimente: cole o endereço de um artigo
home-read = Ler
home-read-words = Qualquer artigo, documento ou PDF como texto limpo, sem anúncios nem pop-ups. Ouça ou leve como e-book.
home-follow = Seguir
home-follow-words = Blogs, notícias, podcasts e canais em uma lista. Traga os seus feeds de outro leitor.
home-save = Salvar
home-save-words = Páginas e arquivos com o texto completo. Destaque, anote e reencontre cada palavra.
home-watch = Vigiar
home-watch-words = Uma mensagem quando um preço cai, um produto volta ao estoque ou uma página muda.
home-picture-today = A página “Hoje”: preços que caíram e itens novos dos sites seguidos
home-picture-text = Um texto salvo com uma frase destacada
home-picture-monitor = Um preço monitorado com o gráfico dos seus valores
home-everywhere = Use no navegador de qualquer aparelho, nos seus aplicativos de feeds e de leitura posterior e em leitores digitais. <1>Assistentes de IA</1> também podem usar, se você permitir.
home-no-account = Este serviço ainda não tem contas. Crie a primeira aqui ou no servidor com { $command }.
home-programs = Para programas
home-programs-words = Coloque este endereço antes de qualquer outro ou use a <1>API</1>. Não é preciso chave.
