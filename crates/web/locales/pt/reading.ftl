# Reading pages and reading settings.

reading-source = Fonte
reading-minutes =
    { $count ->
        [0] menos de um minuto
        [one] { $count } minuto
       *[other] { $count } minutos
    }
reading-printed = Fonte: { $address }, lida em { $day } às { $time } UTC.
reading-truncated = Falta uma parte da fonte. Ela é longa demais ou não pode ser convertida em texto.
reading-paywall = A fonte mostra apenas uma prévia a visitantes sem assinatura.
reading-scripts = A fonte mostra parte do texto apenas em navegadores que executam scripts.
reading-passages = Trechos que correspondem à sua busca. <1>Mostrar o texto todo</1>
reading-no-match = Nada neste texto corresponde a “{ $query }”.
reading-next = Próxima página
reading-formats = Como <1>texto</1>, <2>Markdown</2> ou <3>JSON</3>.
reading-save = Salvar
reading-listen = Ouvir
reading-stop = Parar
reading-aa = : ajustes de leitura
reading-more = Mais
reading-outline = Sumário
reading-check = Verificar uma citação
reading-watch = Vigiar esta página
reading-follow = Seguir este site
reading-original = Abrir o original
reading-epub = Baixar como EPUB
reading-markdown = Baixar como Markdown
reading-another = Ler outra página
reading-fetched = Baixado { $age }
reading-fetch-again = Baixar de novo
reading-find-label = Buscar neste texto
reading-find = Buscar
video-play = Reproduzir aqui
video-service = Carrega o player de { $service }
quotation = Citação
quotation-check = Verificar
appearance-save = Salvar ajustes
appearance-theme = Cores
appearance-theme-auto = Como o aparelho
appearance-theme-light = Claro
appearance-theme-sepia = Sépia
appearance-theme-dark = Escuro
appearance-size = Tamanho do texto
appearance-width = Largura do texto
appearance-face = Fonte
appearance-face-serif = Com serifa
appearance-face-sans = Sem serifa
appearance-face-legible = Para dislexia
appearance-face-mono = Monoespaçada
appearance-face-own = Uma fonte deste aparelho
appearance-face-name = Nome da fonte
appearance-face-name-hint = O nome em inglês de uma fonte instalada neste aparelho: letras A–Z, algarismos, espaços e hifens. Em aparelhos sem ela, o texto tem serifa.
appearance-scroll = Marcar entradas como lidas
appearance-scroll-open = Quando eu as abro
appearance-scroll-pass = Também ao rolar por elas (requer scripts)
appearance-pictures = Imagens
appearance-pictures-show = Mostrar
appearance-pictures-hide = Só as descrições, com links
appearance-spacing = Entrelinha
appearance-density = Listas
appearance-density-cosy = Confortáveis
appearance-density-compact = Compactas
appearance-density-magazine = Revista
appearance-paged = Rolar por páginas
appearance-paged-off = Não
appearance-paged-on = Espaço, Page Up e Page Down, e toques acima e abaixo do meio de um texto (requer scripts)
appearance-less = menos
appearance-more = mais
paragraph-link = Link para o parágrafo { $number }
paragraph-original = original
picture-unnamed = Imagem
quotation-text = O texto
quotation-wrong = Digite uma citação de 8 a 1000 caracteres e no máximo 200 palavras.
quotation-paragraph = Parágrafo { $number } do texto
quotation-exact = O texto contém esta citação, palavra por palavra.
quotation-close = O texto contém um trecho parecido.
quotation-close-share = { $share } das palavras são iguais.
quotation-differences = Diferenças
quotation-legend = Riscado: só na citação. Sublinhado: só no texto.
quotation-absent = O texto não contém esta citação.
quotation-absent-words = O trecho mais próximo é { $share } parecido. A página pode ter mudado, ou a citação é de outra página.
quotation-only-quoted = só na citação:
quotation-only-text = só no texto:
quotation-context = Contexto
reader-limited = Você abriu muitas páginas em pouco tempo.
reader-what-to-do = O que fazer:
reader-wait =
    { $count ->
        [one] Espere 1 segundo e tente de novo.
       *[other] Espere { $count } segundos e tente de novo.
    }
reader-another = Ler outra página
reader-about = Sobre { $code }
reader-original = Abrir o original
reader-try-http = Tentar http://
reader-no-page = Página não encontrada
reader-no-page-step = Verifique se há erros de digitação no endereço. Para ler uma página de outro site, digite o endereço abaixo.
reader-gone = O site não tem essa página
reader-gone-step = Abra o original para verificar o endereço. A página pode ter mudado ou sido excluída.
reader-no-address = Digite um endereço
reader-no-address-step = Cole o endereço da página que você quer ler.
reader-address = Digite um endereço completo
reader-address-step = Um endereço completo começa com https:// ou http://, sem nome de usuário nem senha.
