# Plan and usage.

plan-first = La tuya es la primera cuenta de esta instalación, así que tiene el plan mayor: pro.
plan-begin = Empezar
plan-yours = Tu plan es { $plan }. Estos números también están en { $path } y en las cabeceras de cada respuesta.
plan-requests = Solicitudes
plan-quotas = Cuotas
plan-plans = Planes
plan-differ = Los planes solo se diferencian en estos límites. El operador de este servicio puede cambiar tu plan con { $command }.
plan-operations-last-minute = Operaciones en el último minuto
plan-operations-today = Operaciones hoy
plan-fresh-last-minute = Extracciones nuevas en el último minuto
plan-fresh-today = Extracciones nuevas hoy
plan-resets = más { $time }
plan-until-deleted = hasta que borres alguno
plan-feeds = Fuentes
plan-collections = Colecciones de fuentes
plan-consumers = Consumidores de fuentes
plan-credits-this-month = Créditos de monitores este mes
plan-credits-reset = se reinician { $time }
plan-clock = Un monitor se ejecuta como máximo { $often }. Los días y meses son en UTC, donde ahora es { $now }.
plan-limit = Límite
plan-own = (el tuyo)
plan-monitor-interval = Un monitor se ejecuta como máximo
plan-credits-per-month = Créditos de monitores al mes
plan-operations-per-minute = Operaciones por minuto
plan-operations-per-day = Operaciones por día
plan-fresh-per-minute = Extracciones nuevas por minuto
plan-fresh-per-day = Extracciones nuevas por día
plan-used = { $count } de { $most }
plan-daily = una vez al día
plan-hourly = una vez por hora
plan-every =
    { $count ->
        [one] cada minuto
       *[other] cada { $count } minutos
    }
plan-own-quotas = El operador de este servicio fijó estos límites para tu cuenta en lugar de los de tu plan:
plan-in-plan = en el plan { $limit }
plan-storage-used = { $used } MiB de { $most }
