# First steps of a new account.

welcome-followed = Śledzisz teraz te kanały. Ich wpisy pojawią się za kilka minut.
welcome-none = Nic nie zaznaczono. Zaznacz kanały, potem wybierz śledzenie.
welcome-follow-words = Nowe wpisy śledzonych witryn trafiają na jedną listę.
welcome-site = Adres witryny
welcome-bring = Z innego czytnika: <1>przenieś swoje kanały (OPML)</1>. Z przeglądarki: <2>przenieś swoje zakładki</2>.
welcome-save-words = Biblioteka przechowuje pełny tekst. Możesz go wyróżniać, dodawać notatki i odnaleźć każde słowo.
welcome-page = Adres strony
welcome-ways = <1>Zapisuj z każdej strony jednym kliknięciem</1>.
welcome-watch-words = Carrel sprawdza stronę za ciebie i powiadamia, gdy cena spadnie lub zmieni się coś innego.
welcome-watched = Adres produktu lub strony
welcome-today = Przejdź do Dziś
welcome-skip = Pomiń pierwsze kroki
welcome-suggested = Lub wybierz z tych kanałów
welcome-follow-selected = Śledź zaznaczone
topic-news = Wiadomości
topic-science = Nauka
topic-technology = Technologia
topic-programming = Programowanie
topic-culture = Idee i kultura
topic-comics = Komiksy i jedzenie
