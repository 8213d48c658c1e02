# Daily review of highlights.

review = Markierungen wiederholen
review-due =
    { $count ->
        [one] Heute ist { $count } Markierung fällig.
       *[other] Heute sind { $count } Markierungen fällig.
    }
review-start = Jetzt wiederholen
review-left =
    { $count ->
        [one] Heute noch { $count }
       *[other] Heute noch { $count }
    }
review-soon = Bald
review-later = Später
review-never = Nie wieder
review-rule =
    { $count ->
        [one] „Bald“ zeigt sie morgen wieder, „Später“ in { $count } Tag, und danach in immer längeren Abständen.
       *[other] „Bald“ zeigt sie morgen wieder, „Später“ in { $count } Tagen, und danach in immer längeren Abständen.
    }
review-none = Heute ist nichts fällig.
review-none-words = Eine neue Markierung ist einen Tag später fällig und kommt dann in wachsenden Abständen wieder.
review-removed = Die Markierung wird nicht mehr wiederholt. Auf der Seite ihres Objekts kannst du sie wieder aufnehmen.
highlight-review-again = Wieder wiederholen
item-highlight-resumed = Die Markierung wird wieder wiederholt.
