# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Confirma tu dirección
notice-confirm-words = ¿Enviar mensajes de Carrel a { $address }? Lo pidió un usuario de este servicio.
notice-confirm-button = Confirmar
notice-confirm-not-you = Si no fuiste tú, cierra esta página. No se te enviará nada.
notice-confirmed = Dirección confirmada
notice-confirmed-words = Los mensajes se envían ahora a { $address }. Cada uno tiene un enlace para darse de baja.
notice-stop = Darse de baja
notice-stop-question = ¿Darte de baja?
notice-stop-monitor = Los mensajes sobre el monitor { $monitor } van a { $address }.
notice-stop-feed = Las entradas nuevas de la fuente { $feed } van a { $address }.
notice-stop-monitors = Los mensajes sobre todos los monitores, fuentes y elementos guardados van a { $address }.
notice-stop-daily = El correo diario y los mensajes sobre todos los monitores, fuentes y elementos guardados van a { $address }.
notice-stop-saved = Los mensajes sobre elementos guardados van a { $address }.
notice-stop-account = Los mensajes de la cuenta (créditos, entradas, claves y aplicaciones) van a { $address }.
notice-stop-everything = Los mensajes sobre los monitores y la cuenta van a { $address }.
notice-stopped-title = Baja confirmada
notice-stopped = Te has dado de baja
notice-stopped-monitor = Los mensajes sobre el monitor { $monitor } ya no se envían a { $address }.
notice-stopped-feed = Las entradas nuevas de la fuente { $feed } ya no se envían a { $address }.
notice-stopped-monitors = Los mensajes sobre los monitores, las fuentes y los elementos guardados ya no se envían a { $address }.
notice-stopped-daily = El correo diario y los mensajes sobre los monitores, las fuentes y los elementos guardados ya no se envían a { $address }.
notice-stopped-saved = Los mensajes sobre elementos guardados ya no se envían a { $address }.
notice-stopped-account = Los mensajes de la cuenta ya no se envían a { $address }.
notice-stopped-everything = Los mensajes ya no se envían a { $address }. Para recibirlos de nuevo, confirma la dirección otra vez.
notice-snooze = Posponer
notice-snooze-question = ¿Posponer { $monitor }?
notice-snooze-channel = Los mensajes sobre este monitor van al canal { $channel }.
notice-snooze-words = Los cambios encontrados mientras tanto llegan después en un solo mensaje. Siguen completos en la fuente y en la página del monitor.
notice-muted = Silenciado
notice-muted-words = Los mensajes sobre { $monitor } ya no se envían a { $channel }. Selecciona el canal en la página del monitor para recibirlos de nuevo.
notice-snoozed = Pospuesto
notice-snoozed-until = Próximos mensajes: { $time }.
notice-resumed = Los mensajes se envían de nuevo
notice-resumed-words = Los mensajes sobre { $monitor } se envían a { $channel }.
notice-for-days =
    { $count ->
        [one] Por un día
       *[other] Por { $count } días
    }
notice-resume = Enviar de nuevo
notice-mute = Silenciar este monitor aquí
notice-invalid-title = Enlace no válido
notice-invalid = Este enlace ya no es válido
notice-invalid-words = Se envió un enlace más nuevo, o aquello a lo que se refiere ya no existe.
