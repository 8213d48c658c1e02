// Starts the interactive reference over the description that the page names. It stores nothing and sends requests to
// no other host.
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
