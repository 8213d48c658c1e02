# Language model: what is sent to it, and the switch of the account.

model = Taalmodel
model-purpose = Een taalmodel kan bewaarde items en ongelezen items samenvatten. Het staat uit tot je het aanzet.
model-manage = Taalmodel beheren
model-is-on = Het taalmodel staat { $state } voor je account.
model-is-off = Het taalmodel staat { $state } voor je account. Er wordt niets naartoe gestuurd.
model-on = aan
model-off = uit
model-switch-on = Aanzetten
model-switch-off = Uitzetten
model-switched-on = Aangezet. De pagina van een bewaard item heeft een knop om het samen te vatten, en de items van een collectie hebben een link naar een overzicht.
model-switched-off = Uitgezet. Er wordt niets meer verstuurd. Bestaande samenvattingen en overzichten blijven.
model-sent = Wat wordt verstuurd
model-sent-summary = Voor de samenvatting van een item: de titel, de eerste { $characters } tekens van de tekst en hooguit { $tags } namen van je labels.
model-sent-briefing = Voor het overzicht van een collectie: de titels van hooguit { $entries } ongelezen items en de eerste { $characters } tekens van hun samenvattingen.
model-sent-search = Voor zoeken op betekenis: de woorden waarnaar je zoekt. In de bibliotheek: de titels en de eerste { $characters } tekens van de teksten van je nieuwste { $items } items.
model-sent-entries = Voor zoeken op betekenis in feeds: de titels en de eerste { $characters } tekens van de samenvattingen van je nieuwste { $unread } ongelezen items en { $starred } items met ster.
model-sent-when = Alleen als je { $summarize } op de pagina van een item of { $briefing } op de pagina van een collectie kiest, als je op betekenis zoekt, of als een programma met je sleutel erom vraagt.
model-sent-never = Nooit je naam, je adres, je notities of je markeringen.
model-briefing-button = Overzicht schrijven
model-where = Waarheen het wordt verstuurd
model-where-words = Naar het model { $model } op { $host }, gekozen door de beheerder van deze installatie. De beheerder van die server kan lezen wat wordt verstuurd.
model-with-embeddings = { $model } (voor zoeken op betekenis { $other })
model-answer = Wat er met het antwoord gebeurt
model-answer-words = Het antwoord wordt als tekst getoond en kan fout zijn. Het verandert niets: voorgestelde labels worden alleen toegevoegd als je erop drukt.
model-limit = Je abonnement staat { $amount } verzoeken per dag toe.
model-answer-numbers = Bij zoeken op betekenis zijn de antwoorden lijsten met getallen. Die van je teksten worden verwijderd als je het model uitzet. Die van een feeditem worden ook gebruikt voor andere accounts met dezelfde feed, behalve bij nieuwsbrieven, monitors en feeds met een login.
