# Home page.

home-heading = Read, follow, save and watch the web
home-purpose = { $name } turns web pages into clean text, brings you what is new on the sites you like, keeps what you want to remember, and tells you when a page changes.
home-try = Try it: paste the address of an article
home-read = Read
home-read-words = Any article, document or PDF as clean text, without ads and pop-ups. Listen to it, or take it with you as an e-book.
home-follow = Follow
home-follow-words = Blogs, news, podcasts and channels in one list. Bring your feeds from another reader.
home-save = Save
home-save-words = Pages and files with their full text. Highlight, take notes, and find every word again.
home-watch = Watch
home-watch-words = A message when a price falls, a product is back in stock, or a page changes.
home-picture-today = The Today page: price drops, and new entries from followed sites
home-picture-text = A saved article with a highlighted sentence
home-picture-monitor = A watched price with a chart of its values
home-everywhere = Use it in the browser on every device, in your feed and read-later apps, and on e-readers. <1>AI assistants</1> can use it too, if you allow them.
home-no-account = This service has no account yet. Create the first account here, or on the server with { $command }.
home-programs = For programs
home-programs-words = Put this address in front of any other, or use the <1>API</1>. No key is needed.
