# Form of a new monitor, and its preview.

monitor-new = Novo monitor
monitor-new-words = O Carrel verifica uma página com regularidade e avisa quando muda a parte que interessa a você.
monitor-full = O seu plano não permite mais monitores.
monitor-full-used = { $used } de { $limit } em uso.
monitor-full-words = Exclua um de que não precisa mais, ou edite um para vigiar outra coisa.
monitor-full-list = Ir para os seus monitores
monitor-full-plan = Plano e uso
monitor-examples = Experimente um exemplo
monitor-example-change = Qualquer mudança de uma página
monitor-example-word = Uma palavra aparece
monitor-example-list = Novidades de uma lista
monitor-preview = Prévia
monitor-preview-again = Nova prévia
monitor-preview-empty = Toque em Prévia para ver o que este monitor vai vigiar. Não usa créditos.
monitor-start = Vigiar
monitor-cancel = Cancelar
step-1 = 1. O que vigiar
step-2 = 2. Quando
step-3 = 3. Como avisamos você
monitor-address = Endereço da página
monitor-address-hint = A página pública, o mapa do site ou o documento JSON a vigiar.
monitor-type = Tipo
target-page = Uma página
target-page-words = o texto ou uma parte; 1 crédito por execução
target-sitemap = Um mapa do site
target-sitemap-words = endereços adicionados e removidos; 2 créditos por execução
target-product = Um produto
target-product-words = nome, preço e disponibilidade; 3 créditos por execução
target-calendar = Um calendário
target-calendar-words = os eventos de um arquivo iCalendar; 2 créditos por execução
target-file = Um arquivo
target-file-words = de qualquer formato, pelo tamanho e hash; 1 crédito por execução
target-image = Uma imagem
target-image-words = pela aparência, como a de uma webcam; 2 créditos por execução
target-headers = Cabeçalhos
target-headers-words = o status e os cabeçalhos da resposta; 1 crédito por execução
target-extract = Valores
target-extract-words = como preços, por seletor; 3 créditos por execução
monitor-part = Só uma parte da página
monitor-selector = Seletor
monitor-selector-hint = CSS, como #price ou li:contains("Tickets"), XPath, como //table[2]//tr, JSONPath, como $.version, ou jq, como jq:.items[] | select(.free) | .name. Em uma página, JSONPath e jq leem os dados dos scripts: $['ld+json'][0].offers.price ou $.__NEXT_DATA__.props. Se forem vários, um por linha, cada um também é avisado quando aparece ou some. Para a aparência: um seletor CSS.
monitor-filters = Filtros
monitor-filters-hint = Um por linha, aplicados em ordem às linhas da página: keep ou drop com uma expressão regular, como drop ^Advert; replace, como replace \d+ views => views; sort; unique. A prévia mostra as linhas depois de cada um.
monitor-sitemap = Filtros do mapa do site
monitor-include = Incluir endereços
monitor-include-hint = Um padrão por linha, como /blog/*.
monitor-exclude = Excluir endereços
monitor-exclude-hint = Um padrão por linha.
monitor-values = Valores
monitor-values-hint = Um por linha, como price = .price. Um asterisco depois do nome marca a chave que identifica um item. Se um valor tiver vários números, escolha um com first, last, least ou greatest entre parênteses, como price (least) = .price. Dos cabeçalhos, diga quais ler, como etag = ETag.
monitor-items = Elemento repetido
monitor-items-hint = Seletor CSS ou XPath do elemento repetido, como .product. Vazio: a página é um item só.
monitor-empty = A lista pode ficar vazia, como uma lista de horários livres.
monitor-empty-words = Senão, uma lista vazia só conta se estiver vazia duas vezes.
monitor-headers = Cabeçalhos
monitor-headers-hint = Um por linha, como etag = ETag. Vazio: todos, menos os que sempre diferem.
monitor-interval = Verificar
monitor-not-in-plan = (não está no seu plano)
every-minutes =
    { $count ->
        [1] a cada minuto
        [one] a cada { $count } minutos
       *[other] a cada { $count } minutos
    }
every-hours =
    { $count ->
        [1] a cada hora
        [one] a cada { $count } horas
       *[other] a cada { $count } horas
    }
every-days =
    { $count ->
        [1] todo dia
        [one] a cada { $count } dias
       *[other] a cada { $count } dias
    }
every-week = toda semana
monitor-trigger = Avisar quando
trigger-any = algo mudar
trigger-text-appears = um texto aparecer
trigger-text-disappears = um texto sumir
trigger-above = um número subir acima de
trigger-below = um número cair abaixo de
trigger-share = mudar ao menos esta porcentagem
trigger-added = algo for adicionado
trigger-removed = algo for removido
trigger-condition = as condições abaixo forem atendidas
monitor-value = Texto ou número
monitor-value-hint = Desnecessário para “algo mudar”.
monitor-one-value = Só um dos valores
monitor-value-name = Nome do valor
monitor-value-name-hint = Um nome de Valores; de um produto name, price, currency ou availability; de um evento title, start, end, location, status ou repeats; de um arquivo size ou sha256; de cabeçalhos status ou um cabeçalho. Vazio: qualquer valor.
monitor-conditions = Condições
monitor-conditions-hint = Uma por linha; todas devem ser verdadeiras. Uma linha com a palavra or começa uma alternativa. Com valores, comece por um nome, como price falls by 10%, price new low in 30 days, price between 5 and 9, ou not stock contains sold out. Sem valores: contains tickets, matches v\d+, count above 3, length below 200, ou similarity below 80.
monitor-repeat = Avisar de novo enquanto for verdade
monitor-repeat-after = Avisar de novo após
monitor-repeat-hint = Horas, como 24. Vazio: avisar uma vez, quando se tornar verdade.
monitor-ignore = Ignorar algumas mudanças
monitor-ignore-label = Ignorar mudanças que contenham
monitor-ignore-hint = Um texto por linha. Blocos que o contêm são ignorados.
schedule-days = Dias e horários
schedule-only-on = Só em
day-monday = segunda-feira
day-tuesday = terça-feira
day-wednesday = quarta-feira
day-thursday = quinta-feira
day-friday = sexta-feira
day-saturday = sábado
day-sunday = domingo
schedule-week = Quais desses dias no mês
schedule-week-all = todos
week-first = primeiro
week-second = segundo
week-third = terceiro
week-fourth = quarto
week-last = último
schedule-times = Nestes horários
schedule-times-hint = Separados por vírgulas, como 08:30, 17:00. Eles substituem o intervalo.
schedule-from = Só a partir de
schedule-from-hint = Como 08:00. O monitor roda no seu intervalo nessas horas.
schedule-to = até
schedule-to-hint = Como 18:00.
schedule-zone = Fuso horário
schedule-zone-hint = Como Europe/Berlin. Vazio: UTC.
schedule-jitter = Atraso aleatório em minutos
schedule-jitter-hint = No máximo 120. Vazio: menos de um minuto.
schedule-not-before = Não antes de
schedule-not-before-hint = Uma data como 2026-12-24, ou uma hora como 2026-12-24T08:00:00Z.
schedule-muted = Horas de silêncio e falhas
schedule-mute-from = Sem mensagens a partir de
schedule-mute-from-hint = Como 22:00, no fuso de Dias e horários. As execuções continuam; as mensagens esperam até o fim.
schedule-mute-to-hint = Como 07:00.
schedule-failures = Avisar após tantas falhas seguidas
schedule-failures-hint = Vazio: só quando o monitor parar.
monitor-follow = Mostrar as mudanças também nos meus feeds
monitor-notify = Avisar por
monitor-no-channels = Você ainda não tem canais. <1>Adicione um</1> para receber avisos por e-mail, webhook ou chat.
monitor-group = Grupo
monitor-group-none = nenhum
monitor-override = Prevalecer sobre o grupo
monitor-override-hint = Os ajustes do grupo substituem os deste formulário, menos os que você marcar aqui.
setting-interval = Intervalo
setting-channels = Canais
monitor-tags-hint = Opcional. Etiquetas separadas por vírgulas, como casa, preços. No máximo { $count }.
monitor-name = Nome
monitor-name-hint = A prévia sugere o título da página; você pode mudá-lo.
monitor-name-limit = No máximo { $count } caracteres.
request = Requisição e acesso
request-agent = Agente do usuário
request-agent-hint = Vazio: o do Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (não é mais oferecido)
request-headers-hint = Um por linha, como Accept-Language: de. Escreva segredos nos campos abaixo.
request-post = Enviar uma requisição com este corpo
request-method = Método
request-body = Corpo
request-body-hint = Cada execução o envia, portanto seu efeito se repete.
request-media = Tipo de mídia do corpo
request-media-hint = Vazio: dados de formulário.
request-cookies = Guardar os cookies do site entre execuções
request-any-status = Um status de erro, como 404, é conteúdo.
request-any-status-words = Senão, essa execução falha.
request-credentials = Credenciais
credentials-keep = Manter as credenciais guardadas
credentials-none = Nenhuma
credentials-basic = Usuário e senha
credentials-bearer = Token Bearer
credentials-header = Outro cabeçalho, como uma chave de API ou um cookie
request-user = Usuário ou nome do cabeçalho
request-user-hint = Desnecessário para um token Bearer.
request-secret = Senha, token ou valor
request-secret-hint = Enviado só a este site, e nunca mostrado.
preview-heading = O que será vigiado
preview-of-page = Encontrado agora em “{ $title }”: { $amount }. Nenhum crédito foi usado.
preview-of-address = Encontrado agora: { $amount }. Nenhum crédito foi usado.
preview-lines =
    { $count ->
        [one] { $count } linha de texto
       *[other] { $count } linhas de texto
    }
preview-addresses =
    { $count ->
        [one] { $count } endereço
       *[other] { $count } endereços
    }
preview-items =
    { $count ->
        [one] { $count } item
       *[other] { $count } itens
    }
preview-nothing = nada
preview-number = O número a comparar: { $number }
preview-number-of = O número a comparar de { $item }: { $number }
preview-met = A condição já é atendida. A primeira execução não avisa nada. O aviso vem quando ela deixar de ser atendida e voltar a ser.
preview-met-repeat = A condição já é atendida. A primeira execução não avisa nada. Se ela continuar atendida, o aviso vem após o número de horas em “{ $field }”.
preview-not-met = A condição não é atendida agora.
preview-filter =
    { $count ->
        [one] Após o filtro { $number }: { $count } linha
       *[other] Após o filtro { $number }: { $count } linhas
    }
preview-only-first = Só os primeiros { $count } são mostrados.
preview-or-only = Ou vigie só
preset-address = Um endereço melhor
preset-product = Este produto: qualquer mudança
preset-product-price = Este produto: o preço cai
preset-in-stock = De volta ao estoque
preset-price-falls = O preço cai
preset-price-changes = O preço muda
preset-stock = Em estoque ou esgotado
preset-list = Novidades desta lista
preset-part = Este texto muda
unwatched-margin = não vigiado: fora do texto principal; um seletor ou um texto esperado o inclui
unwatched-clock = não vigiado: parece um relógio ou uma data da página
unwatched-part = as horas e os contadores não são vigiados
unwatched-ignored = ignorado pela sua regra
unwatched-learned = não vigiado: muda a cada verificação
target-visual = A aparência
target-visual-words = de uma página em um navegador, ou de um elemento; 3 créditos por execução
rendering = Scripts
rendering-open = Abrir a página em um navegador, que executa os scripts.
rendering-open-words = 3 créditos por execução. Para páginas, produtos e valores, sem corpo da requisição nem proxy.
rendering-wait = Esperar por
rendering-wait-hint = Seletor CSS de um elemento sem o qual a página não está completa.
rendering-steps = Passos
rendering-steps-hint = Um por linha, antes de ler a página: click .more, type #search => boats, press Enter, select #sort => Preço, scroll_end, wait 2 (segundos) ou wait_text Em estoque. O manual lista todos. Com um ponto de interrogação (click? .close), um passo é pulado se faltar o elemento. Para uma senha ou outro segredo, escreva secret #password; abaixo aparece um campo para ele. Os outros textos são guardados como estão.
rendering-cookie-notices = Dispensar avisos de cookies
rendering-cookie-notices-words = São recusados ou então ocultados, nunca aceitos.
pick-button = Escolher em uma imagem da página
pick-hint = Um navegador abre a página e mostra suas partes. Conta como cinco extrações novas, como cada prévia em um navegador.
pick-no-browser = Para escolher uma parte em uma imagem da página, este serviço precisa de um navegador, que ele não tem. A prévia também sugere partes.
pick-heading = Escolha uma parte da página
pick-words = Escolha na imagem ou na lista a parte a vigiar. A página é então aberta em um navegador a cada execução: 3 créditos por execução.
pick-cut = Nem todas as partes são oferecidas: a página é longa demais, tem partes demais ou não foi carregada por completo.
pick-empty = Nenhuma parte da página tem um texto que possa ser vigiado.
pick-another = Escolher outra parte
pick-alt = Imagem da página
pick-parts = Partes da página
pick-chosen = Partes escolhidas
pick-more = Pressione outra parte para adicioná-la, ou uma parte escolhida para removê-la.
pick-steps-button = Escolher passos em uma imagem
pick-purpose = O que você escolhe?
pick-purpose-part = A parte a vigiar
pick-purpose-step = Passos antes de ler a página
pick-steps-heading = Escolha passos na página
pick-step-words = Pressione um elemento na imagem ou na lista e escolha o que fazer com ele. Depois de cada passo, uma nova imagem mostra a página; cada uma conta como cinco extrações novas.
pick-steps = Passos até agora
pick-step-remove = Remover o passo { $number }
pick-step-on = Passo em “{ $name }”
pick-step-click = Clicar
pick-step-type = Preencher
pick-step-wait = Esperar até aparecer
pick-step-scroll = Rolar até ele
pick-step-select = Escolher uma opção
pick-step-check = Marcar
pick-step-uncheck = Desmarcar
pick-step-press = Pressionar uma tecla nele
pick-step-hover = Passar o ponteiro por cima
pick-step-wait-text = Esperar um texto nele
pick-step-wait-gone = Esperar até desaparecer
pick-step-scroll-end = Rolar até o fim da lista
pick-step-remove-element = Remover da página
pick-step-key = Tecla
pick-step-optional = Pular este passo se faltar o elemento
pick-step-text = Texto do passo
pick-step-text-hint = Para “Preencher”, “Escolher uma opção” e “Esperar um texto”. No máximo { $count } caracteres.
pick-step-add = Adicionar o passo e mostrar a página
pick-kind-button = (botão)
pick-kind-field = (campo)
pick-step-secret = Preencher um segredo
step-secret = Segredo para { $selector }
step-secret-new = Segredo a preencher
step-secret-hint = Guardado cifrado, digitado só neste site e nunca exibido.
step-secret-set = Está definido. Deixe vazio para mantê-lo.
monitor-explanation = Modelo de linguagem
monitor-explanation-words = Se você ligou o <1>modelo de linguagem</1>, ele recebe as diferenças de cada mudança e diz em uma frase o que mudou. As mensagens esperam por ele no máximo 10 minutos.
monitor-explanation-explain = Explicar cada mudança
monitor-explanation-wish = Mudanças que importam para você
monitor-explanation-wish-hint = Por exemplo: só quedas de preço. No máximo { $count } caracteres. Vazio se todas importam.
monitor-explanation-only = Não enviar mensagens sobre mudanças sem importância. Elas ficam no histórico e no feed.
