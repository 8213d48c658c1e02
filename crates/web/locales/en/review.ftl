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
        [one] “Soon” brings it back tomorrow, “Later” in { $count } day, and the interval grows each time.
       *[other] “Soon” brings it back tomorrow, “Later” in { $count } days, and the interval grows each time.
    }
review-none = Nothing is due today.
review-none-words = A new highlight is due a day after you make it, and then comes back at growing intervals.
review-removed = The highlight will not be reviewed again. You can include it again on its item's page.
highlight-review-again = Review again
item-highlight-resumed = The highlight will be reviewed again.
