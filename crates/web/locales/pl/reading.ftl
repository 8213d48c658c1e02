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
look-save = Zapisz ustawienia
look-theme = Kolory
look-theme-auto = Jak w urządzeniu
look-theme-light = Jasne
look-theme-sepia = Sepia
look-theme-dark = Ciemne
look-size = Rozmiar tekstu
look-size-m = Średni
look-size-s = Mały
look-size-l = Duży
look-size-xl = Bardzo duży
look-width = Szerokość tekstu
look-width-medium = Średnia
look-width-narrow = Wąska
look-width-wide = Szeroka
look-face = Krój pisma
look-face-serif = Szeryfowy
look-face-sans = Bezszeryfowy
look-scroll = Oznaczaj wpisy jako przeczytane
look-scroll-open = Gdy je otwieram
look-scroll-pass = Także gdy je przewijam (wymaga skryptów)
look-pictures = Obrazy
look-pictures-show = Pokazuj
look-pictures-hide = Tylko opisy, z odnośnikami
look-spacing = Odstęp wierszy
look-spacing-normal = Zwykły
look-spacing-tight = Mały
look-spacing-loose = Duży
look-density = Listy
look-density-cosy = Wygodne
look-density-compact = Zwarte
look-density-magazine = Magazyn
