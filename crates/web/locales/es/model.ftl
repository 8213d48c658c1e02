# Language model: what is sent to it, and the switch of the account.

model = Modelo de lenguaje
model-purpose = Un modelo de lenguaje puede resumir los elementos guardados y las entradas sin leer. Está apagado hasta que lo actives.
model-manage = Gestionar el modelo
model-is-on = El modelo de lenguaje está { $state } para tu cuenta.
model-is-off = El modelo de lenguaje está { $state } para tu cuenta. No se le envía nada.
model-on = activado
model-off = apagado
model-switch-on = Activar
model-switch-off = Apagar
model-switched-on = Activado. La página de un elemento guardado tiene un botón para resumirlo, y las entradas de una colección tienen un enlace a un resumen.
model-switched-off = Apagado. No se envía nada más. Los resúmenes existentes se conservan.
model-sent = Qué se envía
model-sent-summary = Para el resumen de un elemento: su título, los primeros { $characters } caracteres de su texto y como máximo { $tags } nombres de tus etiquetas.
model-sent-briefing = Para el resumen de una colección: los títulos de como máximo { $entries } entradas sin leer y los primeros { $characters } caracteres de sus resúmenes.
model-sent-search = Para una búsqueda por significado: las palabras que buscas. En la biblioteca: los títulos y los primeros { $characters } caracteres de los textos de tus { $items } elementos más recientes.
model-sent-entries = Para una búsqueda por significado en las fuentes: los títulos y los primeros { $characters } caracteres de los resúmenes de tus { $unread } entradas sin leer y { $starred } destacadas más recientes.
model-sent-when = Solo cuando pulsas { $summarize } en la página de un elemento o { $briefing } en la página de una colección, cuando buscas por significado o cuando un programa con tu clave lo pide.
model-sent-never = Nunca tu nombre, tu dirección, tus notas ni tus resaltados.
model-briefing-button = Escribir un resumen
model-where = Adónde se envía
model-where-words = Al modelo { $model } en { $host }, elegido por el operador de esta instalación. El operador de ese servidor puede leer lo que se envía.
model-with-embeddings = { $model } (para una búsqueda por significado, { $other })
model-answer = Qué pasa con la respuesta
model-answer-words = La respuesta se muestra como texto y puede ser errónea. No cambia nada: las etiquetas sugeridas solo se añaden cuando las pulsas.
model-limit = Tu plan permite { $amount } solicitudes al día.
model-answer-numbers = En una búsqueda por significado, las respuestas son listas de números. Las de tus textos se borran cuando apagas el modelo. Las de una entrada se usan también para otras cuentas con la misma fuente, salvo en boletines, monitores y fuentes con acceso.
