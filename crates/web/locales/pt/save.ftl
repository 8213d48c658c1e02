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
save-render-without-cookie-notices = Sempre, sem avisos de cookies
save-render-never = Nunca
save-render-hint = Para páginas cujo texto só aparece depois dos scripts. Custa cinco extrações novas em vez de uma.

# Form that uploads files.

upload-heading = Enviar arquivos
upload-files = Arquivos
upload-hint = PDF, e-books, documentos de escritório, texto, páginas web, e-mails e imagens. Com scripts, você também pode soltar arquivos nesta página.
upload-send = Enviar
upload-saved = Salvo
upload-sending = Enviando
upload-none = Escolha pelo menos um arquivo.
upload-refused-size = Não salvo: é maior que { $size }, o máximo do seu plano.
upload-refused-storage = Não salvo: seu armazenamento está cheio. <1>Ver o uso</1>.
upload-refused-type = Não salvo: o conteúdo não é do tipo que o nome indica.
upload-refused = Não salvo: { $reason }
upload-failed = Não salvo. Verifique a conexão, recarregue a página e tente de novo.
