# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Leitura off-line
offline-words = Este navegador pode guardar textos: o que você deixou para depois ou começou a ler, e entradas não lidas. Sem conexão, você pode lê-los aqui.
offline-own-browser = Escolha isto só no seu próprio navegador. O que você marcar como lido, com estrela, arquivar ou destacar sem conexão é enviado depois. Ao sair, os textos e o que não foi enviado são excluídos e a leitura off-line é desligada. Ela precisa de scripts.
offline-save-amount = Salvar quantidade
offline-switch-on = Guardar textos aqui
offline-stored = Textos guardados
offline-switch-off = Excluir e desligar
offline-amount = Quantidade
offline-size = Até { $texts } textos, no máximo { $size } MB com imagens
offline-all-pictures = Todas as imagens dos textos, não só as que você viu
offline-storing = Os textos estão sendo guardados.
offline-list-words = Você pode ler estes textos sem conexão. O que marcar como lido, com estrela, arquivar ou destacar sem ela é enviado quando houver uma. Outras mudanças precisam de conexão.
offline-queue = Mudanças ainda não enviadas
offline-nothing = Ainda não há nada para guardar: nada está para depois nem começado, e nenhuma entrada está por ler.
offline-settings = Configurações da leitura off-line
offline-off = A leitura off-line está desligada
offline-off-words = Este navegador não guarda textos. <1>Ligue-a</1> para ler sem conexão.
offline-refused = Você está off-line
offline-refused-words = Nada foi alterado. Volte e repita a ação quando tiver conexão.
offline-text-words = Você está off-line. Este é o texto guardado. Suas marcas, estrelas e destaques são enviados quando houver conexão.
