import type { Catalogue, ContentType } from './catalogue.ts';

const CONTENTS: Readonly<Record<ContentType, readonly [what: string, ending: 'o' | 'a']>> = {
  text: ['questo messaggio', 'o'],
  url: ['questo link', 'o'],
  file: ['questo file', 'o'],
  media: ['questa immagine o registrazione', 'a'],
  app: ['questa app', 'a'],
};

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export const ITALIAN: Catalogue = {
  decimalMark: ',',
  and: ' e ',
  threats: {
    delivery_scam: 'truffa del pacco o della consegna',
    bank_impersonation: 'imitazione di una banca o di un servizio di pagamento',
    account_takeover: 'tentativo di ottenere credenziali',
    otp_request: 'richiesta di un codice monouso',
    toll_or_fine_scam: 'falsa richiesta di pedaggio, multa o parcheggio',
    tax_scam: "imitazione del fisco o di un'autorità",
    credential_phishing: "pagina che ne imita un'altra per raccogliere credenziali",
    phishing_link: 'link simile a quelli di pagine di phishing',
    tech_support_scam: "truffa dell'assistenza tecnica",
    call_back_scam: 'truffa della richiamata',
    robocall_scam: 'chiamata truffa',
    insurance_or_debt_scam: 'falsa offerta di assicurazione, garanzia o aiuto per i debiti',
    family_emergency: 'imitazione di un parente in difficoltà',
    romance_scam: 'approccio di uno sconosciuto che conquista fiducia per una truffa',
    crypto_scam: 'truffa con criptovalute o investimenti',
    prize_scam: 'falso premio, regalo o rimborso',
    job_scam: 'falsa offerta di lavoro',
    loan_scam: 'falso prestito o richiesta di anticipo',
    charity_scam: 'falsa richiesta di donazioni',
    extortion: 'ricatto',
    business_email_compromise: 'imitazione di un dirigente o fornitore',
    marketplace_scam: 'truffa di acquisto, vendita o affitto',
    unwanted_advertising: 'pubblicità ingannevole',
    suspicious_message: 'messaggio formulato come truffe note',
    malware: 'software dannoso',
    stalkerware: 'software che sorveglia una persona di nascosto',
    spyware: 'software spia',
    suspicious_app: 'app che potrebbe spiare o prendere il controllo',
    disguised_file: 'file mascherato da un altro tipo',
    remote_access_tool: 'strumento per il controllo remoto di un dispositivo',
    generated_media: 'contenuto dichiarato come generato',
    known_indicator: 'un indicatore noto',
  },
  categories: {
    phone_scam: 'truffa telefonica',
    social_engineering: 'ingegneria sociale',
    malicious_app: 'app dannosa',
    phishing: 'phishing',
    remote_control: 'controllo remoto',
    deepfake: 'deepfake',
  },
  severities: { low: 'bassa', medium: 'media', high: 'alta', critical: 'critica' },
  clauses: {
    one_time_code: 'chiede un codice monouso',
    remote_access: 'chiede di installare un programma o di dare accesso al dispositivo',
    irrevocable_payment: 'chiede un pagamento difficile da annullare',
    credentials: 'chiede credenziali o dati personali o bancari',
    sign_in: 'chiede di accedere a un account',
    fee: 'chiede un pagamento',
    call_back: 'chiede di chiamare un numero o di premere un tasto',
    secrecy: 'chiede il segreto',
    elsewhere: "sposta la conversazione su un'altra app di messaggi o un altro numero",
    donation: 'chiede una donazione',
    extortion: 'minaccia di pubblicare o diffondere qualcosa di privato',
    unreachable: 'il mittente dice di non poter parlare',
    new_number: 'il mittente dice di avere un numero nuovo o un telefono rotto o perso',
    blocked: 'dice che un conto, una carta, un numero o un servizio è o sarà bloccato',
    threat: "minaccia azioni legali, una sanzione o un'altra perdita",
    haste: 'mette fretta',
    payment_problem: 'dice che una somma non è pagata o che un pagamento non è riuscito',
    delivery_problem: 'dice che un pacco è trattenuto, in attesa o non è stato consegnato',
    unknown_activity: 'segnala un accesso, un ordine o un bonifico che la persona forse non conosce',
    virus: 'dice che un dispositivo o un account è infetto o violato',
    prize: 'offre o promette un premio, un regalo o denaro',
    earnings: 'promette guadagni, profitti o un lavoro facile',
    offer: 'offre credito, assicurazione, aiuto per i debiti o un prezzo più basso',
    meeting: 'è formulato come una conversazione personale o romantica',
    open_link: 'chiede di aprire un link',
    vague_greeting: 'usa un saluto generico',
    disguised_confusable: 'contiene lettere di un altro alfabeto che imitano quelle latine',
    disguised_invisible: 'contiene caratteri invisibili',
    disguised_spaced: 'separa le lettere delle parole',
    disguised_leetspeak: 'sostituisce lettere con cifre e segni',
    words_resemble: 'le sue parole somigliano a quelle di truffe note',
    words_occur: 'alcune delle sue parole compaiono anche in truffe',
    words_resemble_together:
      'insieme ai messaggi precedenti, le sue parole somigliano a quelle di truffe note',
    words_of_known_sender: 'le sue parole somigliano a quelle di truffe note, ma il mittente è noto',
    new_number_of_relative: 'qualcuno si presenta come un parente con un numero nuovo',
    stranger_moves_on:
      "un mittente sconosciuto fa conversazione e vuole continuare su un'altra app di messaggi o un altro numero",
    stranger_wants_value:
      'un mittente sconosciuto fa conversazione e chiede denaro, un codice o dati personali, o promette guadagni',
    link_resembles: 'il suo URL somiglia a quelli di pagine di phishing note',
    link_has_features: 'il suo URL ha alcuni tratti di pagine di phishing',
    counterfeit_domain: 'un dominio scrive un marchio noto con lettere di un altro alfabeto',
    no_model: 'nessun modello è caricato',
    unknown_words: 'non ha parole che il modello conosce',
    more_links: 'contiene più link di quelli che vengono letti',
    more_text: 'è troppo lungo per essere letto fino alla fine',
    empty_link: "non è l'URL di una pagina web",
    no_page: 'non apre una pagina web',
    device_itself: 'il link porta al dispositivo stesso',
    local_address:
      'il link porta a un indirizzo della rete del dispositivo, di cui il modello non conosce le pagine',
    no_dot: 'un nome host senza punto esiste solo in una rete locale',
    no_public_suffix:
      'il nome host non ha un suffisso pubblico, quindi non porta a nessuna pagina su internet',
    unknown_permissions: 'nessun indicatore la elenca, e le sue autorizzazioni non sono note',
  },
  links: {
    look_alike_letters: 'contiene lettere di un altro alfabeto che imitano quelle latine',
    user_name: 'nasconde il suo dominio dietro un nome utente',
    ip_address: 'porta a un indirizzo IP invece che a un dominio',
    brand_odd_suffix: 'usa il nome di un marchio noto con un suffisso che il marchio non usa',
    brand_in_name: 'nomina un marchio noto in un dominio che non appartiene al marchio',
    brand_in_subdomain: 'mette un marchio noto davanti a un dominio che non appartiene al marchio',
    brand_look_alike: 'somiglia al nome di un marchio noto',
    brand_in_path: 'nomina un marchio noto nel percorso di un altro dominio',
    short_link: 'è un link breve che nasconde la destinazione',
    messenger: "apre una chat in un'app di messaggi",
    open_hosting: 'è su uno spazio in cui chiunque può pubblicare',
    hosted_document: 'è una pagina che chiunque può creare presso un grande fornitore',
    scam_suffix: 'ha un suffisso usato spesso nelle truffe',
    says_sign_in: "parla di un accesso o di una verifica dell'identità",
    says_urgency: 'parla di sicurezza o di urgenza',
    says_money: 'parla di denaro',
    says_parcel: 'parla di un pacco o di una tariffa',
    mail_address: 'contiene un indirizzo di posta',
    odd_folder: 'è in una cartella di un sito che non dovrebbe contenere pagine',
    many_parts: 'ha molte parti',
    many_words: 'è composto da molte parole',
    port: 'indica una porta',
  },
  leadsOn: 'un altro link vi conduce',
  linkItself: 'il link',
  domainOfItself: 'il suo dominio',
  linkInText: 'un link nel contenuto',
  domainInText: 'il dominio di un link nel contenuto',
  subjects: {
    account: 'account o password',
    bank: 'banche o carte',
    parcels: 'pacchi',
    money: 'denaro',
    prizes: 'premi o regali',
    work: 'lavoro',
    investments: 'investimenti',
    authorities: 'tasse, multe o autorità',
    family: 'famiglia',
    phone: 'telefoni',
    computer: 'computer o dispositivi',
    love: 'amore o amicizia',
    loans: 'prestiti, debiti o assicurazioni',
    purchases: 'offerte o acquisti',
    security: 'sicurezza o codici',
    donations: 'donazioni o bisogno',
    calls: 'chiamate o messaggi',
  },
  signs: {
    link: 'un link',
    money: 'una somma di denaro',
    number: 'un numero lungo',
    mail_address: 'un indirizzo di posta',
  },
  weighed: (about, sign) => {
    const words = about.length === 0 ? [] : [`parole su ${about.join(' e su ')}`];
    const parts = [...words, ...(sign === undefined ? [] : [sign])];
    return `ciò che ha pesato di più per il modello: ${parts.join(' e ')}`;
  },
  reserved: (name, use) => {
    const why = {
      documentation: 'sono riservati alla documentazione e non portano a nessuna pagina su internet',
      tests: 'sono riservati ai test e non portano a nessuna pagina su internet',
      other: 'sono riservati e non portano a nessuna pagina su internet',
      local: 'esistono solo in una rete locale, di cui il modello non conosce le pagine',
      tor: 'portano alla rete Tor, di cui il modello non conosce le pagine',
    }[use];
    return `i nomi che finiscono in .${name} ${why}`;
  },
  indicators: {
    domain: 'un dominio',
    url: 'un URL',
    sha256: "l'hash di un file",
    package: "il nome del pacchetto di un'app",
    certificate: "il certificato di firma di un'app",
  },
  listed: (what, source, label) => `${source} elenca ${what}${label === undefined ? '' : ` per ${label}`}`,
  dualUse: {
    sent: ', uno strumento con usi legittimi, ma inviarlo in una conversazione è un trucco noto',
    page: ', uno strumento le cui pagine hanno visitatori legittimi',
    tool: ', uno strumento con usi legittimi, che un truffatore può aver chiesto',
  },
  knownThreat: ({ threatId, category, severity, devices, lastSeen }) =>
    `un indicatore di ${threatId} (${category}, gravità ${severity}, segnalato da ${devices} ${devices === 1 ? 'dispositivo' : 'dispositivi'} di questo cliente, visto per ultimo ${lastSeen})`,

  notAnalyzed: (type, extent, why) => {
    const [what, ending] = CONTENTS[type];
    const result =
      extent === 'none'
        ? `non ha potuto essere analizzat${ending}`
        : `è stat${ending} analizzat${ending} solo in parte`;
    return `${capital(what)} ${result}: ${why}. Questo non significa che non ci sia pericolo.`;
  },
  noThreat: (type, why) => `Nessuna minaccia rilevata in ${CONTENTS[type][0]}: ${why}.`,
  classified: (type, threat, why) => {
    const [what, ending] = CONTENTS[type];
    return `${capital(what)} è stat${ending} classificat${ending} come ${threat}: ${why}.`;
  },
  matched: (type, threat, why) => `${capital(CONTENTS[type][0])} corrisponde a ${threat}: ${why}.`,
  butBelow: (probability, threshold) =>
    `ma la probabilità totale di ${probability} è inferiore alla soglia di avviso di ${threshold}`,
  noIndicatorAndBelow: (probability, threshold) =>
    `nessun indicatore corrisponde, e la probabilità stimata di ${probability} è inferiore alla soglia di avviso di ${threshold}`,
  noIndicatorAndNothing: 'nessun indicatore corrisponde, e non è stato trovato nulla di sospetto',
  reached: (probability, threshold, verdict) =>
    `la probabilità stimata di ${probability} raggiunge la soglia di ${verdict === 'block' ? 'blocco' : 'avviso'} di ${threshold}`,
  enough: { block: 'questo basta per bloccare', warn: 'questo basta per avvisare' },
  inAddition: (reasons) => `inoltre, ${reasons}`,
};
