# Shell of every page: navigation, footer, times, forms, and messages.

skip = Aller au contenu
nav-main = Navigation principale
nav-today = Aujourd’hui
nav-feeds = Flux
nav-library = Bibliothèque
nav-monitors = Veilles
nav-settings = Réglages
nav-read = Lire
nav-api = API
nav-about = À propos
nav-account = Compte
nav-sign-in = Connexion
nav-stored-texts = Textes enregistrés
find = Rechercher
find-everything = Tout
find-feeds-and-library = Rechercher dans les flux et la bibliothèque
signed-in-as = Connecté en tant que
foot-texts = Les textes des pages de lecture appartiennent à leurs auteurs. Carrel les affiche avec un lien vers leur source.
foot-documents = Documents
foot-read = Lire une page
foot-handbook = Manuel
foot-reader-api = API de lecture
foot-developer-api = API développeur
foot-agents = Agents
foot-problems = Erreurs
foot-reading-settings = Réglages de lecture
foot-llms = llms.txt
description = Carrel affiche les pages web en texte clair, suit des flux, tient une bibliothèque et surveille les changements des pages, pour les personnes et les assistants IA.
error-title = Erreur : { $title }
form-problems =
    { $count ->
        [one] Il y a un problème
       *[other] Il y a { $count } problèmes
    }
field-email = Adresse e-mail
field-password = Mot de passe
field-new-password = Nouveau mot de passe
field-current-password = Mot de passe actuel
password-hint = Au moins 10 caractères. Plusieurs mots valent mieux qu’un seul mot rare.
undo = Annuler
sample-notice = Ce compte contient des exemples à découvrir. Supprimez-le quand vous en avez assez vu.
sample-remove = Supprimer ce compte d’exemple
language = Langue
language-hint = Langue de vos pages. Certaines pages n’existent qu’en anglais.
language-of-browser = Celle du navigateur
language-save = Enregistrer la langue
language-saved = Langue enregistrée.
time-now = à l’instant
time-in-seconds =
    { $count ->
        [one] dans { $count } seconde
       *[other] dans { $count } secondes
    }
time-in-minutes =
    { $count ->
        [one] dans { $count } minute
       *[other] dans { $count } minutes
    }
time-in-hours =
    { $count ->
        [one] dans { $count } heure
       *[other] dans { $count } heures
    }
time-in-days =
    { $count ->
        [one] dans { $count } jour
       *[other] dans { $count } jours
    }
time-seconds-ago =
    { $count ->
        [one] il y a { $count } seconde
       *[other] il y a { $count } secondes
    }
time-minutes-ago =
    { $count ->
        [one] il y a { $count } minute
       *[other] il y a { $count } minutes
    }
time-hours-ago =
    { $count ->
        [one] il y a { $count } heure
       *[other] il y a { $count } heures
    }
time-days-ago =
    { $count ->
        [one] il y a { $count } jour
       *[other] il y a { $count } jours
    }
manifest-description = Flux, bibliothèque, veilles, et toute page en texte clair.
search-description = Cherchez dans vos flux et votre bibliothèque, ou ouvrez une page par son adresse.
