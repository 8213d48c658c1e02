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
