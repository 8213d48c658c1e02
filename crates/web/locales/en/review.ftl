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
review-send = Send to your channels
review-send-words = On days when highlights are due, they are sent to you with links to their passages.
review-send-to = Sent daily at { $time } to { $address }.
review-send-start = Send to { $address }
review-send-stop = Stop sending
review-send-at-hint = Messages about monitors and feeds to this channel will then also be sent once a day, in this message.
review-send-none = <1>Add a channel</1> to get them by e-mail or in a chat.
review-send-started = Due highlights will be sent.
review-send-stopped = Due highlights will no longer be sent.
review-themes = Themed reviews
review-themes-words = Each shows its own number of highlights per day, in addition to the general review.
review-themes-edit = Add or change themed reviews
review-theme-new = New themed review
review-theme-name = Name
review-theme-choose = Which highlights
review-theme-tag = With the tag
review-theme-item = From the source
review-theme-search = Found by the saved search
review-theme-same = The present source
review-theme-add = Add review
review-theme-delete = Delete review
review-theme-stay = Its highlights stay.
review-theme-created = Themed review added.
review-theme-changed = Themed review changed.
review-theme-deleted = Themed review deleted.
review-theme-no-search = The saved search was deleted. Choose other highlights.
review-theme-no-item = The source was deleted.
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
