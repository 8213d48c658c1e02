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
appearance-save = Salvar ajustes
appearance-theme = Cores
appearance-theme-auto = Como o aparelho
appearance-theme-light = Claro
appearance-theme-sepia = Sépia
appearance-theme-dark = Escuro
appearance-size = Tamanho do texto
appearance-size-m = Médio
appearance-size-s = Pequeno
appearance-size-l = Grande
appearance-size-xl = Muito grande
appearance-width = Largura do texto
appearance-width-medium = Média
appearance-width-narrow = Estreita
appearance-width-wide = Larga
appearance-face = Fonte
appearance-face-serif = Com serifa
appearance-face-sans = Sem serifa
appearance-scroll = Marcar entradas como lidas
appearance-scroll-open = Quando eu as abro
appearance-scroll-pass = Também ao rolar por elas (requer scripts)
appearance-pictures = Imagens
appearance-pictures-show = Mostrar
appearance-pictures-hide = Só as descrições, com links
appearance-spacing = Entrelinha
appearance-spacing-normal = Normal
appearance-spacing-tight = Estreita
appearance-spacing-loose = Ampla
appearance-density = Listas
appearance-density-cosy = Confortáveis
appearance-density-compact = Compactas
appearance-density-magazine = Revista
