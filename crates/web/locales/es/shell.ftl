# Shell of every page: navigation, footer, times, forms, and messages.

skip = Ir al contenido
nav-main = Navegación principal
nav-today = Hoy
nav-feeds = Fuentes
nav-library = Biblioteca
nav-monitors = Monitores
nav-settings = Ajustes
nav-read = Leer
nav-api = API
nav-about = Acerca de
nav-account = Cuenta
nav-sign-in = Entrar
nav-stored-texts = Textos guardados
find = Buscar
find-everything = Todo
find-feeds-and-library = Buscar en fuentes y biblioteca
signed-in-as = Sesión iniciada como
foot-texts = Los textos de las páginas de lectura pertenecen a sus autores. Carrel los muestra con un enlace a su origen.
foot-documents = Documentos
foot-read = Leer una página
foot-handbook = Manual
foot-reader-api = API de lectura
foot-developer-api = API para desarrolladores
foot-agents = Agentes
foot-problems = Errores
foot-reading-settings = Ajustes de lectura
foot-llms = llms.txt
description = Carrel muestra páginas web como texto limpio, sigue fuentes, guarda una biblioteca y vigila los cambios de las páginas, para personas y asistentes de IA.
error-title = Error: { $title }
form-problems =
    { $count ->
        [one] Hay un problema
       *[other] Hay { $count } problemas
    }
field-email = Correo electrónico
field-password = Contraseña
field-new-password = Contraseña nueva
field-current-password = Contraseña actual
password-hint = Al menos 10 caracteres. Varias palabras son mejores que una sola palabra rara.
undo = Deshacer
sample-notice = Esta cuenta contiene datos de ejemplo para curiosear. Elimínala cuando hayas visto suficiente.
sample-remove = Eliminar la cuenta de ejemplo
language = Idioma
language-hint = Idioma de tus páginas. Algunas páginas solo están en inglés.
language-of-browser = El del navegador
language-save = Guardar idioma
language-saved = Idioma guardado.
time-now = ahora mismo
time-in-seconds =
    { $count ->
        [one] en 1 segundo
       *[other] en { $count } segundos
    }
time-in-minutes =
    { $count ->
        [one] en 1 minuto
       *[other] en { $count } minutos
    }
time-in-hours =
    { $count ->
        [one] en 1 hora
       *[other] en { $count } horas
    }
time-in-days =
    { $count ->
        [one] en 1 día
       *[other] en { $count } días
    }
time-seconds-ago =
    { $count ->
        [one] hace 1 segundo
       *[other] hace { $count } segundos
    }
time-minutes-ago =
    { $count ->
        [one] hace 1 minuto
       *[other] hace { $count } minutos
    }
time-hours-ago =
    { $count ->
        [one] hace 1 hora
       *[other] hace { $count } horas
    }
time-days-ago =
    { $count ->
        [one] hace 1 día
       *[other] hace { $count } días
    }
manifest-description = Fuentes, una biblioteca, monitores y cualquier página como texto limpio.
search-description = Busca en tus fuentes y tu biblioteca, o abre una página por su dirección.
