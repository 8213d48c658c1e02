# Daily review of highlights.

review = Review highlights
review-due =
    { $count ->
        [one] { $count } highlight is due today.
       *[other] { $count } highlights are due today.
    }
review-start = Review now
review-left =
    { $count ->
        [one] { $count } left today
       *[other] { $count } left today
    }
review-soon = Soon
review-later = Later
review-never = Never again
review-rule =
    { $count ->
        [one] “Soon” brings it back tomorrow, “Later” in { $count } day, and each time after a longer interval.
       *[other] “Soon” brings it back tomorrow, “Later” in { $count } days, and each time after a longer interval.
    }
review-none = Nothing is due today.
review-none-words = A new highlight is due a day after you make it, and comes back after intervals that grow.
review-removed = The highlight will not be reviewed again. On the page of its item, you can include it again.
highlight-review-again = Review again
item-highlight-resumed = The highlight will be reviewed again.
