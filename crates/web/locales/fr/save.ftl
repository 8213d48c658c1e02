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
save-render-never = Jamais
save-render-hint = Pour les pages dont le texte n’apparaît qu’après leurs scripts. Coûte cinq extractions au lieu d’une.
