# Public links of quotes.

public-quote-published = A citação é pública. Compartilhe o link.
public-quote-private = A citação voltou a ser privada. O link antigo não funciona mais.
public-quote = Link público
public-quote-unavailable = Esta citação não pode ter um link público: o texto não veio de um endereço público ou não contém a citação. Ela pode ser de uma página com login.
public-quote-words = Qualquer pessoa com o link pode ler a citação, e o título e o endereço da página, sem conta.
public-quote-note = Incluir minha nota
public-quote-create = Criar link
public-quote-link = Link da citação
public-quote-open = <1>Abrir a página</1>.
public-quote-paused = A página não está disponível agora: o texto não veio de um endereço público ou não contém mais a citação.
public-quote-hide = Tornar privada
public-quote-hide-named = Tornar “{ $quote }” privada
public-quote-all = Todas as etiquetas e citações públicas
public-quotes-yours = Suas citações públicas
public-quotes-words = Qualquer pessoa com o link pode ler uma citação, e o título e o endereço da página.
public-quote-not-found = O link está errado, ou o dono não compartilha mais esta citação.
public-quote-note-heading = Nota
