# Mails about an account.

reset-subject = Elige una contraseña nueva para Carrel
reset-body =
    Alguien pidió una contraseña nueva para la cuenta { $email } en { $origin }.

    Si fuiste tú, abre este enlace antes de una hora. Sirve hasta que se elija una contraseña.

    { $link }

    Si no fuiste tú, ignora este correo. Nada cambia mientras no se use el enlace.
grant-made-subject = Se conectó una aplicación a tu cuenta de Carrel
grant-made-event = Se permitió a una aplicación usar tu cuenta en { $origin }.
grant-made-advice =
    Si fuiste tú, no hay nada que hacer. Si no, retírale el acceso y elige una contraseña nueva:

    { $link }
grant-reused-subject = Se retiró el acceso de una aplicación a tu cuenta de Carrel
grant-reused-event = Un token de esta aplicación se usó por segunda vez, lo que ocurre si fue copiado. El acceso de la aplicación se retiró al momento, con todos sus tokens.
grant-reused-advice =
    Si todavía usas la aplicación, conéctala de nuevo. Actividad reciente de tus aplicaciones y claves:

    { $link }
grant-name = Nombre que da la aplicación: «{ $name }» (sin verificar)
grant-host = Vuelve a: { $host }
grant-reads = Permisos: leer
grant-changes = Permisos: leer y modificar
grant-time = Permitida: { $time }
email-request = Una persona con una cuenta en { $origin } quiere usar esta dirección de correo para ella.
email-taken-subject = Esta dirección de correo ya tiene una cuenta
email-taken-advice = La dirección ya tiene una cuenta allí, así que no se cambió nada. Si fuiste tú, inicia sesión con esta dirección o elimina antes esa cuenta. Si no fuiste tú, ignora este correo.
email-confirm-subject = Confirma tu nueva dirección de correo para Carrel
email-confirm-advice =
    Si fuiste tú, abre este enlace antes de un día y pulsa el botón:

    { $link }

    Si no fuiste tú, ignora este correo. Nada cambia mientras no se use el enlace.
email-changed-subject = Se cambió la dirección de correo de tu cuenta de Carrel
email-changed-body =
    La dirección de correo de tu cuenta en { $origin } se cambió de { $before } a { $after }.

    Si fuiste tú, sustituye la dirección antigua en tus aplicaciones de fuentes y lectores electrónicos. Las aplicaciones Fever necesitan una clave de API nueva.

    Si no fuiste tú, abre este enlace antes de 7 días. Restaura esta dirección y permite elegir una contraseña nueva:

    { $link }
team-subject = Invitación a un equipo en Carrel
team-body =
    La persona titular de la cuenta { $owner } en { $origin } te invita a un equipo y comparte con él páginas guardadas.

    Para unirte, abre este enlace antes de 7 días. Necesitas una cuenta allí:

    { $link }

    Si no conoces al remitente, ignora este correo.
