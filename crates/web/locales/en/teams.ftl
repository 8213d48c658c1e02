# Families and teams.

teams-heading = Family and teams
teams-left = You left the team.
teams-deleted = Team deleted. What you shared is private again.
teams-words = Share library tags and monitor changes with people you know. You decide who can read and who can also add pages.
teams-new = New team
teams-name-hint = For example, “Family”. Members can see it.
teams-create = Create team
teams-member-of = Teams you are a member of
teams-membership-reader = Owner: { $owner }. You can read the shared pages. { $link }
teams-membership-editor = Owner: { $owner }. You can read, add and remove pages. { $link }
teams-shared = Shared with you
teams-leave = Leave
teams-leave-named = Leave “{ $name }”
teams-yours = Your teams
teams-no-members = no members yet
teams-members-count =
    { $count ->
        [one] { $count } member
       *[other] { $count } members
    }
teams-join-title = Join a team
teams-join-reader = { $owner } invites you to the team { $team }. You can read what the owner shares. The owner will see your e-mail address, { $email }. You can leave at any time.
teams-join-editor = { $owner } invites you to the team { $team }. You can read what the owner shares, and add and remove pages. The owner will see your e-mail address, { $email }. You can leave at any time.
teams-join = Join
team-title = Team
team-members = Members
team-invite-heading = Invite someone
team-tags = Shared tags
team-tags-words = Members see the pages with these tags: title, address, when you saved them, and the beginning of the text if it was fetched from the address. Notes, highlights and files stay private.
team-monitors = Shared monitors
team-monitors-words = Members see the names and changes of these monitors.
team-delete-link = Delete team…
team-created = Team created. You can now invite members.
team-invited = Invitation created. It expires in 7 days and can be used once.
team-revoked = Invitation revoked. Its link no longer works.
team-removed = Member removed. Any link below that you shared with them works until you revoke it.
team-role-changed = Role changed.
team-sharing-changed = Sharing changed.
team-no-members = No members yet.
team-role = Role
team-role-of = Role of { $email }
team-change-role = Change the role of { $email }
team-change = Change
team-reader = Reader
team-editor = Editor: can add and remove pages
team-mailed = E-mailed to { $email }
team-link-to-pass = Link to share
team-as-reader = as reader
team-as-editor = as editor
team-expires = expires { $time }
team-invitation-link = Invitation link
team-email-hint = Leave empty to get a link that you can share yourself.
team-invite = Invite
team-stop = Stop sharing
team-stop-named = Stop sharing “{ $name }”
team-tag = Tag
team-share-tag = Share tag
team-monitor = Monitor
team-share-monitor = Share monitor
team-delete-question = Delete the team { $name }?
team-delete-words = Its members will lose access immediately. Your tags, items and monitors will stay as they are.
team-delete = Delete team
