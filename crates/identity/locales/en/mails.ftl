# Mails about an account.

reset-subject = Set a new password for Carrel
reset-body =
    Someone asked to set a new password for the account { $email } at { $origin }.

    If it was you, open this link within an hour. It works until a password is set.

    { $link }

    If it was not you, ignore this e-mail. Nothing changes unless the link is used.
grant-made-subject = An app was connected to your Carrel account
grant-made-event = An app was given access to your account at { $origin }.
grant-made-advice =
    If that was you, there is nothing to do. If it was not, remove its access and set a new password:

    { $link }
grant-reused-subject = An app lost its access to your Carrel account
grant-reused-event = A token of this app was used a second time, which can mean that it was copied. The app's access was removed immediately, and all its tokens were revoked.
grant-reused-advice =
    If you still use the app, connect it again. See the recent activity of your apps and keys:

    { $link }
grant-name = Name given by the app: "{ $name }" (not verified)
grant-host = Redirects to: { $host }
grant-reads = Permissions: read
grant-changes = Permissions: read and change
grant-time = Granted: { $time }
email-request = Someone with an account at { $origin } wants to use this e-mail address for it.
email-taken-subject = This e-mail address already has an account
email-taken-advice = This address already has an account there, so nothing was changed. If it was you, sign in with this address, or delete that account first. If it was not you, ignore this e-mail.
email-confirm-subject = Confirm your new e-mail address for Carrel
email-confirm-advice =
    If it was you, open this link within a day and press the button:

    { $link }

    If it was not you, ignore this e-mail. Nothing changes unless the link is used.
email-changed-subject = The e-mail address of your Carrel account was changed
email-changed-body =
    The e-mail address of your account at { $origin } was changed from { $before } to { $after }.

    If it was you, replace the old address in your feed apps and on your e-readers. Fever apps need a new API key.

    If it was not you, open this link within 7 days. It restores this address and sets a new password:

    { $link }
team-subject = Invitation to a team on Carrel
team-body =
    The owner of the account { $owner } at { $origin } invites you to a team that shares saved pages.

    To join, open this link within 7 days. You need an account there:

    { $link }

    If you do not know the sender, ignore this e-mail.
