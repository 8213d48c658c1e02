# Daily review of highlights.

review = Powtórka wyróżnień
review-due =
    { $count ->
        [one] { $count } wyróżnienie do powtórki na dziś.
        [few] { $count } wyróżnienia do powtórki na dziś.
       *[other] { $count } wyróżnień do powtórki na dziś.
    }
review-start = Powtórz teraz
review-left =
    { $count ->
        [one] Na dziś pozostało { $count }
        [few] Na dziś pozostały { $count }
       *[other] Na dziś pozostało { $count }
    }
review-soon = Wkrótce
review-later = Później
review-never = Nigdy więcej
review-rule =
    { $count ->
        [one] „Wkrótce” pokaże je znów jutro, „Później” za { $count } dzień, a potem w coraz dłuższych odstępach.
        [few] „Wkrótce” pokaże je znów jutro, „Później” za { $count } dni, a potem w coraz dłuższych odstępach.
       *[other] „Wkrótce” pokaże je znów jutro, „Później” za { $count } dni, a potem w coraz dłuższych odstępach.
    }
review-none = Na dziś nie ma nic do powtórki.
review-none-words = Nowe wyróżnienie pojawia się następnego dnia i wraca w coraz dłuższych odstępach.
review-removed = To wyróżnienie nie będzie już powtarzane. Możesz je przywrócić na stronie jego elementu.
highlight-review-again = Powtarzaj znowu
item-highlight-resumed = To wyróżnienie będzie znów powtarzane.
review-frequency = Jak często wraca to źródło
review-frequency-more = Częściej
review-frequency-normal = Normalnie
review-frequency-less = Rzadziej
review-frequency-never = Nigdy
review-frequency-saved = Zapisano częstotliwość.
review-per-day = Wyróżnienia na dzień
review-per-day-saved = Zapisano liczbę.
review-sources = Źródła, które wracają częściej lub rzadziej
review-sources-more = Lista zawiera tylko najnowsze: { $count }.
review-mail = Pocztą
review-mail-words = Wyróżnienia do powtórki są wysyłane każdego dnia, w którym jakieś są, z linkami do fragmentów.
review-mail-to = Codziennie o { $time } na { $address }.
review-mail-start = Wysyłaj na { $address }
review-mail-stop = Nie wysyłaj więcej
review-mail-at-hint = Zmiany zgłaszane przez monitory na ten adres też będą wtedy przychodzić z tą wiadomością, raz dziennie.
review-mail-none = <1>Dodaj kanał e-mail</1>, aby je otrzymywać.
review-mail-started = Wyróżnienia do powtórki będą wysyłane.
review-mail-stopped = Wyróżnienia do powtórki nie będą już wysyłane.
card = Fiszka do powtórek
card-make = Utwórz fiszkę
card-change = Zmień fiszkę
card-words = Podczas powtórki najpierw pyta fiszka, a naciśnięcie pokazuje odpowiedź. Wyróżnienie ma jedną fiszkę: zapisanie ją zastępuje.
card-gaps = Ukryj słowa
card-gaps-rule = Słowa do ukrycia
card-gaps-first = Lista zawiera tylko początkowe słowa: { $count }.
card-gaps-written = Inne części do ukrycia, po jednej w wierszu
card-gaps-save = Zapisz luki
card-question = Zadaj pytanie
card-question-label = Pytanie
card-answer = Odpowiedź
card-question-save = Zapisz pytanie
card-delete = Usuń fiszkę
card-saved = Zapisano fiszkę.
card-deleted = Usunięto fiszkę.
card-unfit = Fiszka nie pasuje do słów wyróżnienia, więc niczego nie ukrywa. Wybierz jej luki ponownie.
card-show-answer = Pokaż odpowiedź
