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
save-render-without-cookie-notices = Siempre, sin avisos de cookies
save-render-never = Nunca
save-render-hint = Para páginas cuyo texto solo aparece tras sus scripts. Cuesta cinco extracciones nuevas en lugar de una.

# Form that uploads files.

upload-heading = Subir archivos
upload-files = Archivos
upload-hint = PDF, libros electrónicos, documentos de oficina, texto, páginas web, correos e imágenes. Con scripts, también puedes soltar archivos en esta página.
upload-send = Subir
upload-saved = Guardado
upload-sending = Subiendo
upload-none = Elige al menos un archivo.
upload-refused-size = No guardado: supera { $size }, el máximo de tu plan.
upload-refused-storage = No guardado: tu almacenamiento está lleno. <1>Ver el uso</1>.
upload-refused-type = No guardado: su contenido no es del tipo que indica su nombre.
upload-refused = No guardado: { $reason }
upload-failed = No guardado. Comprueba la conexión, recarga la página e inténtalo de nuevo.
