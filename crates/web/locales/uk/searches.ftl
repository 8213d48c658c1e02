# Saved searches.

search-renamed = Пошук перейменовано.
search-deleted = Пошук видалено.
searches-query = Пошуковий запит
searches-none = У вас немає збережених пошуків. Шукайте в бібліотеці або в записах, а тоді виберіть над результатами «Зберегти цей пошук».
searches-in-library = У бібліотеці
searches-in-entries = У записах стрічок
search-feed-created = Стрічка має нову адресу. Попередня адреса більше не працює.
search-feed-deleted = Стрічку видалено. Її адреса більше не працює.
searches-feed-words = Пошук може мати приватну стрічку з 50 найновішими результатами для будь-якого читача стрічок. Її може читати кожен, хто знає адресу.
searches-feed-address = Адреса стрічки «{ $name }»
searches-feed-create = Створити стрічку
searches-feed-create-named = Створити стрічку «{ $name }»
searches-feed-new = Нова адреса стрічки
searches-feed-new-named = Нова адреса стрічки «{ $name }»
searches-feed-delete = Видалити стрічку
searches-feed-delete-named = Видалити стрічку «{ $name }»
