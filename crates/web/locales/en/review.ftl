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
review-none-words = A new highlight is due a day after you make it, and then comes back at increasing intervals.
review-removed = This highlight will not be reviewed again. You can include it again on its item's page.
highlight-review-again = Review again
item-highlight-resumed = This highlight is back in your review.
review-frequency = How often this source comes back
review-frequency-more = More often
review-frequency-normal = Normal
review-frequency-less = Less often
review-frequency-never = Never
review-frequency-saved = Frequency saved.
review-per-day = Highlights per day
review-per-day-saved = Number of highlights per day saved.
review-sources = Sources that come back more or less often
review-sources-more = Only the newest { $count } are listed.
review-mail = By e-mail
review-mail-words = On days when highlights are due, they are sent to you with links to their passages.
review-mail-to = Sent daily at { $time } to { $address }.
review-mail-start = Send to { $address }
review-mail-stop = Stop sending
review-mail-at-hint = If monitors report changes to this address, the changes will then also be sent once a day, in this e-mail.
review-mail-none = <1>Add an e-mail channel</1> to get them by e-mail.
review-mail-started = Due highlights will be sent by e-mail.
review-mail-stopped = Due highlights will no longer be sent by e-mail.
card = Review card
card-make = Make a card
card-change = Change the card
card-words = In a review, the card asks first and shows the answer when you press a button. A highlight has one card: saving a new one replaces it.
card-gaps = Hide words
card-gaps-rule = Words to hide
card-gaps-first = Only the first { $count } words are listed.
card-gaps-written = Other parts to hide, one per line
card-gaps-save = Save hidden words
card-question = Ask a question
card-question-label = Question
card-answer = Answer
card-question-save = Save question
card-delete = Delete card
card-saved = Card saved.
card-deleted = Card deleted.
card-unfit = The card no longer matches the text of the highlight, so it hides nothing. Choose the words to hide again.
card-show-answer = Show answer
