# Plan and usage.

plan-first = A sua é a primeira conta desta instalação e por isso tem o maior plano: pro.
plan-begin = Começar
plan-yours = Seu plano é { $plan }. Estes números também estão em { $path } e nos cabeçalhos de cada resposta.
plan-requests = Pedidos
plan-quotas = Cotas
plan-plans = Planos
plan-differ = Os planos diferem apenas nestes limites. O operador deste serviço pode mudar seu plano com { $command }.
plan-operations-last-minute = Operações no último minuto
plan-operations-today = Operações hoje
plan-fresh-last-minute = Extrações novas no último minuto
plan-fresh-today = Extrações novas hoje
plan-resets = mais { $time }
plan-until-deleted = até você excluir alguns
plan-feeds = Feeds
plan-collections = Coleções de feeds
plan-consumers = Consumidores de feeds
plan-credits-this-month = Créditos de monitores neste mês
plan-credits-reset = renovam { $time }
plan-clock = Um monitor roda no máximo { $often }. Dias e meses são em UTC, onde agora é { $now }.
plan-limit = Limite
plan-own = (o seu)
plan-monitor-interval = Um monitor roda no máximo
plan-credits-per-month = Créditos de monitores por mês
plan-operations-per-minute = Operações por minuto
plan-operations-per-day = Operações por dia
plan-fresh-per-minute = Extrações novas por minuto
plan-fresh-per-day = Extrações novas por dia
plan-used = { $count } de { $most }
plan-daily = uma vez por dia
plan-hourly = uma vez por hora
plan-every =
    { $count ->
        [one] a cada { $count } minuto
       *[other] a cada { $count } minutos
    }
plan-own-quotas = O operador deste serviço definiu estes limites para a sua conta no lugar dos limites do plano:
plan-in-plan = no plano { $limit }
plan-storage-used = { $used } MiB de { $most }
