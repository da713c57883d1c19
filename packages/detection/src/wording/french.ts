import type { Catalogue, ContentType } from './catalogue.ts';

const CONTENTS: Readonly<Record<ContentType, readonly [what: string, ending: '' | 'e']>> = {
  text: ['ce message', ''],
  url: ['ce lien', ''],
  file: ['ce fichier', ''],
  media: ['cette image ou cet enregistrement', ''],
  app: ['cette application', 'e'],
};

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export const FRENCH: Catalogue = {
  decimalMark: ',',
  and: ' et ',
  threats: {
    delivery_scam: 'arnaque au colis ou à la livraison',
    bank_impersonation: "usurpation d'une banque ou d'un service de paiement",
    account_takeover: "tentative d'obtenir des identifiants",
    otp_request: "demande d'un code à usage unique",
    toll_or_fine_scam: "fausse demande de péage, d'amende ou de stationnement",
    tax_scam: "usurpation des impôts ou d'une administration",
    credential_phishing: 'page qui en imite une autre pour recueillir des identifiants',
    phishing_link: "lien semblable à ceux de pages d'hameçonnage",
    tech_support_scam: 'arnaque au support technique',
    call_back_scam: 'arnaque au rappel',
    robocall_scam: 'appel frauduleux',
    insurance_or_debt_scam: "fausse offre d'assurance, de garantie ou d'allègement de dettes",
    family_emergency: "usurpation d'un proche en difficulté",
    romance_scam: "approche d'un inconnu qui gagne la confiance pour une arnaque",
    crypto_scam: 'arnaque aux cryptomonnaies ou aux placements',
    prize_scam: 'faux gain, cadeau ou remboursement',
    job_scam: "fausse offre d'emploi",
    loan_scam: 'faux prêt ou demande de frais préalables',
    charity_scam: 'faux appel aux dons',
    extortion: 'chantage',
    business_email_compromise: "usurpation d'un responsable ou d'un fournisseur",
    marketplace_scam: "arnaque à l'achat, à la vente ou à la location",
    unwanted_advertising: 'publicité trompeuse',
    suspicious_message: 'message rédigé comme des arnaques connues',
    malware: 'logiciel malveillant',
    stalkerware: 'logiciel qui surveille une personne en secret',
    spyware: 'logiciel espion',
    suspicious_app: 'application qui pourrait espionner ou prendre le contrôle',
    disguised_file: 'fichier déguisé en un autre type',
    remote_access_tool: "outil de contrôle à distance d'un appareil",
    generated_media: 'contenu déclaré comme généré',
    known_indicator: 'un indicateur connu',
  },
  categories: {
    phone_scam: 'arnaque téléphonique',
    social_engineering: 'ingénierie sociale',
    malicious_app: 'application malveillante',
    phishing: 'hameçonnage',
    remote_control: 'contrôle à distance',
    deepfake: 'deepfake',
  },
  severities: { low: 'faible', medium: 'moyenne', high: 'élevée', critical: 'critique' },
  clauses: {
    one_time_code: 'il demande un code à usage unique',
    remote_access: "il demande d'installer un programme ou de donner accès à l'appareil",
    irrevocable_payment: 'il demande un paiement difficile à annuler',
    credentials: 'il demande des identifiants ou des données personnelles ou bancaires',
    sign_in: 'il demande de se connecter',
    fee: 'il demande un paiement',
    call_back: "il demande d'appeler un numéro ou d'appuyer sur une touche",
    secrecy: 'il demande le secret',
    elsewhere: 'il déplace la conversation vers une autre messagerie ou un autre numéro',
    donation: 'il demande un don',
    extortion: 'il menace de publier ou de transmettre quelque chose de privé',
    unreachable: "l'expéditeur dit ne pas pouvoir parler",
    new_number: "l'expéditeur affirme avoir un nouveau numéro ou un téléphone cassé ou perdu",
    blocked: "il affirme qu'un compte, une carte, un numéro ou un service est ou sera bloqué",
    threat: "il menace de poursuites, d'une pénalité ou d'une autre perte",
    haste: 'il presse le destinataire',
    payment_problem: "il affirme qu'une somme est impayée ou qu'un paiement a échoué",
    delivery_problem: "il affirme qu'un colis est retenu, en attente ou n'a pas pu être livré",
    unknown_activity:
      'il signale une connexion, une commande ou un virement que la personne ne connaît peut-être pas',
    virus: "il affirme qu'un appareil ou un compte est infecté ou piraté",
    prize: "il offre ou promet un gain, un cadeau ou de l'argent",
    earnings: 'il promet des revenus, un bénéfice ou un travail facile',
    offer: 'il propose un crédit, une assurance, un allègement de dettes ou un prix plus bas',
    meeting: 'il est rédigé comme une conversation personnelle ou amoureuse',
    open_link: "il demande d'ouvrir un lien",
    vague_greeting: 'il emploie une formule de salutation générale',
    disguised_confusable: "il contient des lettres d'une autre écriture qui imitent les lettres latines",
    disguised_invisible: 'il contient des caractères invisibles',
    disguised_spaced: 'il sépare les lettres des mots',
    disguised_leetspeak: 'il remplace des lettres par des chiffres et des signes',
    words_resemble: "ses mots ressemblent à ceux d'arnaques connues",
    words_occur: 'certains de ses mots figurent aussi dans des arnaques',
    words_resemble_together: "avec les messages précédents, ses mots ressemblent à ceux d'arnaques connues",
    words_of_known_sender: "ses mots ressemblent à ceux d'arnaques connues, mais son expéditeur est connu",
    new_number_of_relative: "quelqu'un se présente comme un proche qui a un nouveau numéro",
    stranger_moves_on:
      'un expéditeur inconnu bavarde et veut continuer sur une autre messagerie ou un autre numéro',
    stranger_wants_value:
      "un expéditeur inconnu bavarde et demande de l'argent, un code ou des données personnelles, ou promet des revenus",
    link_resembles: "son URL ressemble à celles de pages d'hameçonnage connues",
    link_has_features: "son URL a certains traits de pages d'hameçonnage",
    counterfeit_domain: "un domaine écrit une marque connue avec des lettres d'une autre écriture",
    no_model: "aucun modèle n'est chargé",
    unknown_words: 'aucun de ses mots ne figure dans le modèle',
    more_links: 'le contenu a plus de liens que ceux qui sont lus',
    more_text: "le contenu est trop long pour être lu jusqu'à la fin",
    empty_link: "ce n'est pas l'URL d'une page web",
    no_page: "il n'ouvre pas de page web",
    device_itself: "le lien mène à l'appareil lui-même",
    local_address:
      "le lien mène à une adresse du réseau de l'appareil, dont le modèle ne connaît pas les pages",
    no_dot: "un nom d'hôte sans point n'existe que dans un réseau local",
    no_public_suffix: "le nom d'hôte n'a pas de suffixe public et ne mène donc à aucune page sur internet",
    unknown_permissions: 'aucun indicateur ne la cite, et ses autorisations sont inconnues',
  },
  links: {
    look_alike_letters: "contient des lettres d'une autre écriture qui imitent les lettres latines",
    user_name: "cache son domaine derrière un nom d'utilisateur",
    ip_address: 'mène à une adresse IP au lieu d’un domaine',
    brand_odd_suffix: "utilise le nom d'une marque connue sous un suffixe qu'elle n'emploie pas",
    brand_in_name: "nomme une marque connue dans un domaine qui n'est pas à elle",
    brand_in_subdomain: "place une marque connue devant un domaine qui n'est pas à elle",
    brand_look_alike: "ressemble au nom d'une marque connue",
    brand_in_path: "nomme une marque connue dans le chemin d'un autre domaine",
    short_link: 'est un lien court qui cache sa destination',
    messenger: 'ouvre une discussion dans une messagerie',
    open_hosting: 'est sur un hébergement où chacun peut publier',
    hosted_document: 'est une page que chacun peut créer chez un grand fournisseur',
    scam_suffix: 'a un suffixe que les arnaques emploient souvent',
    says_sign_in: "parle de connexion ou de vérification d'identité",
    says_urgency: "parle de sécurité ou d'urgence",
    says_money: "parle d'argent",
    says_parcel: 'parle de colis ou de frais',
    mail_address: 'contient une adresse mail',
    odd_folder: "est dans un dossier d'un site qui ne devrait pas contenir de pages",
    many_parts: 'a beaucoup de parties',
    many_words: 'se compose de beaucoup de mots',
    port: 'indique un port',
  },
  leadsOn: 'un autre lien y conduit',
  linkItself: 'il',
  domainOfItself: 'son domaine',
  linkInText: 'un lien dans ce contenu',
  domainInText: "le domaine d'un lien dans ce contenu",
  subjects: {
    account: 'un compte ou un mot de passe',
    bank: 'une banque ou une carte',
    parcels: 'des colis',
    money: "l'argent",
    prizes: 'des gains ou des cadeaux',
    work: 'le travail',
    investments: 'des placements',
    authorities: 'les impôts, des amendes ou des administrations',
    family: 'la famille',
    phone: 'un téléphone',
    computer: 'un ordinateur ou un appareil',
    love: "l'amour ou l'amitié",
    loans: 'des prêts, des dettes ou une assurance',
    purchases: 'des offres ou des achats',
    security: 'la sécurité ou un code',
    donations: 'des dons ou une détresse',
    calls: 'des appels ou des messages',
  },
  signs: {
    link: 'un lien',
    money: "une somme d'argent",
    number: 'un long numéro',
    mail_address: 'une adresse mail',
  },
  weighed: (about, sign) => {
    const words = about.length === 0 ? [] : [`des mots sur ${about.join(' et sur ')}`];
    const parts = [...words, ...(sign === undefined ? [] : [sign])];
    return `ce qui a le plus compté pour le modèle : ${parts.join(' et ')}`;
  },
  reserved: (name, use) => {
    const why = {
      documentation: 'sont réservés à la documentation et ne mènent à aucune page sur internet',
      tests: 'sont réservés aux tests et ne mènent à aucune page sur internet',
      other: 'sont réservés et ne mènent à aucune page sur internet',
      local: "n'existent que dans un réseau local, dont le modèle ne connaît pas les pages",
      tor: 'mènent au réseau Tor, dont le modèle ne connaît pas les pages',
    }[use];
    return `les noms en .${name} ${why}`;
  },
  indicators: {
    domain: 'un domaine',
    url: 'une URL',
    sha256: "l'empreinte d'un fichier",
    package: "le nom de paquet d'une application",
    certificate: "le certificat de signature d'une application",
  },
  listed: (what, source, label) => `${source} cite ${what}${label === undefined ? '' : ` pour ${label}`}`,
  dualUse: {
    sent: ', un outil aux usages légitimes, mais dont l’envoi dans une conversation est une ruse connue',
    page: ', un outil dont les pages ont des visiteurs légitimes',
    tool: ", un outil aux usages légitimes, qu'un escroc peut avoir demandé",
  },
  knownThreat: ({ threatId, category, severity, devices, lastSeen }) =>
    `un indicateur de ${threatId} (${category}, gravité ${severity}, signalé par ${devices} ${devices === 1 ? 'appareil' : 'appareils'} de ce client, vu en dernier ${lastSeen})`,

  notAnalyzed: (type, extent, why) => {
    const [what, ending] = CONTENTS[type];
    const result =
      extent === 'none' ? `n'a pas pu être analysé${ending}` : `n'a été analysé${ending} qu'en partie`;
    return `${capital(what)} ${result} : ${why}. Cela ne signifie pas l'absence de danger.`;
  },
  noThreat: (type, why) => `Aucune menace n'a été détectée dans ${CONTENTS[type][0]} : ${why}.`,
  classified: (type, threat, why) => {
    const [what, ending] = CONTENTS[type];
    return `${capital(what)} a été classé${ending} ainsi : ${threat} ; ${why}.`;
  },
  matched: (type, threat, why) => `${capital(CONTENTS[type][0])} correspond à ${threat} : ${why}.`,
  butBelow: (probability, threshold) =>
    `mais la probabilité totale de ${probability} est inférieure au seuil d'avertissement de ${threshold}`,
  noIndicatorAndBelow: (probability, threshold) =>
    `aucun indicateur ne correspond, et la probabilité estimée de ${probability} est inférieure au seuil d'avertissement de ${threshold}`,
  noIndicatorAndNothing: "aucun indicateur ne correspond, et rien de suspect n'a été trouvé",
  reached: (probability, threshold, verdict) =>
    `la probabilité estimée de ${probability} atteint le seuil ${verdict === 'block' ? 'de blocage' : "d'avertissement"} de ${threshold}`,
  enough: {
    block: 'cela suffit pour bloquer',
    warn: 'cela suffit pour avertir',
  },
  inAddition: (reasons) => `de plus, ${reasons}`,
};
