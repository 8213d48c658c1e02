# Rules for saved items.

item-rules = Rules for saved items
item-rules-words = A rule changes each new item once, as soon as its text has been read. Imported items are not changed. Tags that are public or shared are not added.
item-rules-created = Rule created. It applies to the items that you save from now on.
item-rules-changed = Rules changed.
item-rules-deleted = Rule deleted.
item-rules-name = Name of the rule
item-rules-query = Items that match this search
item-rules-query-hint = For example domain:example.org or title:invoice. Words and filters are the same as in the search.
item-rules-status = Move to
item-rules-status-none = Do not move
item-rules-adds = Adds the tags: { $tags }
item-rules-moves = Moves to: { $status }
item-rules-nothing = Changes nothing
item-rules-matches = Matches so far: { $count }
item-rules-items = Show matching items
item-rules-withheld = Not added because they are public or shared: { $tags }
item-rules-edit-named = Edit “{ $name }”
item-rules-up = Up
item-rules-up-named = Move “{ $name }” up
item-rules-down = Down
item-rules-down-named = Move “{ $name }” down
item-rules-stay = Items that the rule has changed will stay as they are.
