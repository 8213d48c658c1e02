# Shell of every page: navigation, footer, times, forms, and messages.

skip = Ir para o conteúdo
nav-main = Navegação principal
nav-today = Hoje
nav-feeds = Feeds
nav-library = Biblioteca
nav-monitors = Monitores
nav-settings = Ajustes
nav-read = Ler
nav-api = API
nav-about = Sobre
nav-account = Conta
nav-sign-in = Entrar
nav-stored-texts = Textos guardados
find = Buscar
find-everything = Tudo
find-feeds-and-library = Buscar nos feeds e na biblioteca
signed-in-as = Conectado como
foot-texts = Os textos das páginas de leitura pertencem aos seus autores. O Carrel os mostra com um link para a fonte.
foot-documents = Documentos
foot-read = Ler uma página
foot-handbook = Manual
foot-reader-api = API de leitura
foot-developer-api = API para desenvolvedores
foot-agents = Agentes
foot-problems = Erros
foot-reading-settings = Ajustes de leitura
foot-llms = llms.txt
description = O Carrel mostra páginas da web como texto limpo, segue feeds, guarda uma biblioteca e vigia mudanças nas páginas, para pessoas e assistentes de IA.
error-title = Erro: { $title }
form-problems =
    { $count ->
        [one] Há um problema
       *[other] Há { $count } problemas
    }
field-email = Endereço de e-mail
field-password = Senha
field-new-password = Nova senha
field-current-password = Senha atual
password-hint = Pelo menos 10 caracteres. Várias palavras são melhores que uma palavra rara.
undo = Desfazer
sample-notice = Esta conta contém dados de exemplo para explorar. Remova-a quando tiver visto o suficiente.
sample-remove = Remover a conta de exemplo
language = Idioma
language-hint = Idioma das suas páginas. Algumas páginas existem apenas em inglês.
language-of-browser = O do navegador
language-save = Salvar idioma
language-saved = Idioma salvo.
time-now = agora mesmo
time-in-seconds =
    { $count ->
        [one] em { $count } segundo
       *[other] em { $count } segundos
    }
time-in-minutes =
    { $count ->
        [one] em { $count } minuto
       *[other] em { $count } minutos
    }
time-in-hours =
    { $count ->
        [one] em { $count } hora
       *[other] em { $count } horas
    }
time-in-days =
    { $count ->
        [one] em { $count } dia
       *[other] em { $count } dias
    }
time-seconds-ago =
    { $count ->
        [one] há { $count } segundo
       *[other] há { $count } segundos
    }
time-minutes-ago =
    { $count ->
        [one] há { $count } minuto
       *[other] há { $count } minutos
    }
time-hours-ago =
    { $count ->
        [one] há { $count } hora
       *[other] há { $count } horas
    }
time-days-ago =
    { $count ->
        [one] há { $count } dia
       *[other] há { $count } dias
    }
manifest-description = Feeds, uma biblioteca, monitores e qualquer página como texto limpo.
search-description = Pesquise nos seus feeds e na sua biblioteca, ou abra uma página pelo endereço.
