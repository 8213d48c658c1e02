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
save-render-without-cookie-notices = Zawsze, bez komunikatów o plikach cookie
save-render-never = Nigdy
save-render-hint = Dla stron, których tekst pojawia się dopiero po skryptach. Kosztuje pięć świeżych pobrań zamiast jednego.

# Form that uploads files.

upload-heading = Prześlij pliki
upload-files = Pliki
upload-hint = PDF, e-booki, dokumenty biurowe, tekst, strony WWW, poczta i obrazy. Ze skryptami można też upuścić pliki na tę stronę.
upload-send = Prześlij
upload-saved = Zapisano
upload-sending = Przesyłanie:
upload-none = Wybierz co najmniej jeden plik.
upload-refused-size = Nie zapisano: plik przekracza { $size }, maksimum Twojego planu.
upload-refused-storage = Nie zapisano: miejsce się skończyło. <1>Zobacz użycie</1>.
upload-refused-type = Nie zapisano: zawartość nie jest typu, na który wskazuje nazwa.
upload-refused = Nie zapisano: { $reason }
upload-failed = Nie zapisano. Sprawdź połączenie, odśwież stronę i spróbuj ponownie.
