# Form that saves a page.

save-heading = Zapisz stronę
save-words = Tekst zostanie pobrany i zapisany w bibliotece, gdzie możesz go później przeczytać, wyróżniać i odnaleźć.
save-no-address = Udostępniona treść nie zawiera adresu. Podaj adres strony.
save-title = Tytuł
save-title-hint = Opcjonalnie. Bez niego użyty będzie tytuł strony.
save-tags-hint = Opcjonalnie, oddzielone przecinkami.
save-library = Do biblioteki
save-to = Zapisz w
save-render = Najpierw otwórz w przeglądarce
save-render-auto = Jeśli strona wymaga skryptów
save-render-always = Zawsze
save-render-never = Nigdy
save-render-hint = Dla stron, których tekst pojawia się dopiero po skryptach. Kosztuje pięć świeżych pobrań zamiast jednego.
