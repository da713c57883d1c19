import { createWordIndex, MIN_LETTERS } from './word-index.ts';

/**
 * Words in hosts and paths by their purpose. A word counts as a whole, and in hosts also inside longer words.
 */
const GROUPS = {
  credential:
    'login logon signin sign-in log-in signon sso auth authenticate authentication oauth verify verification verified verifica verificar verificacion confirm confirmation confirma validate validation valid password passwd pwd reset unlock ' +
    'anmelden anmeldung connexion connecter identifiant acceso ingresar entrar accedi accesso inloggen 2fa mfa otp token captcha recaptcha robot human turnstile challenge',
  account:
    'account accounts acct myaccount user users member members customer client clients kunde kunden kundenservice cliente clientes utente profile profil webmail mailbox mail email inbox owa exchange roundcube zimbra admin administrator portal dashboard session sess',
  urgency:
    'secure security secured safe safety protect protection alert alerts alerta notice notification notify warning suspend suspended suspension restricted restrict limited locked block blocked blocking unusual recovery recover restore resolve ' +
    'update updates updating upgrade renew renewal reactivate activate activation expire expired expiry terminate termination urgent action required pending approve approval review appeal violation infringement enforcement compliance infraction complaint report reports policy terms appeals copyright dispute case ticket claim claims attention sicherheit aktualisieren securite actualizar seguridad aggiornamento',
  money:
    'bank banking ebanking netbanking banco banca banque card cards carte karte tarjeta cartao credit debit payment payments pay paying payee pago pagos pagamento paiement zahlung billing bill invoice invoices factura facture fattura rechnung refund refunds rebate tax taxes remboursement rimborso reembolso wallet wallets transaction transfer transferencia wire cash loan loans funds finance financial crypto bitcoin token airdrop swap dapp defi stake staking exchange connect kyc seed phrase',
  parcel:
    'delivery deliver parcel package paket paquete colis pacco livraison lieferung tracking track trackid shipping shipment ship post postal customs redelivery reschedule courier envio entrega toll fine fines penalty fee fees',
  lure: 'free gift gifts giftcard bonus prize prizes winner win reward rewards promo offer offers oferta giveaway lucky bet casino slot slots hadiah resmi info survey spin jackpot robux vbucks skins nitro sale deal discount coupon coupons',
  help: 'support help helpdesk helpcenter service services servicio servizio serviceclient assistance assistenza contact center centre care desk team official online web home live chat it-support',
  document:
    'document documents doc docs pdf file files share shared sharing drive download view viewer fax voice voicemail voicenote message msg scan sign docusign e-sign signature office teams onedrive sharepoint excel adobe',
  site: 'blog news article articles about docs wiki forum forums community shop store product products category categories tag tags archive archives events jobs careers press download downloads gallery photo photos video videos music recipe recipes book books course courses tutorial tutorials guide research journal library museum university school college church hotel travel tours restaurant health medical clinic sports football games game art design studio photography portfolio api developer developers learn learning history science story stories review reviews issue index sitemap search',
  clone:
    'clone copy demo project task responsive frontend page website site app ui html css react test projet',
} as const;

/** The groups up to `lure`. */
const LURING_GROUPS = 6;
const WORDS: ReadonlyMap<string, number> = new Map(
  Object.values(GROUPS).flatMap((words, group) => words.split(' ').map((word) => [word, group] as const)),
);
/** Long enough to have a meaning inside a longer word, and in a group that phishing uses. */
const INSIDE = createWordIndex(
  [...WORDS].filter(([word, group]) => word.length >= MIN_LETTERS && group < LURING_GROUPS),
);

/** Returns the index of a word's group; undefined for any other word. */
export function wordGroup(word: string): number | undefined {
  return WORDS.get(word);
}

/** Calls back for the group of each known word inside a longer run of letters. */
export function groupsInside(run: string, found: (group: number) => void): void {
  INSIDE.forEachIn(run, found);
}
