# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Página não encontrada
public-not-found-words = O link está errado. Verifique se está completo.
public-gone = Esta página não é mais pública
public-gone-words = O dono a excluiu ou lhe deu um novo link.
public-gone-title = Não é mais pública
public-unavailable = Temporariamente indisponível
public-unavailable-words = Tente de novo em alguns segundos.
public-group-follow = Siga as mudanças em um leitor de feeds: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Nenhum monitor ainda.
public-tag-not-found = O link está errado, ou o dono não compartilha mais esta página.
public-tag-follow = Siga esta lista em um leitor de feeds: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Nenhum item ainda.
public-newest = São mostrados os { $number } itens mais recentes.
change-not-found = Mudança não encontrada
change-not-found-words = O link está errado, ou a mudança foi excluída.
change-gone = Este link não é mais válido
change-gone-words = O feed tem um novo link ou não é mais público.
change-gone-title = Link não é mais válido
change-of = Mudança de { $monitor }
change-detected = Detectada
change-address = Endereço
change-differences = Diferenças
change-views = Visualizações
change-sides = Lado a lado
change-inline = No texto
change-before = Antes
change-after = Depois
change-rest =
    { $count ->
        [one] Mais { $count } diferença não é mostrada.
       *[other] Mais { $count } diferenças não são mostradas.
    }
change-legend = O texto removido está riscado; o adicionado, sublinhado.
change-unknown-size = tamanho desconhecido
change-no-screenshot = Esta captura não está guardada: é grande ou antiga demais, ou o espaço para capturas acabou.
change-earlier = Mudança anterior
change-later = Mudança seguinte
change-count-added = { $count } adicionadas
change-count-removed = { $count } removidas
change-count-changed = { $count } alteradas
change-count-moved = { $count } movidas
change-unchanged =
    { $count ->
        [one] { $count } linha inalterada
       *[other] { $count } linhas inalteradas
    }
change-whole = A fonte mudou demais para comparar linha por linha.
change-before-value = Antes:
change-after-value = Depois:
change-link = Link: { $link }
change-fell = caiu { $amount }
change-rose = subiu { $amount }
change-new = Novo
change-removed = Removido
change-changed = Alterado
change-moved = Movido
change-removed-part = removido:
change-added-part = adicionado:
change-explanation-pending = O modelo de linguagem está explicando a mudança.
change-explanation-none = O modelo de linguagem não explicou a mudança: { $reason }.
change-explanation-by = Escrito pelo modelo de linguagem { $name }. Pode estar errado.
change-explanation-irrelevant = Segundo ele, a mudança não importa para o desejo.
change-explanation-withheld = Segundo ele, a mudança não importa para o desejo, por isso nenhuma mensagem foi enviada.
