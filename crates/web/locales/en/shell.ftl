# Shell of every page: navigation, footer, times, forms, and messages.

skip = Skip to content
nav-main = Main
nav-today = Today
nav-feeds = Feeds
nav-library = Library
nav-monitors = Monitors
nav-settings = Settings
nav-read = Read
nav-api = API
nav-about = About
nav-account = Account
nav-sign-in = Sign in
nav-stored-texts = Stored texts
find = Search
find-everything = Everything
find-feeds-and-library = Search feeds and library
signed-in-as = Signed in as
foot-texts = The articles on reading pages belong to their authors. Carrel shows them with a link to their source.
foot-documents = Documents
foot-read = Read a page
foot-handbook = Handbook
foot-reader-api = Reader API
foot-developer-api = Developer API
foot-agents = Agents
foot-problems = Errors
foot-reading-settings = Reading settings
foot-llms = llms.txt
description = Carrel shows web pages as clean text, follows feeds, keeps a library and watches pages for changes, for people and for AI assistants.
error-title = Error: { $title }
form-problems =
    { $count ->
        [one] There is a problem
       *[other] There are { $count } problems
    }
field-email = E-mail address
field-password = Password
field-new-password = New password
field-current-password = Current password
password-hint = At least 10 characters. Several words are better than one unusual word.
undo = Undo
sample-notice = This account contains sample data for you to explore. Remove it when you no longer need it.
sample-remove = Remove this sample account
language = Language
language-hint = Language of the interface. Some pages are only in English.
language-of-browser = Same as browser
language-save = Save language
language-saved = Language saved.
time-now = just now
time-in-seconds =
    { $count ->
        [one] in 1 second
       *[other] in { $count } seconds
    }
time-in-minutes =
    { $count ->
        [one] in 1 minute
       *[other] in { $count } minutes
    }
time-in-hours =
    { $count ->
        [one] in 1 hour
       *[other] in { $count } hours
    }
time-in-days =
    { $count ->
        [one] in 1 day
       *[other] in { $count } days
    }
time-seconds-ago =
    { $count ->
        [one] 1 second ago
       *[other] { $count } seconds ago
    }
time-minutes-ago =
    { $count ->
        [one] 1 minute ago
       *[other] { $count } minutes ago
    }
time-hours-ago =
    { $count ->
        [one] 1 hour ago
       *[other] { $count } hours ago
    }
time-days-ago =
    { $count ->
        [one] 1 day ago
       *[other] { $count } days ago
    }
manifest-description = Feeds, a library, monitors, and any page as clean text.
search-description = Search your feeds and your library, or open a page by its address.
