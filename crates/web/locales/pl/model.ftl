# Language model: what is sent to it, and the switch of the account.

model = Model językowy
model-purpose = Model językowy może streszczać zapisane pozycje i nieprzeczytane wpisy. Jest wyłączony, dopóki go nie włączysz.
model-manage = Zarządzaj modelem
model-is-on = Model językowy jest { $state } dla twojego konta.
model-is-off = Model językowy jest { $state } dla twojego konta. Nic nie jest do niego wysyłane.
model-on = włączony
model-off = wyłączony
model-switch-on = Włącz
model-switch-off = Wyłącz
model-switched-on = Włączono. Strona zapisanej pozycji ma przycisk streszczenia, a wpisy kolekcji mają odnośnik do podsumowania.
model-switched-off = Wyłączono. Nic więcej nie jest wysyłane. Istniejące streszczenia i podsumowania pozostają.
model-sent = Co jest wysyłane
model-sent-summary = Dla streszczenia pozycji: jej tytuł, pierwsze { $characters } znaków tekstu i najwyżej { $tags } nazw twoich etykiet.
model-sent-briefing = Dla podsumowania kolekcji: tytuły najwyżej { $entries } nieprzeczytanych wpisów i pierwsze { $characters } znaków ich streszczeń.
model-sent-search = Dla wyszukiwania według znaczenia: szukane słowa. W bibliotece: tytuły i pierwsze { $characters } znaków tekstów twoich najnowszych pozycji (do { $items }).
model-sent-entries = Dla wyszukiwania według znaczenia w kanałach: tytuły i pierwsze { $characters } znaków streszczeń najnowszych wpisów, nieprzeczytanych (do { $unread }) i oznaczonych gwiazdką (do { $starred }).
model-sent-when = Tylko gdy naciśniesz { $summarize } na stronie pozycji lub { $briefing } na stronie kolekcji, gdy szukasz według znaczenia albo gdy zażąda tego program z twoim kluczem.
model-sent-never = Nigdy twoje imię, adres, notatki ani wyróżnienia.
model-briefing-button = Napisz podsumowanie
model-where = Dokąd jest wysyłane
model-where-words = Do modelu { $model } na { $host }, wybranego przez operatora tej instalacji. Operator tamtego serwera może czytać to, co jest wysyłane.
model-with-embeddings = { $model } (dla wyszukiwania według znaczenia { $other })
model-answer = Co dzieje się z odpowiedzią
model-answer-words = Odpowiedź jest pokazywana jako tekst i może być błędna. Niczego nie zmienia: proponowane etykiety są dodawane dopiero po naciśnięciu.
model-limit = Limit twojego planu: { $amount } żądań dziennie.
model-answer-numbers = Przy wyszukiwaniu według znaczenia odpowiedzi to listy liczb. Listy twoich tekstów są usuwane, gdy wyłączysz model. Listy wpisu służą też innym kontom z tym samym kanałem, z wyjątkiem newsletterów, monitorów i kanałów z logowaniem.
