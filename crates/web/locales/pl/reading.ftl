# Reading pages and reading settings.

reading-source = Źródło
reading-minutes =
    { $count ->
        [0] mniej niż minuta
        [one] { $count } minuta
        [few] { $count } minuty
       *[other] { $count } minut
    }
reading-printed = Źródło: { $address }, przeczytano { $day } o { $time } UTC.
reading-truncated = Brakuje części źródła. Jest za długie lub nie da się go zamienić na tekst.
reading-paywall = Bez abonamentu źródło pokazuje tylko zapowiedź.
reading-scripts = Źródło pokazuje część tekstu tylko w przeglądarkach ze skryptami.
reading-passages = Fragmenty pasujące do wyszukiwania. <1>Pokaż cały tekst</1>
reading-no-match = Nic w tym tekście nie pasuje do „{ $query }”.
reading-next = Następna strona
reading-formats = Jako <1>tekst</1>, <2>Markdown</2> lub <3>JSON</3>.
reading-save = Zapisz
reading-listen = Słuchaj
reading-stop = Zatrzymaj
reading-aa = : ustawienia czytania
reading-more = Więcej
reading-outline = Spis treści
reading-check = Sprawdź cytat
reading-watch = Obserwuj tę stronę
reading-follow = Śledź tę witrynę
reading-original = Otwórz oryginał
reading-epub = Pobierz jako EPUB
reading-markdown = Pobierz jako Markdown
reading-another = Przeczytaj inną stronę
reading-fetched = Pobrano { $age }
reading-fetch-again = Pobierz ponownie
reading-find-label = Szukaj w tym tekście
reading-find = Szukaj
quotation = Cytat
quotation-check = Sprawdź
appearance-save = Zapisz ustawienia
appearance-theme = Kolory
appearance-theme-auto = Jak w urządzeniu
appearance-theme-light = Jasne
appearance-theme-sepia = Sepia
appearance-theme-dark = Ciemne
appearance-size = Rozmiar tekstu
appearance-size-m = Średni
appearance-size-s = Mały
appearance-size-l = Duży
appearance-size-xl = Bardzo duży
appearance-width = Szerokość tekstu
appearance-width-medium = Średnia
appearance-width-narrow = Wąska
appearance-width-wide = Szeroka
appearance-face = Krój pisma
appearance-face-serif = Szeryfowy
appearance-face-sans = Bezszeryfowy
appearance-scroll = Oznaczaj wpisy jako przeczytane
appearance-scroll-open = Gdy je otwieram
appearance-scroll-pass = Także gdy je przewijam (wymaga skryptów)
appearance-pictures = Obrazy
appearance-pictures-show = Pokazuj
appearance-pictures-hide = Tylko opisy, z odnośnikami
appearance-spacing = Odstęp wierszy
appearance-spacing-normal = Zwykły
appearance-spacing-tight = Mały
appearance-spacing-loose = Duży
appearance-density = Listy
appearance-density-cosy = Wygodne
appearance-density-compact = Zwarte
appearance-density-magazine = Magazyn
