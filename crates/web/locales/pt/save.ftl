# Form that saves a page.

save-heading = Salvar uma página
save-words = O texto é baixado e salvo na sua biblioteca, onde você pode ler depois, destacar e reencontrar.
save-no-address = O que você compartilhou não contém endereço. Digite o endereço da página.
save-title = Título
save-title-hint = Opcional. Sem ele, é usado o título da página.
save-tags-hint = Opcional, separadas por vírgulas.
save-library = Ir para a biblioteca
save-to = Salvar em
save-render = Abrir antes em um navegador
save-render-auto = Se a página precisar de scripts
save-render-always = Sempre
save-render-never = Nunca
save-render-hint = Para páginas cujo texto só aparece depois dos scripts. Custa cinco extrações novas em vez de uma.
