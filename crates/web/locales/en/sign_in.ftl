# Sign-in and sign-up.

sign-in = Sign in
sign-in-passkey = Sign in with a passkey
oidc-sign-in = Sign in with { $name }
sign-in-forgot = Forgot your password?
sign-in-new = No account yet? <1>Create one</1>.
sign-in-for-app = An app requests access to your account. Sign in or create an account to see the request. Nothing is allowed without your approval.
sign-up = Sign up
sign-up-heading = Create an account
sign-up-button = Create account
sign-up-closed = Sign-up is closed. Ask the operator of this service for an account.
sign-up-purpose = Follow sites, save pages to your library, and get a message when a page changes. All you need is an e-mail address and a password.
sign-up-invitation = Invitation
sign-up-invitation-hint = The code you received. It works once.
sign-up-known = Already have an account? <1>Sign in</1>.
purpose-today = Sign in to see your day
purpose-today-words = Today is your start page: new entries from your feeds, changes to the pages you watch, and what you saved last.
purpose-feeds = Sign in to see your feeds
purpose-feeds-words = Follow blogs, news sites and podcasts: their new entries arrive in one list, here and in your feed apps. You can bring your feeds from another reader.
purpose-library = Sign in to open your library
purpose-library-words = Your library keeps pages and files with their full text, your highlights and your notes. You can search every word, read offline on an e-reader, and export everything at any time.
purpose-monitors = Sign in to see your monitors
purpose-monitors-words = A monitor checks a web page regularly and reports each real change: a lower price, a product back in stock, a new paragraph. Messages arrive by e-mail, in a chat, or in any feed reader.
purpose-search = Sign in to search
purpose-search-words = The search covers your library, your highlights and notes, and the entries in your feeds.
