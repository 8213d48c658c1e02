# Form that saves a page.

save-heading = Save a page
save-words = Its text is fetched and saved to your library, where you can read it later, highlight it and find it again.
save-no-address = What you shared contains no address. Enter the address of the page.
save-title = Title
save-title-hint = Optional. Without it, the page’s own title is used.
save-tags-hint = Optional, separated by commas.
save-library = Go to library
save-to = Save to
save-render = Open in a browser first
save-render-auto = If the page needs scripts
save-render-always = Always
save-render-never = Never
save-render-hint = For pages whose text appears only after their scripts have run. It costs five fresh extractions instead of one.
