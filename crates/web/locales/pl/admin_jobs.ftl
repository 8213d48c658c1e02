# Pages of jobs for administrators.

job-extraction = Odczyt strony
job-render = Renderowanie strony
job-read-job = Odczyt w tle
job-feed-discovery = Wykrywanie kanałów
job-feed-sample = Podgląd przepisanych wpisów
job-monitor-preview = Podgląd monitora
job-oauth-client = Pobranie danych aplikacji
job-address-check = Sprawdzenie adresu usługi
job-picture = Pobranie obrazu
job-smaller-picture = Zmniejszenie obrazu
job-feed-follow = Śledzenie nowych kanałów
job-feed-poll = Pobieranie kanałów
job-monitor-run = Uruchomienie monitora
job-monitor-render = Uruchomienie monitora w przeglądarce
job-monitor-render-preview = Podgląd monitora w przeglądarce
job-library-text = Tworzenie tekstów biblioteki
job-library-page-copy = Kopia strony elementu
job-inbox-message = Zapis odebranej poczty
job-inbox-unsubscribe = Rezygnacja z newsletterów
job-summary = Streszczenia elementów
job-briefing = Pisanie przeglądów
job-meaning-search = Wyszukiwanie według znaczenia
job-question = Odpowiadanie na pytania
job-feed-hub = Subskrypcja hubów
job-library-import = Import do biblioteki
job-library-server = Import z serwera
job-library-export = Eksport biblioteki
job-library-index = Odbudowa indeksu biblioteki
job-library-tag = Zmiana etykiety wszędzie
job-account-files = Usuwanie plików kont
job-mail = Wysyłanie poczty
job-notice = Wysłanie powiadomienia
state-ready = Oczekuje
state-running = W toku
state-complete = Zakończone
state-failed = Nieudane
state-dead = Porzucone
admin-kind-paused = Rodzaj wstrzymany. Nowe zadania nie ruszą; trwające mogą się zakończyć.
admin-kind-resumed = Rodzaj wznowiony.
admin-as-of = Stan na { $time }.
admin-refresh = Odśwież
admin-renderer = Przeglądarka dla stron wymagających skryptów: { $state }.
admin-by-kind = Zadania według rodzaju
admin-kind = Rodzaj
admin-oldest-wait = Najdłuższe oczekiwanie
admin-done-per-minute = Ukończone na minutę
admin-failed-today = Nieudane dzisiaj
admin-last-hour = Ostatnia godzina
admin-actions = Działania
admin-oldest = najdłużej { $time }
admin-limited = Ograniczone: { $limits }
admin-scheduled = zaplanowane: { $count }
admin-none = brak
admin-paused = Wstrzymane
admin-paused-by = { $time }, { $name }
admin-stopped = Stoi
admin-behind = Zaległości
admin-keeping-up = Na bieżąco
admin-idle = Bezczynne
admin-pause-named = Wstrzymaj „{ $name }”
admin-resume-named = Wznów „{ $name }”
admin-limits = Limity
admin-limits-of = Limity: „{ $name }”
admin-spark = { $name }, ukończone w ostatniej godzinie: od { $first } do { $last } na minutę, najwyżej { $most }
admin-not-updated = Bez zmian, bo już się zakończyły lub znów są aktywne: { $count }.
admin-no-job = Żadne zadanie nie pasuje.
admin-older-jobs = Starsze zadania
admin-all-kinds = Wszystkie rodzaje
admin-state = Stan
admin-all-states = Wszystkie stany
admin-retry-selected = Ponów wybrane
admin-cancel-selected = Anuluj wybrane…
admin-retry-all = Ponów wszystkie…
admin-cancel-all = Anuluj wszystkie…
admin-job = Zadanie
admin-attempts = Próby
admin-due = Termin
admin-last-error = Ostatni błąd
admin-select-job = Wybierz { $name }
admin-all-of-kind = Wszystkie zadania tego rodzaju
admin-errors = Błędy
admin-id = Id
admin-about = Przedmiot
admin-payload = Dane
admin-submitted = Zgłoszono
admin-last-started = Ostatni start
admin-ended = Zakończono
admin-worker = Worker
admin-request = Żądanie
admin-never = nigdy
admin-not-yet = jeszcze nie
admin-retry = Ponów
admin-cancel = Anuluj…
admin-no-errors = Brak zapisanych błędów.
admin-attempt = Próba
admin-when = Kiedy
admin-code = Kod
admin-message = Komunikat
admin-cancel-title = Anulować zadania?
admin-cancel-effect = Zostaną oznaczone jako nieudane i nie zostaną wykonane. Czekający na nie dowiedzą się o tym.
admin-retry-title = Ponowić zadania?
admin-retry-effect = Ruszą od razu, ze wszystkimi próbami.
admin-cancel-jobs = Anuluj zadania
admin-retry-jobs = Ponów zadania
admin-which-all = Wszystkie zadania, najwyżej { $most } najnowszych.
admin-which-kind = Rodzaj: { $name }.
admin-which-state = Stan: { $name }.
admin-limits-set = Ustawiono limity. Zadziałają w ciągu kilku sekund.
admin-limits-none = Nie ustawiono limitów: rodzaj działa według swoich reguł.
admin-running-all = Jednocześnie we wszystkich procesach
admin-running-hint = Zostaw puste, aby działał tylko limit każdego procesu, zwykle { $count }.
admin-starts = Uruchomienia na minutę we wszystkich procesach
admin-starts-hint = Uruchomienia są rozłożone w minucie. Zostaw puste, aby nie ograniczać.
admin-seconds = Maksymalna liczba sekund na uruchomienie
admin-seconds-hint = Zostaw puste, aby użyć wartości domyślnej, { $count } s.
admin-set-limits = Ustaw limity
admin-updated =
    { $count ->
        [one] Zmieniono { $count } zadanie.
        [few] Zmieniono { $count } zadania.
       *[other] Zmieniono { $count } zadań.
    }
admin-which-selected =
    { $count ->
        [one] { $count } zadanie.
        [few] { $count } zadania.
       *[other] { $count } zadań.
    }
admin-limit-running = najwyżej { $count } naraz
admin-limit-starts = najwyżej { $count } uruchomień na minutę
admin-limit-seconds = najwyżej { $count } s na uruchomienie
admin-renderer-off = wyłączona (CARREL_RENDERER=off)
admin-renderer-workers = w procesach roboczych na innych maszynach
admin-renderer-none = nie znaleziono Chromium: strony wymagające skryptów nie mają tekstu
job-model-tags = Usuwanie etykiet modelu językowego
job-change-explanation = Objaśnianie zmian
