# Details, notes, tags, copies, and deletion of library items.

edit-author = Autor
edit-tags-hint = Separadas por vírgulas; no máximo 12.
edit-kind = Tipo
note-item-deleted = O item dele foi excluído.
note-item-deleted-titled = O item dele foi excluído: { $title }.
note-delete-highlight = Excluir destaque
note-back = Voltar ao item
note-delete = Excluir nota
quote-share = Compartilhar esta citação
quote-title = Compartilhar uma citação
quote-back = Voltar ao destaque
quote-text = Citação com a fonte
quote-original = A citação na página original
quote-original-words = { $link }. O link marca a citação na maioria dos navegadores.
quote-own = <1>O destaque na sua biblioteca</1>. Só você pode abrir este link.
public-tag-published = A etiqueta é pública. Compartilhe o link.
public-tag-private = A etiqueta voltou a ser privada. O link antigo não funciona mais.
public-tag-name = Etiqueta
public-tag-hint = Na página aparecem os itens com endereço público: título, endereço, quando você os salvou e o início do texto, se veio do endereço. Nunca suas notas, destaques, outras etiquetas e arquivos.
public-tags = Etiquetas públicas
public-tags-words = Uma etiqueta pública tem uma página e um feed que qualquer pessoa com o link pode ler, sem conta.
public-tags-yours = Suas etiquetas públicas
public-tags-publish-heading = Publicar uma etiqueta
public-tags-publish = Publicar
public-tag-link = Link de “{ $tag }”
public-tag-feeds = <1>Abrir a página</1>. O feed está disponível em <2>RSS</2>, <3>Atom</3> e <4>JSON Feed</4>.
public-tag-hide-named = Tornar “{ $tag }” privada
public-tag-hide = Tornar privada
shared-added = Página adicionada.
shared-removed = Página removida desta etiqueta. O dono ainda a tem.
shared-joined = Você entrou na equipe.
shared-none = Nada ainda. Quando alguém convidar você para uma equipe, as etiquetas e os monitores dela aparecem aqui.
shared-teams = Suas equipes
shared-can-add = você pode adicionar páginas
shared-no-changes = sem mudanças ainda
shared-no-pages = Nenhuma página ainda.
shared-pages = Páginas
shared-older = Páginas mais antigas
shared-tag = Etiqueta compartilhada
shared-save = Salvar na minha biblioteca
shared-add-page = Adicionar uma página
shared-add-hint = Ela é salva na biblioteca do dono.
shared-add = Adicionar
shared-remove = Remover
shared-remove-named = Remover “{ $name }”
shared-changes = Últimas mudanças
shared-monitor = Monitor compartilhado
copy-requested = A página está sendo copiada. Esta tela recarrega até a cópia ficar pronta.
copy-deleted = Cópia excluída.
copy-page = Página
copy-page-words = Um arquivo com texto, estilos e imagens, sem scripts. Abre em qualquer navegador.
copy-picture = Imagem
copy-picture-words = A página inteira em PNG.
copy-pdf-words = A página como é impressa.
copy-words = Uma cópia ocupa seu armazenamento e custa cinco extrações novas. Ela faz parte da sua exportação.
copy-open = Abrir a cópia
copy-from = { $time }, { $size } KB
copy-waiting = Sendo copiada.
copy-fault-storage = Não foi possível copiar a página: seu armazenamento acabou. Exclua arquivos ou itens.
copy-fault-robots = Não foi possível copiar a página: o site não permite que programas a leiam.
copy-fault-content = Não foi possível copiar a página: ela é grande ou complexa demais para um navegador.
copy-fault-browser = Não foi possível copiar a página: o navegador não respondeu. Tente de novo.
copy-fault-queue = A página não foi copiada: havia cópias demais na fila. Tente de novo.
copy-fault-limit = A página não foi copiada: as extrações novas de hoje para cópias automáticas acabaram. Tente de novo agora ou amanhã.
copy-fault-address = Não foi possível copiar a página: ela não pôde ser aberta. Verifique o endereço e tente de novo.
copy-replace = Substituir
copy-create = Copiar
copies-automatic = Cópias automáticas de páginas
copies-saved = Cópias automáticas salvas.
copies-words = O Carrel pode copiar a página de cada item novo que você salva pelo endereço, como um navegador a mostra. Se você não escolher nenhum formato, nenhuma página é copiada. Páginas enviadas pela extensão ou por e-mail não são copiadas.
copies-formats = Formatos
copies-imports = Copiar também as páginas dos itens importados, os mais recentes primeiro, no máximo { $count } cópias por dia
copies-limits = Uma cópia ocupa seu armazenamento e custa cinco extrações novas. As cópias automáticas usam no máximo metade das extrações novas de um dia. Se um limite for atingido, o item avisa.
delete-items-question =
    { $count ->
        [one] Excluir este item?
       *[other] Excluir estes { $count } itens?
    }
delete-items-words = Após um minuto, a exclusão é definitiva, com os arquivos. Até lá, você pode desfazê-la.
delete-items-annotations = Excluir também as notas e os destaques. Caso contrário, eles ficam e podem ser encontrados pela busca.
delete-items-title = Excluir
tags-none = Nenhuma etiqueta ainda. Adicione uma na página de um item, ou a vários na lista.
tags-words = Se você der a uma etiqueta o nome de outra, as duas se juntam. Se a outra for pública ou compartilhada com uma equipe, os itens das duas também serão. Uma etiqueta pode ter uma <1>página pública</1>.
tags-more = Mais etiquetas
tags-yours = Suas etiquetas
tags-count =
    { $count ->
        [one] { $count } item
       *[other] { $count } itens
    }
tags-remove-named = Remover “{ $name }” de tudo
copy-left-out = Omitido: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 imagem
       *[other] { $count } imagens
    }
copy-fonts =
    { $count ->
        [one] 1 fonte
       *[other] { $count } fontes
    }
copy-styles =
    { $count ->
        [one] 1 folha de estilo
       *[other] { $count } folhas de estilo
    }
copy-media =
    { $count ->
        [one] 1 áudio ou vídeo
       *[other] { $count } áudios ou vídeos
    }
copy-frames =
    { $count ->
        [one] 1 quadro ou objeto
       *[other] { $count } quadros ou objetos
    }
copy-cut = A página pode estar incompleta, porque atingiu um limite.
