# Messages to the channels of an account.

credits-most-title = Se ha usado el 80 % de los créditos de monitores de este mes
credits-most-text = Se han usado { $used } de { $limit } créditos. Cuando no queden, los monitores esperarán al mes siguiente.
credits-none-title = Se han agotado los créditos de monitores de este mes
credits-none-text = Los monitores sin créditos vuelven a ejecutarse en la primera hora del mes siguiente.
sign-in-title = Nuevo inicio de sesión en tu cuenta
sign-in-text = Un navegador que no se había usado con esta cuenta inició sesión desde { $network }: { $time }. Si fuiste tú, no hay nada que hacer. Si no, elige una contraseña nueva.
factor-added-title = Se añadió un segundo factor a tu cuenta
passkey-added-title = Se añadió una llave de acceso a tu cuenta
single-sign-on-added-title = El inicio de sesión único se conectó a tu cuenta
single-sign-on-removed-title = El inicio de sesión único se desconectó de tu cuenta
factor-removed-title = Se quitó el segundo factor de tu cuenta
sign-in-changed-text = Fecha: { $time }. Si fuiste tú, no hay nada que hacer. Si no, elige una contraseña nueva.
key-title = Se creó una clave de API
key-text = Su nombre es «{ $name }». Si no la creaste tú, revócala y elige una contraseña nueva.
app-title = Se conectó una aplicación a tu cuenta
app-text = Dice llamarse «{ $app }»; este nombre no está verificado. Si no la permitiste, retírale el acceso y elige una contraseña nueva.
off-title = Se desactivó el canal «{ $name }»
off-gone = Respondió que no quiere más mensajes (410).
off-refused = El servidor de correo dice que esta dirección no existe.
off-failing = Durante tres días no se pudo entregar ningún mensaje.
off-text = { $why } Los mensajes se conservan siete días y se envían cuando el canal se activa de nuevo.
plan-title =
    { $count ->
        [one] Se desactivó { $count } canal
       *[other] Se desactivaron { $count } canales
    }
plan-text = Canales activos que permite tu plan: { $limit }. Se desactivaron los más nuevos: { $names }. Sus mensajes se conservan siete días.
quoted = «{ $name }»
test-title = Prueba de este canal
test-text = Así llegan los mensajes de Carrel.
digest-title = Lo que pasó hasta el { $date }
today-unread = Sin leer
today-changes = Cambios
today-started = Seguir leyendo
today-saved = Guardado recientemente
today-waiting = Guardado hace tiempo
today-this-day = Tal día como hoy
today-attention = Requiere tu atención
today-highlights = Resaltados para repasar
today-review =
    { $count ->
        [one] Hoy toca repasar { $count } resaltado.
       *[other] Hoy toca repasar { $count } resaltados.
    }
stop-link = Darse de baja
several-title = Varios cambios
entries-title =
    { $count ->
        [one] 1 entrada nueva
       *[other] { $count } entradas nuevas
    }
item-saved-title = Guardado: { $title }
items-saved-title =
    { $count ->
        [one] Se guardó 1 elemento
       *[other] Se guardaron { $count } elementos
    }
missed-title = Lo que este canal se perdió
collected-count =
    { $count ->
        [one] Un mensaje:
       *[other] { $count } mensajes:
    }
more = Y { $count } más.
more-short = y { $count } más
snooze = Posponer o silenciar este monitor: { $link }
snooze-short = Posponer o silenciar: { $link }
template-failed = (La plantilla de este canal falló. { $error }.)
stop = Para no recibir más estos mensajes: { $link }
confirm-subject = Confirma esta dirección para los mensajes de Carrel
confirm-body =
    Una persona con una cuenta en { $origin } quiere que los mensajes de esa cuenta se envíen a esta dirección.

    Si eres tú, abre este enlace y pulsa el botón:

    { $link }

    Si no, no hagas nada: entonces no se te envía nada.
