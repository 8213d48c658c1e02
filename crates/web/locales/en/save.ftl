# Form that saves a page.

save-heading = Save a page
save-words = Its text is fetched and saved to your library, where you can read it later, highlight it and find it again.
save-no-address = The text you shared contains no address. Enter the address of the page.
save-title = Title
save-title-hint = Optional. Without it, the page's own title is used.
save-tags-hint = Optional, separated by commas.
save-library = Go to library
save-to = Save to
save-render = Open in a browser first
save-render-auto = If the page needs scripts
save-render-always = Always
save-render-without-cookie-notices = Always, without cookie notices
save-render-never = Never
save-render-hint = For pages whose text appears only after their scripts have run. It costs five fresh extractions instead of one.

# Form that uploads files.

upload-heading = Upload files
upload-files = Files
upload-hint = PDF, e-books, office documents, text, web pages, mail and pictures. If scripts are on, you can also drop files on this page.
upload-send = Upload
upload-saved = Saved
upload-sending = Uploading
upload-none = Choose at least one file.
upload-refused-size = Not saved: the file is larger than { $size }, the maximum for your plan.
upload-refused-storage = Not saved: your storage is full. <1>See your usage</1>.
upload-refused-type = Not saved: its content does not match its file type.
upload-refused = Not saved: { $reason }
upload-failed = Not saved. Check your connection, reload the page and try again.
