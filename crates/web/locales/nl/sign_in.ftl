# Sign-in and sign-up.

sign-in = Inloggen
sign-in-passkey = Inloggen met een passkey
oidc-sign-in = Inloggen met { $name }
sign-in-forgot = Wachtwoord vergeten?
sign-in-new = Nog geen account? <1>Maak er een</1>.
sign-in-for-app = Een app vraagt toegang tot je account. Log in of maak een account om het verzoek te zien. Zonder jouw toestemming is niets toegestaan.
sign-up = Registreren
sign-up-heading = Een account maken
sign-up-button = Account maken
sign-up-closed = Registreren is gesloten. Vraag de beheerder van deze dienst om een account.
sign-up-purpose = Volg sites, bewaar pagina’s in je bibliotheek en krijg een bericht als een pagina verandert. Je hebt alleen een e-mailadres en een wachtwoord nodig.
sign-up-invitation = Uitnodiging
sign-up-invitation-hint = De code die je hebt ontvangen. Hij werkt één keer.
sign-up-known = Heb je al een account? <1>Log in</1>.
purpose-today = Log in om je dag te zien
purpose-today-words = ‘Vandaag’ is je startpagina: nieuwe items van je feeds, wijzigingen van de pagina’s die je volgt, en wat je het laatst hebt bewaard.
purpose-feeds = Log in om je feeds te zien
purpose-feeds-words = Volg blogs, nieuwssites en podcasts: hun nieuwe items komen in één lijst, hier en in je feed-apps. Je kunt je feeds uit een andere lezer meenemen.
purpose-library = Log in om je bibliotheek te openen
purpose-library-words = Je bibliotheek bewaart pagina’s en bestanden met hun volledige tekst, je markeringen en je notities. Je kunt elk woord zoeken, offline lezen op een e-reader en altijd alles exporteren.
purpose-monitors = Log in om je monitors te zien
purpose-monitors-words = Een monitor controleert een webpagina regelmatig en meldt elke echte wijziging: een lagere prijs, een product dat weer op voorraad is, een nieuwe alinea. Berichten komen per e-mail, in een chat of in elke feedlezer.
purpose-search = Log in om te zoeken
purpose-search-words = De zoekfunctie omvat je bibliotheek, je markeringen en notities, en de items van je feeds.
