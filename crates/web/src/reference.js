// Starts the interactive reference over the description that the page names. Nothing is kept and nobody else is asked.
const place = document.getElementById("reference");
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  persistAuthorization: false,
  validatorUrl: null,
});
