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
review-send = Wysyłaj na kanały
review-send-words = Wyróżnienia do powtórki są wysyłane każdego dnia, w którym jakieś są, z linkami do fragmentów.
review-send-to = Codziennie o { $time } na { $address }.
review-send-start = Wysyłaj na { $address }
review-send-stop = Nie wysyłaj więcej
review-send-at-hint = Wiadomości o monitorach i kanałach RSS na ten kanał też będą wtedy przychodzić raz dziennie, w tej wiadomości.
review-send-none = <1>Dodaj kanał</1>, aby otrzymywać je e-mailem lub na czacie.
review-send-started = Wyróżnienia do powtórki będą wysyłane.
review-send-stopped = Wyróżnienia do powtórki nie będą już wysyłane.
review-themes = Powtórki tematyczne
review-themes-words = Każda pokazuje własną liczbę wyróżnień dziennie, oprócz powtórki ogólnej.
review-themes-edit = Dodaj lub zmień powtórki tematyczne
review-theme-new = Nowa powtórka tematyczna
review-theme-name = Nazwa
review-theme-choose = Które wyróżnienia
review-theme-tag = Z etykietą
review-theme-item = Ze źródła
review-theme-search = Znalezione przez zapisane wyszukiwanie
review-theme-same = Obecne źródło
review-theme-add = Dodaj
review-theme-delete = Usuń powtórkę
review-theme-stay = Jej wyróżnienia pozostaną.
review-theme-created = Dodano powtórkę tematyczną.
review-theme-changed = Zmieniono powtórkę tematyczną.
review-theme-deleted = Usunięto powtórkę tematyczną.
review-theme-no-search = Zapisane wyszukiwanie zostało usunięte. Wybierz inne wyróżnienia.
review-theme-no-item = Źródło zostało usunięte.
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
