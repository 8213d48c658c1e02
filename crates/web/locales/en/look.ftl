# Reading settings.

look-saved = Settings saved in this browser.
look-saved-account = Settings saved for all your browsers.
look-offline-off = Offline reading is off. The texts in this browser were deleted.
look-words = How pages and articles look and behave in all browsers in which you are signed in. Changes are visible immediately; save them to apply them to every page.
look-only-here = Only in this browser
look-only-here-words = Your other browsers stay as they are.
look-save = Save settings
look-sample = The harbour wakes before the town. Boats that went out at four come home one after the other, and the gulls know each of them.
look-ways = Save and search from anywhere
look-bookmark = Drag this link to your bookmarks. It saves the page that you are viewing: { $link }
look-bookmark-link = Save to Carrel
look-install = Install Carrel as an app from the menu of your browser. On a phone, other apps can then share pages with it.
look-keys = Your feeds and your library have keyboard shortcuts like those of other readers. Press { $key } there to see them.
look-search-engine = You can also search from your browser: add Carrel as a search engine, with the address { $address }.
appearance-words = How articles look in this browser. Changes are visible immediately; save them to apply them to every page.
appearance-offline = With an account, you can also <1>store texts in this browser for offline reading</1>.
appearance-refused = The settings were not saved, because another site sent them. Choose them again.
appearance-unread = The settings could not be read. Choose them again.
appearance-face-wrong = The settings were not saved. Enter the name of the font: 1 to 60 letters A–Z, digits, spaces and hyphens.
