# Public links of quotes.

public-quote-published = La cita es pública. Comparte su enlace.
public-quote-private = La cita vuelve a ser privada. Su enlace anterior ya no funciona.
public-quote = Enlace público
public-quote-unavailable = Esta cita no puede tener enlace público: su texto no se obtuvo de una dirección pública o no contiene la cita. Puede venir de una página con inicio de sesión.
public-quote-words = Cualquiera con el enlace puede leer la cita, y el título y la dirección de su página, sin cuenta.
public-quote-note = Incluir mi nota
public-quote-create = Crear enlace
public-quote-link = Enlace de la cita
public-quote-open = <1>Abrir la página</1>.
public-quote-paused = La página no está disponible ahora: el texto no se obtuvo de una dirección pública o ya no contiene la cita.
public-quote-hide = Hacer privada
public-quote-hide-named = Hacer privada «{ $quote }»
public-quote-all = Todas las etiquetas y citas públicas
public-quotes-yours = Tus citas públicas
public-quotes-words = Cualquiera con su enlace puede leer una cita, y el título y la dirección de su página.
public-quote-not-found = El enlace es incorrecto, o su propietario ya no comparte esta cita.
public-quote-note-heading = Nota
