# Form that saves a page.

save-heading = Enregistrer une page
save-words = Son texte est récupéré et enregistré dans votre bibliothèque, où vous pourrez le lire plus tard, le surligner et le retrouver.
save-no-address = Ce que vous avez partagé ne contient pas d’adresse. Saisissez l’adresse de la page.
save-title = Titre
save-title-hint = Facultatif. Sans titre, celui de la page est utilisé.
save-tags-hint = Facultatif, séparées par des virgules.
save-library = Voir la bibliothèque
save-to = Enregistrer dans
save-render = Ouvrir d’abord dans un navigateur
save-render-auto = Si la page a besoin de scripts
save-render-always = Toujours
save-render-without-cookie-notices = Toujours, sans bandeaux de cookies
save-render-never = Jamais
save-render-hint = Pour les pages dont le texte n’apparaît qu’après leurs scripts. Coûte cinq extractions au lieu d’une.

# Form that uploads files.

upload-heading = Envoyer des fichiers
upload-files = Fichiers
upload-hint = PDF, livres numériques, documents bureautiques, textes, pages web, courriels et images. Avec les scripts, vous pouvez aussi déposer des fichiers sur cette page.
upload-send = Envoyer
upload-saved = Enregistré
upload-sending = Envoi :
upload-none = Choisissez au moins un fichier.
upload-refused-size = Non enregistré : il dépasse { $size }, le maximum de votre formule.
upload-refused-storage = Non enregistré : votre espace est plein. <1>Voir l’utilisation</1>.
upload-refused-type = Non enregistré : son contenu n’est pas du type indiqué par son nom.
upload-refused = Non enregistré : { $reason }
upload-failed = Non enregistré. Vérifiez la connexion, rechargez la page et réessayez.
