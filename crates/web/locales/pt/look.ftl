# Reading settings.

look-saved = Configurações salvas neste navegador.
look-saved-account = Configurações salvas para todos os seus navegadores.
look-offline-off = A leitura off-line está desativada. Os textos neste navegador foram excluídos.
look-words = Aparência e comportamento das páginas e dos textos em todos os navegadores em que você entrou na conta. Uma mudança aparece na hora; salve-a para aplicá-la a todas as páginas.
look-only-here = Só neste navegador
look-only-here-words = Seus outros navegadores ficam como estão.
look-save = Salvar configurações
look-sample = O porto acorda antes da cidade. Os barcos que saíram às quatro voltam um após o outro, e as gaivotas conhecem cada um deles.
look-ways = Salvar e buscar de qualquer lugar
look-bookmark = Arraste este link para os seus favoritos. Ele salva a página que você está vendo: { $link }
look-bookmark-link = Salvar no Carrel
look-install = Instale o Carrel como aplicativo pelo menu do navegador. No celular, outros aplicativos poderão compartilhar páginas com ele.
look-keys = Os seus feeds e a sua biblioteca têm teclas como as de outros leitores. Pressione { $key } ali para vê-las.
look-search-engine = Você também pode buscar pelo navegador: adicione o Carrel como mecanismo de busca, com o endereço { $address }.
appearance-words = Aparência dos textos neste navegador. Uma alteração aparece na hora; salve-a para aplicá-la a todas as páginas.
appearance-offline = Com uma conta, o navegador também pode <1>guardar textos para leitura offline</1>.
appearance-refused = As configurações não foram salvas, porque outro site as enviou. Escolha-as de novo.
appearance-unread = Não foi possível ler as configurações. Escolha-as de novo.
appearance-face-wrong = As configurações não foram salvas. Digite o nome da fonte: de 1 a 60 letras A–Z, algarismos, espaços e hifens.
