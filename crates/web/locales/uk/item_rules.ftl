# Rules for saved items.

item-rules = Правила для збережених елементів
item-rules-words = Правило змінює кожен новий елемент один раз, щойно прочитано його текст. Імпортовані елементи не змінюються. Публічні та спільні мітки не додаються.
item-rules-created = Правило створено. Воно діє на те, що ви збережете відтепер.
item-rules-changed = Правила змінено.
item-rules-deleted = Правило видалено.
item-rules-name = Назва правила
item-rules-query = Елементи, які знаходить цей пошук
item-rules-query-hint = Наприклад, domain:example.org або title:рахунок. Слова й фільтри такі самі, як у пошуку.
item-rules-status = Перемістити до
item-rules-status-none = Не переміщувати
item-rules-adds = Додає мітки: { $tags }
item-rules-moves = Переміщує до: { $status }
item-rules-nothing = Нічого не змінює
item-rules-matches = Збігів досі: { $count }
item-rules-items = Показати елементи
item-rules-withheld = Не додаються, бо публічні або спільні: { $tags }
item-rules-edit-named = Редагувати «{ $name }»
item-rules-up = Вгору
item-rules-up-named = Перемістити «{ $name }» вгору
item-rules-down = Вниз
item-rules-down-named = Перемістити «{ $name }» вниз
item-rules-stay = Змінені правилом елементи залишаться як є.
