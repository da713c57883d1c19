import { toNameKey } from '../../lexicon/name-key.ts';

/** What a word before a number says about it. */
export const ACCOUNT = 1;
export const CARD = 2;
export const NATIONAL = 4;
export const DOCUMENT = 8;
export const PLATE = 16;
export const BIRTH = 32;
export const DEVICE = 64;
export const MAC = 128;
export const WALLET = 256;
/** A number without check digits: the word decides. */
export const SOCIAL = 512;

/** Words, and phrases of two words; accents do not matter. Words with another common meaning count in a phrase only. */
const PHRASES_OF: readonly (readonly [number, string])[] = [
  [ACCOUNT, 'iban,kontonummer,rekeningnummer'],
  [
    CARD,
    `card,cards,karte,karten,kreditkarte,kartennummer,kreditkartennummer,carte,cartes,tarjeta,tarjetas,carta,cartão,cartões,
    creditcard,kaart,kaartnummer,kaartnr,karta,karty,karcie,kortnummer,kort,visa,mastercard,maestro,amex`,
  ],
  [
    NATIONAL,
    `ssn,itin,social security,social insurance,national insurance,nino,nhs,tfn,tax file,tax id,taxpayer,idnr,steuer id,steuerid,
    steueridentifikationsnummer,identifikationsnummer,steuernummer,steuerliche,sozialversicherungsnummer,svnr,versicherungsnummer,
    rentenversicherungsnummer,ahv,ahvnummer,sécurité sociale,nir,nif,contribuinte,codice fiscale,cpf,curp,cuil,
    bsn,burgerservicenummer,sofinummer,rijksregisternummer,pesel,nip,oib,jmbg,cnp,egn,rodné číslo,tckn,kimlik,aadhaar,aadhar,
    personnummer,kennitala,fødselsnummer,henkilötunnus,cpr,amka,teudat zehut`,
  ],
  [SOCIAL, 'ssn,itin,social security,social,cpr'],
  [
    DOCUMENT,
    `passport,passports,reisepass,reisepasses,reisepassnummer,passnummer,ausweis,ausweisnummer,ausweisnr,personalausweis,
    personalausweisnummer,passeport,pasaporte,passaporto,passaporte,paspoort,paspoortnummer,paszport,paszportu,identity card,
    id card,d identite,d identita,identiteitskaart,id kaart,dowód,dowodu,führerschein,führerscheinnummer,driving licence,
    driving license,driver license,drivers license,s license,s licence,driver licence,de conduire,de conducir,patente,
    de conducao,rijbewijs,rijbewijsnummer,prawo jazdy,prawa jazdy,de identidade,de cidadão`,
  ],
  [
    PLATE,
    `plate,plates,numberplate,kennzeichen,autokennzeichen,nummernschild,immatriculation,immatriculé,immatriculée,plaque,matrícula,
    matrículas,targa,targato,targata,kenteken,kentekennummer,nummerplaat,rejestracyjny,rejestracyjne,rejestracyjnych,
    rejestracyjnym,nr rej,registration number,registration no,car registration,vehicle registration,reg no,reg number,placa`,
  ],
  [
    BIRTH,
    `born,birth,birthdate,dob,geboren,geb,geburtsdatum,geboortedatum,geborene,geborener,geborenen,né le,née le,ne a,nee a,naissance,
    nacido,nacida,nacimiento,nació,nato il,nata il,nato a,nata a,nascita,nascido,nascida,nascimento,nasceu,urodzony,urodzona,
    urodzenia,ur,urodził,urodziła,född,fødselsdato,syntynyt`,
  ],
  [DEVICE, 'imei,imeisv,meid'],
  [MAC, 'mac,bssid'],
  [
    WALLET,
    `wallet,btc,bitcoin,eth,ethereum,usdt,usdc,sol,solana,phantom,crypto,krypto,address,adresse,dirección,indirizzo,endereço,
    adres,portefeuille,billetera,portafoglio,carteira,portfel`,
  ],
];

const CUES = createCues();
const BEGINNINGS = new Set(
  [...CUES.keys()].filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]),
);

function createCues(): ReadonlyMap<string, number> {
  const cues = new Map<string, number>();
  for (const [cue, list] of PHRASES_OF) {
    for (const phrase of list.split(',')) {
      const key = phrase.trim().split(' ').map(toNameKey).join(' ');
      cues.set(key, (cues.get(key) ?? 0) | cue);
    }
  }
  return cues;
}

/** Returns the bits of a word and of the phrase that it begins; 0 for any others. Both in the spelling of `toNameKey`. */
export function cueOf(word: string, next: string): number {
  const alone = CUES.get(word) ?? 0;
  return next === '' || !BEGINNINGS.has(word) ? alone : alone | (CUES.get(`${word} ${next}`) ?? 0);
}

const ENDINGS: readonly (readonly [string, number])[] = [
  ['身份证', NATIONAL],
  ['身份证号', NATIONAL],
  ['护照', DOCUMENT],
  ['护照号', DOCUMENT],
  ['卡号', CARD],
  ['车牌', PLATE],
  ['车牌号', PLATE],
  ['出生', BIRTH],
  ['出生日期', BIRTH],
  ['生日', BIRTH],
  ['生年月日', BIRTH],
];

/** Words of a text without spaces are not separated: only the end of a run of letters can be compared. */
export function cueOfEnding(letters: string): number {
  return ENDINGS.find(([ending]) => letters.endsWith(ending))?.[1] ?? 0;
}
