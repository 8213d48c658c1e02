# Form that saves a page.

save-heading = Guardar una página
save-words = Su texto se descarga y se guarda en tu biblioteca, donde puedes leerlo más tarde, resaltarlo y volver a encontrarlo.
save-no-address = Lo que compartiste no contiene ninguna dirección. Escribe la dirección de la página.
save-title = Título
save-title-hint = Opcional. Si no, se usa el título de la página.
save-tags-hint = Opcional, separadas por comas.
save-library = Ir a la biblioteca
save-to = Guardar en
save-render = Abrir antes en un navegador
save-render-auto = Si la página necesita scripts
save-render-always = Siempre
save-render-never = Nunca
save-render-hint = Para páginas cuyo texto solo aparece tras sus scripts. Cuesta cinco extracciones nuevas en lugar de una.
