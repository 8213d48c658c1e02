# Sign-in and sign-up.

sign-in = Iniciar sesión
sign-in-passkey = Entrar con una llave de acceso
oidc-sign-in = Entrar con { $name }
sign-in-forgot = ¿Olvidaste tu contraseña?
sign-in-new = ¿Aún no tienes cuenta? <1>Crea una</1>.
sign-in-for-app = Una aplicación pide acceso a tu cuenta. Inicia sesión o crea una cuenta para ver la solicitud. Nada se permite sin tu aprobación.
sign-up = Registrarse
sign-up-heading = Crear una cuenta
sign-up-button = Crear cuenta
sign-up-closed = El registro está cerrado. Pide una cuenta al operador de este servicio.
sign-up-purpose = Sigue sitios, guarda páginas en tu biblioteca y recibe un mensaje cuando una página cambie. Solo necesitas un correo electrónico y una contraseña.
sign-up-invitation = Invitación
sign-up-invitation-hint = El código que recibiste. Sirve una sola vez.
sign-up-known = ¿Ya tienes cuenta? <1>Inicia sesión</1>.
purpose-today = Inicia sesión para ver tu día
purpose-today-words = «Hoy» es tu página de inicio: entradas nuevas de tus fuentes, cambios de las páginas que vigilas y lo último que guardaste.
purpose-feeds = Inicia sesión para ver tus fuentes
purpose-feeds-words = Sigue blogs, sitios de noticias y pódcast: sus entradas nuevas llegan a una sola lista, aquí y en tus aplicaciones. Puedes traer tus fuentes de otro lector.
purpose-library = Inicia sesión para abrir tu biblioteca
purpose-library-words = Tu biblioteca guarda páginas y archivos con su texto completo, tus resaltados y tus notas. Puedes buscar cada palabra, leer sin conexión en un lector electrónico y exportarlo todo cuando quieras.
purpose-monitors = Inicia sesión para ver tus monitores
purpose-monitors-words = Un monitor comprueba una página web con regularidad y avisa de cada cambio real: un precio más bajo, un producto disponible otra vez, un párrafo nuevo. Los mensajes llegan por correo, en un chat o en cualquier lector de fuentes.
purpose-search = Inicia sesión para buscar
purpose-search-words = La búsqueda abarca tu biblioteca, tus resaltados y notas, y las entradas de tus fuentes.
