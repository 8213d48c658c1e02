# Home page.

home-heading = Lee, sigue, guarda y vigila la web
home-purpose = { $name } convierte páginas web en texto limpio, te trae lo nuevo de los sitios que te gustan, guarda lo que quieres recordar y te avisa cuando una página cambia.
home-try = Pruébalo: pega la dirección de un artículo
home-read = Leer
home-read-words = Cualquier artículo, documento o PDF como texto limpio, sin anuncios ni ventanas emergentes. Escúchalo o llévatelo como libro electrónico.
home-follow = Seguir
home-follow-words = Blogs, noticias, pódcasts y canales en una lista. Trae tus fuentes de otro lector.
home-save = Guardar
home-save-words = Páginas y archivos con su texto completo. Resalta, toma notas y vuelve a encontrar cada palabra.
home-watch = Vigilar
home-watch-words = Un mensaje cuando baja un precio, vuelve un producto o cambia una página.
home-picture-today = La página «Hoy»: precios que bajaron y entradas nuevas de los sitios seguidos
home-picture-text = Un texto guardado con una frase subrayada
home-picture-monitor = Un precio vigilado con el gráfico de sus valores
home-everywhere = Úsalo en el navegador de cualquier dispositivo, en tus aplicaciones de fuentes y de leer después, y en lectores electrónicos. También pueden usarlo los <1>asistentes de IA</1>, si lo permites.
home-no-account = Este servicio aún no tiene cuentas. Crea la primera aquí, o en el servidor con { $command }.
home-programs = Para programas
home-programs-words = Pon esta dirección delante de cualquier otra o usa la <1>API</1>. No hace falta clave.
