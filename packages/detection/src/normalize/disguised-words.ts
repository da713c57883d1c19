/**
 * Words that senders disguise, without accents. A word with signs for letters that reads as none of these may be a
 * name or a handle, such as "mp3s" or "team4you".
 */
export const DISGUISED_WORDS: ReadonlySet<string> = new Set(
  (
    'account accounts action activate adult alert amazon apple approved award bank banking banned billing bitcoin block ' +
    'blocked bonus call card cards cash casino casinos chase chat cialis claim click code codes confirm congratulations ' +
    'contact cost credit crypto customer customs daily dating debt delivery deposit details discount dollar dollars ' +
    'download earn easy email expire expired expires facebook fast fedex fee fees fine free from gift google guaranteed ' +
    'help here hmrc home hours immediately income instagram instant insurance invest investment invoice iphone join limited ' +
    'link loan loans lock locked login lose loss lottery luck lucky message microsoft million mobile money mortgage ' +
    'netflix nude nudes number offer offers office online open order package parcel passcode password passwords pay ' +
    'payment payments paypal penis phone pills please porn post postal prize prizes profit profits promo redelivery ' +
    'refund refunds reply restore reward rewards rolex royal sale secure security selected sell send service sex sexy ' +
    'shipping software stop subscription support suspended suspension tax text this today token track transaction transfer ' +
    'unlock unusual update updated urgent user username verification verify viagra video visit voucher wallet warning ' +
    'webcam weight whatsapp win winner winning won work xanax you your ' +
    'konto passwort bestatigen gewinn gewonnen kostenlos sofort geld rechnung sicherheit gesperrt ' +
    'compte gratuit gagne argent cliquez urgence confirmez cuenta gratis dinero premio verifique urgente bloqueada ' +
    'conto soldi verifica bloccato rekening wachtwoord geblokkeerd betaal conta dinheiro senha bloqueada'
  ).split(' '),
);
