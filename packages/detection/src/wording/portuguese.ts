import type { Catalogue, ContentType } from './catalogue.ts';

const CONTENTS: Readonly<Record<ContentType, readonly [what: string, within: string, ending: 'o' | 'a']>> = {
  text: ['esta mensagem', 'nesta mensagem', 'a'],
  url: ['este link', 'neste link', 'o'],
  file: ['este ficheiro', 'neste ficheiro', 'o'],
  media: ['esta imagem ou gravação', 'nesta imagem ou gravação', 'a'],
  app: ['esta aplicação', 'nesta aplicação', 'a'],
};

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export const PORTUGUESE: Catalogue = {
  decimalMark: ',',
  and: ' e ',
  threats: {
    delivery_scam: 'burla de encomendas ou entregas',
    bank_impersonation: 'imitação de um banco ou serviço de pagamento',
    account_takeover: 'tentativa de obter dados de acesso',
    otp_request: 'pedido de um código de uso único',
    toll_or_fine_scam: 'falsa cobrança de portagem, multa ou estacionamento',
    tax_scam: 'imitação das finanças ou de uma autoridade',
    credential_phishing: 'página que imita outra para recolher dados de acesso',
    phishing_link: 'link parecido com os de páginas de phishing',
    tech_support_scam: 'burla de suporte técnico',
    call_back_scam: 'burla de chamada de retorno',
    robocall_scam: 'chamada fraudulenta',
    insurance_or_debt_scam: 'falsa oferta de seguro, garantia ou alívio de dívidas',
    family_emergency: 'imitação de um familiar em apuros',
    romance_scam: 'aproximação de um estranho que ganha confiança para uma burla',
    crypto_scam: 'burla de criptomoedas ou investimentos',
    prize_scam: 'falso prémio, presente ou reembolso',
    job_scam: 'falsa oferta de trabalho',
    loan_scam: 'falso empréstimo ou pagamento adiantado',
    charity_scam: 'falso pedido de donativos',
    extortion: 'chantagem',
    business_email_compromise: 'imitação de um dirigente ou fornecedor',
    marketplace_scam: 'burla de compra, venda ou arrendamento',
    unwanted_advertising: 'publicidade enganosa',
    suspicious_message: 'mensagem redigida como burlas conhecidas',
    malware: 'software malicioso',
    stalkerware: 'software que vigia uma pessoa em segredo',
    spyware: 'software espião',
    suspicious_app: 'aplicação que poderia espiar ou assumir o controlo',
    disguised_file: 'ficheiro disfarçado de outro tipo',
    remote_access_tool: 'ferramenta de controlo remoto de um dispositivo',
    generated_media: 'conteúdo declarado como gerado',
    known_indicator: 'um indicador conhecido',
  },
  categories: {
    phone_scam: 'burla telefónica',
    social_engineering: 'engenharia social',
    malicious_app: 'aplicação maliciosa',
    phishing: 'phishing',
    remote_control: 'controlo remoto',
    deepfake: 'deepfake',
  },
  severities: { low: 'baixa', medium: 'média', high: 'alta', critical: 'crítica' },
  clauses: {
    one_time_code: 'pede um código de uso único',
    remote_access: 'pede para instalar um programa ou dar acesso ao dispositivo',
    irrevocable_payment: 'pede um pagamento difícil de anular',
    credentials: 'pede dados de acesso, dados pessoais ou dados de uma conta',
    sign_in: 'pede para iniciar sessão',
    fee: 'pede um pagamento',
    call_back: 'pede para ligar para um número ou carregar numa tecla',
    secrecy: 'pede segredo',
    elsewhere: 'leva a conversa para outra aplicação de mensagens ou outro número',
    donation: 'pede um donativo',
    extortion: 'ameaça publicar ou divulgar algo privado',
    unreachable: 'o remetente diz que não pode falar',
    new_number: 'o remetente diz ter um número novo ou um telefone avariado ou perdido',
    blocked: 'diz que uma conta, um cartão, um número ou um serviço está ou será bloqueado',
    threat: 'ameaça com ações legais, uma penalização ou outra perda',
    haste: 'cria urgência',
    payment_problem: 'diz que há um valor por pagar ou que um pagamento falhou',
    delivery_problem: 'diz que uma encomenda está retida, à espera ou não foi entregue',
    unknown_activity:
      'comunica um acesso, uma encomenda ou uma transferência que a pessoa talvez não conheça',
    virus: 'diz que um dispositivo ou uma conta está infetado ou foi pirateado',
    prize: 'oferece ou promete um prémio, um presente ou dinheiro',
    earnings: 'promete rendimentos, lucro ou trabalho fácil',
    offer: 'oferece crédito, seguro, alívio de dívidas ou um preço mais baixo',
    meeting: 'está redigida como uma conversa pessoal ou romântica',
    open_link: 'pede para abrir um link',
    vague_greeting: 'usa uma saudação genérica',
    disguised_confusable: 'contém letras de outro alfabeto que imitam as latinas',
    disguised_invisible: 'contém caracteres invisíveis',
    disguised_spaced: 'separa as letras das palavras',
    disguised_leetspeak: 'substitui letras por algarismos e sinais',
    words_resemble: 'as suas palavras parecem-se com as de burlas conhecidas',
    words_occur: 'algumas das suas palavras também aparecem em burlas',
    words_resemble_together:
      'com as mensagens anteriores, as suas palavras parecem-se com as de burlas conhecidas',
    words_of_known_sender:
      'as suas palavras parecem-se com as de burlas conhecidas, mas o remetente é conhecido',
    new_number_of_relative: 'alguém apresenta-se como um familiar com um número novo',
    stranger_moves_on:
      'um remetente desconhecido faz conversa e quer continuar noutra aplicação de mensagens ou noutro número',
    stranger_wants_value:
      'um remetente desconhecido faz conversa e pede dinheiro, um código ou dados pessoais, ou promete rendimentos',
    link_resembles: 'o seu URL parece-se com os de páginas de phishing conhecidas',
    link_has_features: 'o seu URL tem alguns traços de páginas de phishing',
    counterfeit_domain: 'um domínio escreve uma marca conhecida com letras de outro alfabeto',
    no_model: 'nenhum modelo está carregado',
    unknown_words: 'não tem palavras que o modelo conheça',
    more_links: 'contém mais links do que os que são lidos',
    more_text: 'é longo demais para ser lido até ao fim',
    empty_link: 'não é o URL de uma página web',
    no_page: 'não abre uma página web',
    device_itself: 'o link leva ao próprio dispositivo',
    local_address: 'o link leva a um endereço da rede do dispositivo, cujas páginas o modelo não conhece',
    no_dot: 'um nome de host sem ponto só existe numa rede local',
    no_public_suffix:
      'o nome do host não tem um sufixo público, por isso não leva a nenhuma página na internet',
    unknown_permissions: 'nenhum indicador a menciona, e as suas permissões são desconhecidas',
  },
  links: {
    look_alike_letters: 'contém letras de outro alfabeto que imitam as latinas',
    user_name: 'esconde o seu domínio atrás de um nome de utilizador',
    ip_address: 'leva a um endereço IP em vez de um domínio',
    brand_odd_suffix: 'usa o nome de uma marca conhecida com um sufixo que a marca não usa',
    brand_in_name: 'nomeia uma marca conhecida num domínio que não é da marca',
    brand_in_subdomain: 'põe uma marca conhecida antes de um domínio que não é da marca',
    brand_look_alike: 'parece-se com o nome de uma marca conhecida',
    brand_in_path: 'nomeia uma marca conhecida no caminho de outro domínio',
    short_link: 'é um link curto que esconde o seu destino',
    messenger: 'abre uma conversa numa aplicação de mensagens',
    open_hosting: 'está num alojamento em que qualquer pessoa pode publicar',
    hosted_document: 'é uma página que qualquer pessoa pode criar num grande fornecedor',
    scam_suffix: 'tem um sufixo que as burlas usam muitas vezes',
    says_sign_in: 'menciona um início de sessão ou uma verificação de identidade',
    says_urgency: 'menciona segurança ou urgência',
    says_money: 'menciona dinheiro',
    says_parcel: 'menciona uma encomenda ou uma taxa',
    mail_address: 'contém um endereço de correio',
    odd_folder: 'está numa pasta de um site que não devia conter páginas',
    many_parts: 'tem muitas partes',
    many_words: 'é composto por muitas palavras',
    port: 'indica uma porta',
  },
  leadsOn: 'outro link conduz até ele',
  linkItself: 'o link',
  domainOfItself: 'o seu domínio',
  linkInText: 'um link no conteúdo',
  domainInText: 'o domínio de um link no conteúdo',
  subjects: {
    account: 'contas ou palavras-passe',
    bank: 'bancos ou cartões',
    parcels: 'encomendas',
    money: 'dinheiro',
    prizes: 'prémios ou presentes',
    work: 'trabalho',
    investments: 'investimentos',
    authorities: 'impostos, multas ou autoridades',
    family: 'família',
    phone: 'telefones',
    computer: 'computadores ou dispositivos',
    love: 'amor ou amizade',
    loans: 'empréstimos, dívidas ou seguros',
    purchases: 'ofertas ou compras',
    security: 'segurança ou códigos',
    donations: 'donativos ou necessidade',
    calls: 'chamadas ou mensagens',
  },
  signs: {
    link: 'um link',
    money: 'uma quantia de dinheiro',
    number: 'um número longo',
    mail_address: 'um endereço de correio',
  },
  weighed: (about, sign) => {
    const words = about.length === 0 ? [] : [`palavras sobre ${about.join(' e sobre ')}`];
    const parts = [...words, ...(sign === undefined ? [] : [sign])];
    return `o que mais pesou para o modelo: ${parts.join(' e ')}`;
  },
  reserved: (name, use) => {
    const why = {
      documentation: 'são reservados para documentação e não levam a nenhuma página na internet',
      tests: 'são reservados para testes e não levam a nenhuma página na internet',
      other: 'são reservados e não levam a nenhuma página na internet',
      local: 'só existem numa rede local, cujas páginas o modelo não conhece',
      tor: 'levam à rede Tor, cujas páginas o modelo não conhece',
    }[use];
    return `os nomes que terminam em .${name} ${why}`;
  },
  indicators: {
    domain: 'um domínio',
    url: 'um URL',
    sha256: 'o hash de um ficheiro',
    package: 'o nome do pacote de uma aplicação',
    certificate: 'o certificado de assinatura de uma aplicação',
  },
  listed: (what, source, label) => `${source} inclui ${what}${label === undefined ? '' : ` de ${label}`}`,
  dualUse: {
    sent: ', uma ferramenta com usos legítimos, mas enviá-la numa conversa é um truque conhecido',
    page: ', uma ferramenta cujas páginas têm visitantes legítimos',
    tool: ', uma ferramenta com usos legítimos, que um burlão pode ter pedido',
  },
  knownThreat: ({ threatId, category, severity, devices, lastSeen }) =>
    `um indicador de ${threatId} (${category}, gravidade ${severity}, comunicado por ${devices} ${devices === 1 ? 'dispositivo' : 'dispositivos'} deste cliente, visto pela última vez ${lastSeen})`,

  notAnalyzed: (type, extent, why) => {
    const [what, , ending] = CONTENTS[type];
    const result = extent === 'none' ? `não pôde ser analisad${ending}` : `só foi analisad${ending} em parte`;
    return `${capital(what)} ${result}: ${why}. Isto não significa que não haja perigo.`;
  },
  noThreat: (type, why) => `Nenhuma ameaça foi detetada ${CONTENTS[type][1]}: ${why}.`,
  classified: (type, threat, why) => {
    const [what, , ending] = CONTENTS[type];
    return `${capital(what)} foi classificad${ending} como ${threat}: ${why}.`;
  },
  matched: (type, threat, why) => `${capital(CONTENTS[type][0])} corresponde a ${threat}: ${why}.`,
  butBelow: (probability, threshold) =>
    `mas a probabilidade total de ${probability} está abaixo do limiar de aviso de ${threshold}`,
  noIndicatorAndBelow: (probability, threshold) =>
    `nenhum indicador corresponde, e a probabilidade estimada de ${probability} está abaixo do limiar de aviso de ${threshold}`,
  noIndicatorAndNothing: 'nenhum indicador corresponde, e nada de suspeito foi encontrado',
  reached: (probability, threshold, verdict) =>
    `a probabilidade estimada de ${probability} atinge o limiar de ${verdict === 'block' ? 'bloqueio' : 'aviso'} de ${threshold}`,
  enough: { block: 'isto basta para bloquear', warn: 'isto basta para avisar' },
  inAddition: (reasons) => `além disso, ${reasons}`,
};
