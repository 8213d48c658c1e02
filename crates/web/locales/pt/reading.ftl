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
quotation = Citação
quotation-check = Verificar
look-save = Salvar ajustes
look-theme = Cores
look-theme-auto = Como o aparelho
look-theme-light = Claro
look-theme-sepia = Sépia
look-theme-dark = Escuro
look-size = Tamanho do texto
look-size-m = Médio
look-size-s = Pequeno
look-size-l = Grande
look-size-xl = Muito grande
look-width = Largura do texto
look-width-medium = Média
look-width-narrow = Estreita
look-width-wide = Larga
look-face = Fonte
look-face-serif = Com serifa
look-face-sans = Sem serifa
look-scroll = Marcar entradas como lidas
look-scroll-open = Quando eu as abro
look-scroll-pass = Também ao rolar por elas (requer scripts)
look-pictures = Imagens
look-pictures-show = Mostrar
look-pictures-hide = Só as descrições, com links
look-spacing = Entrelinha
look-spacing-normal = Normal
look-spacing-tight = Estreita
look-spacing-loose = Ampla
look-density = Listas
look-density-cosy = Confortáveis
look-density-compact = Compactas
look-density-magazine = Revista
