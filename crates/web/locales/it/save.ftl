# Form that saves a page.

save-heading = Salva una pagina
save-words = Il testo viene scaricato e salvato nella tua libreria, dove puoi leggerlo più tardi, evidenziarlo e ritrovarlo.
save-no-address = Ciò che hai condiviso non contiene un indirizzo. Inserisci l’indirizzo della pagina.
save-title = Titolo
save-title-hint = Facoltativo. Altrimenti si usa il titolo della pagina.
save-tags-hint = Facoltativo, separate da virgole.
save-library = Vai alla libreria
save-to = Salva in
save-render = Apri prima in un browser
save-render-auto = Se la pagina richiede script
save-render-always = Sempre
save-render-never = Mai
save-render-hint = Per pagine il cui testo appare solo dopo gli script. Costa cinque nuove estrazioni invece di una.
