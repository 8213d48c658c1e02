# Details, notes, tags, copies, and deletion of library items.

edit-author = Autor
edit-tags-hint = Oddzielone przecinkami; najwyżej 12.
edit-kind = Rodzaj
note-item-deleted = Jego element został usunięty.
note-item-deleted-titled = Jego element został usunięty: { $title }.
note-delete-highlight = Usuń wyróżnienie
note-back = Wróć do elementu
note-delete = Usuń notatkę
quote-share = Udostępnij ten cytat
quote-title = Udostępnij cytat
quote-back = Wróć do wyróżnienia
quote-text = Cytat ze źródłem
quote-original = Cytat na oryginalnej stronie
quote-original-words = { $link }. Link zaznacza cytat w większości przeglądarek.
quote-own = <1>Wyróżnienie w twojej bibliotece</1>. Tylko ty możesz otworzyć ten link.
public-tag-published = Etykieta jest publiczna. Udostępnij jej link.
public-tag-private = Etykieta znów jest prywatna. Stary link już nie działa.
public-tag-name = Etykieta
public-tag-hint = Na stronie pojawiają się jej elementy z publicznym adresem: tytuł, adres, czas zapisania i początek tekstu, jeśli pobrano go z adresu. Nigdy twoje notatki, wyróżnienia, inne etykiety i pliki.
public-tags = Publiczne etykiety
public-tags-words = Publiczna etykieta ma stronę i kanał, które każdy z linkiem może czytać bez konta.
public-tags-yours = Twoje publiczne etykiety
public-tags-publish-heading = Opublikuj etykietę
public-tags-publish = Opublikuj
public-tag-link = Link „{ $tag }”
public-tag-feeds = <1>Otwórz stronę</1>. Jej kanał jest dostępny jako <2>RSS</2>, <3>Atom</3> i <4>JSON Feed</4>.
public-tag-hide-named = Ustaw „{ $tag }” jako prywatną
public-tag-hide = Ustaw prywatną
shared-added = Dodano stronę.
shared-removed = Usunięto stronę z tej etykiety. Właściciel nadal ją ma.
shared-joined = Dołączono do zespołu.
shared-none = Jeszcze nic. Gdy ktoś zaprosi cię do zespołu, jego etykiety i monitory pojawią się tutaj.
shared-teams = Twoje zespoły
shared-can-add = możesz dodawać strony
shared-no-changes = jeszcze bez zmian
shared-no-pages = Jeszcze żadnych stron.
shared-pages = Strony
shared-older = Starsze strony
shared-tag = Udostępniona etykieta
shared-save = Zapisz w mojej bibliotece
shared-add-page = Dodaj stronę
shared-add-hint = Zostanie zapisana w bibliotece właściciela.
shared-add = Dodaj
shared-remove = Usuń
shared-remove-named = Usuń „{ $name }”
shared-changes = Ostatnie zmiany
shared-monitor = Udostępniony monitor
copy-requested = Strona jest kopiowana. Ten widok odświeża się, aż kopia będzie gotowa.
copy-deleted = Usunięto kopię.
copy-page = Strona
copy-page-words = Jeden plik z tekstem, stylami i obrazami, bez skryptów. Otwiera się w każdej przeglądarce.
copy-picture = Obraz
copy-picture-words = Cała strona jako PNG.
copy-pdf-words = Strona w postaci do druku.
copy-words = Kopia zajmuje twoje miejsce i kosztuje pięć świeżych pobrań. Jest częścią eksportu.
copy-open = Otwórz kopię
copy-from = { $time }, { $size } KB
copy-waiting = Kopiowanie.
copy-fault-storage = Nie udało się skopiować strony: twoje miejsce się skończyło. Usuń pliki lub elementy.
copy-fault-robots = Nie udało się skopiować strony: jej witryna nie pozwala programom jej czytać.
copy-fault-content = Nie udało się skopiować strony: jest zbyt duża lub złożona dla przeglądarki.
copy-fault-browser = Nie udało się skopiować strony: przeglądarka nie odpowiedziała. Spróbuj ponownie.
copy-fault-queue = Strona nie została skopiowana: zbyt wiele kopii czekało. Spróbuj ponownie.
copy-fault-limit = Strona nie została skopiowana: dzisiejsze świeże pobrania dla automatycznych kopii są zużyte. Spróbuj ponownie teraz lub jutro.
copy-fault-address = Nie udało się skopiować strony: nie dało się jej otworzyć. Sprawdź adres i spróbuj ponownie.
copy-replace = Zastąp
copy-create = Kopiuj
copies-automatic = Automatyczne kopie stron
copies-saved = Zapisano automatyczne kopie.
copies-words = Carrel może kopiować stronę każdego nowego elementu zapisanego z adresu, tak jak pokazuje ją przeglądarka. Jeśli nie wybierzesz żadnego formatu, strony nie będą kopiowane. Strony przysłane przez rozszerzenie lub e-mail nie są kopiowane.
copies-formats = Formaty
copies-imports = Kopiuj także strony zaimportowanych elementów, najpierw najnowsze, najwyżej { $count } kopii dziennie
copies-limits = Kopia zajmuje twoje miejsce i kosztuje pięć świeżych pobrań. Automatyczne kopie zużywają najwyżej połowę świeżych pobrań z jednego dnia. Jeśli limit zostanie osiągnięty, element o tym informuje.
delete-items-question =
    { $count ->
        [one] Usunąć ten element?
        [few] Usunąć te { $count } elementy?
       *[other] Usunąć te { $count } elementów?
    }
delete-items-words = Po minucie usunięcie jest trwałe, razem z plikami. Do tego czasu możesz je cofnąć.
delete-items-annotations = Usuń też ich notatki i wyróżnienia. W przeciwnym razie zostaną i można je znaleźć przez wyszukiwanie.
delete-items-title = Usuwanie
tags-none = Jeszcze nie ma etykiet. Dodaj etykietę na stronie elementu lub do kilku na liście.
tags-words = Jeśli nadasz etykiecie nazwę innej, obie zostaną połączone. Jeśli tamta jest publiczna lub udostępniona zespołowi, dotyczy to elementów obu. Etykieta może mieć <1>stronę publiczną</1>.
tags-more = Więcej etykiet
tags-yours = Twoje etykiety
tags-count =
    { $count ->
        [one] { $count } element
        [few] { $count } elementy
       *[other] { $count } elementów
    }
tags-remove-named = Usuń „{ $name }” wszędzie
copy-left-out = Pominięto: { $parts }.
copy-pictures = obrazy: { $count }
copy-fonts = czcionki: { $count }
copy-styles = arkusze stylów: { $count }
copy-media = audio lub wideo: { $count }
copy-frames = ramki lub obiekty: { $count }
copy-cut = Strona może być niepełna, bo osiągnęła limit.
