# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Offline reading
offline-words = This browser can store texts: items you marked for later or started reading, and unread entries. You can then read them here without a connection.
offline-own-browser = Use this only in your own browser. What you mark as read, star, archive, or highlight while offline will be sent afterwards. Signing out deletes the texts and any changes not yet sent, and switches offline reading off. Offline reading needs scripts.
offline-save-amount = Save amount
offline-switch-on = Store texts in this browser
offline-stored = Stored texts
offline-switch-off = Delete the texts and switch off
offline-amount = Amount
offline-size = Up to { $texts } texts, at most { $size } MB with pictures
offline-all-pictures = All pictures in the texts, not only those you have seen
offline-storing = The texts are being stored.
offline-list-words = You can read these texts without a connection. What you mark as read, star, archive, or highlight will be sent when you are online again. Other changes need a connection.
offline-queue = Changes not sent yet
offline-nothing = There is nothing to store yet: no items marked for later or started, and no unread entries.
offline-settings = Offline reading settings
offline-off = Offline reading is off
offline-off-words = This browser stores no texts. <1>Switch it on</1> to read without a connection.
offline-refused = You are offline
offline-refused-words = Nothing was changed. Go back, and try again when you have a connection.
offline-text-words = You are offline. This is the stored text. Your marks, stars, and highlights will be sent when you are online again.
