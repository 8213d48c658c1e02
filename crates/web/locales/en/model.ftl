# Language model: what is sent to it, and the switch of the account.

model = Language model
model-purpose = A language model can summarize saved items and unread entries. It is off until you switch it on.
model-manage = Manage the language model
model-is-on = The language model is { $state } for your account.
model-is-off = The language model is { $state } for your account. Nothing is sent to it.
model-on = on
model-off = off
model-switch-on = Switch on
model-switch-off = Switch off
model-switched-on = Switched on. The page of each saved item now has a button to summarize it, and the entries of each collection have a link to a briefing.
model-switched-off = Switched off. Nothing more is sent. Existing summaries and briefings stay.
model-sent = What is sent
model-sent-summary = For the summary of an item: its title, the first { $characters } characters of its text, and the names of at most { $tags } of your tags.
model-sent-briefing = For a briefing of a collection: the titles of at most { $entries } unread entries, and the first { $characters } characters of their summaries.
model-sent-search = For a search by meaning: the words you search for. In the library: the titles and first { $characters } characters of the texts of your newest { $items } items.
model-sent-entries = For a search by meaning in feed entries: the titles, and the first { $characters } characters of the summaries, of your newest { $unread } unread and { $starred } starred entries.
model-sent-when = Only when you press { $summarize } on an item's page or { $briefing } on a collection's page, when you search by meaning, or when a program that uses your key requests it.
model-sent-never = Never your name, your address, your notes, or your highlights.
model-briefing-button = Write a briefing
model-where = Where it is sent
model-where-words = To the model { $model } at { $host }, which the operator of this installation chose. The operator of that server can read what is sent.
model-with-embeddings = { $model } (for a search by meaning, { $other })
model-answer = What happens to the answer
model-answer-words = The answer is displayed as text and may be wrong. It changes nothing: suggested tags are added only when you press them.
model-limit = Your plan allows { $amount } requests a day.
model-answer-numbers = For a search by meaning, the answers are lists of numbers. The numbers for your texts are deleted when you switch the model off. The numbers for an entry are also used for other accounts that follow the same feed, except for newsletters, monitors, and feeds with a login.
