# Saved searches.

search-renamed = Пошук перейменовано.
search-deleted = Пошук видалено.
searches-none = У вас немає збережених пошуків. Шукайте в бібліотеці або в записах, а тоді виберіть над результатами «Зберегти цей пошук».
searches-in-library = У бібліотеці
searches-in-entries = У записах стрічок
