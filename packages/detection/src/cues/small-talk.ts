import { parsePhrases } from './parse-phrases.ts';

/** Phrases of people who do not know each other yet, in the languages that the model has learned. */
const SMALL_TALK = parsePhrases(`
  how are you, how r u, how have you been, how is your day, how s your day, hows your day, how was your day,
  hope you are well, hope you re well, hope you are doing well, hope you re doing well, nice to meet you,
  where are you from, where do you live, what do you do, what are you up to, what s your name, may i know your name,
  is this, are you still, do you remember me, long time no see, wrong number, wrong person, sorry to bother,
  you seem, you look, nice photo, your profile, are you busy, are you free, can we be friends, be friends,
  it was fate,
  wie geht es dir, wie geht es ihnen, wie geht s, wie gehts, wie war dein tag, woher kommst du, wo wohnst du,
  was machst du, schon dich kennenzulernen, freut mich, falsche nummer, bist du noch, dein profil,
  erinnerst du dich, hast du zeit, schones foto,
  comment vas tu, comment allez vous, comment ca va, ca va, enchante, enchantee, tu viens d ou, d ou viens tu,
  que fais tu, tu fais quoi, mauvais numero, faux numero, ton profil, tu te souviens, belle photo,
  como estas, como esta usted, que tal, mucho gusto, encantado, encantada, de donde eres, a que te dedicas, que haces,
  numero equivocado, tu perfil, te acuerdas de mi, bonita foto,
  come stai, come sta, piacere di conoscerti, di dove sei, di cosa ti occupi, che fai, numero sbagliato,
  tuo profilo, ti ricordi di me, bella foto,
  hoe gaat het, hoe is het, alles goed, leuk je te ontmoeten, aangenaam, waar kom je vandaan, waar woon je,
  wat doe je, verkeerd nummer, je profiel, jouw profiel, herinner je je mij, mooie foto,
  como vai, tudo bem, tudo bom, prazer em conhecer, de onde es, de onde voce e, o que fazes, o que voce faz,
  numero errado, teu perfil, seu perfil, lembra de mim, lembras te de mim, bonita foto`);
const GREETINGS: ReadonlySet<string> = new Set(
  parsePhrases(
    `hi, hello, hey, hallo, hola, ciao, salut, bonjour, hoi, ola, oi, moin, coucou, salve, there, dear, you`,
  ),
);
/** Messengers to which a scammer moves a conversation. */
const MESSENGERS: ReadonlySet<string> = new Set(
  parsePhrases(
    'whatsapp, telegram, wechat, viber, zalo, kakaotalk, threema, snapchat, discord, zangi, teleguard',
  ),
);
const NUMBERS = parsePhrases(`
  your number, your phone number, my number is, my private number, give me your number, text me on, text me at,
  message me on, on signal, line id, deine nummer, deine handynummer, meine nummer ist, meine private nummer,
  ton numero, votre numero, mon numero est, tu numero, su numero, mi numero es, tuo numero, suo numero,
  mio numero e, je nummer, jouw nummer, mijn nummer is, teu numero, seu numero, meu numero e`);
const RELATIVES: ReadonlySet<string> = new Set(
  parsePhrases(`
    mum, mom, mummy, mommy, dad, daddy, grandma, grandpa, granny, nan, mama, papa, mutti, mami, papi, oma, opa, maman,
    mamie, papy, abuela, abuelo, mamma, nonna, nonno, mam, pap, mae, pai, vo, avo, avozinha`),
);
const NEW =
  /^(?:new|neue|neuen|nouveau|nuevo|nueva|nuovo|nieuwe?|novo|nova|temporary|other|andere|autre|otro|altro|outro)$/;
const NUMBER = /^(?:number|nummer|handynummer|numero|telefoonnummer|telefonnummer)$/;
/** "Mum has a new phone, this is her new number". */
const OF_OTHERS = new Set(
  'her his their ihre ihr seine sein son sa leur su sua suo loro haar zijn hun dele dela deles'.split(' '),
);
/** Messengers in scripts that separate no words, or whose words the model does not know, and numbers in Chinese words. */
const WAY_IN_SCRIPT =
  /телеграм|в[оа]т?[сц]ап|вайбер|微信|加微|电报|電報|텔레그램|카카오톡|카톡|라인|واتس|ت[يل]*جرام|تلغرام|व्हाट्स|टेलीग्राम|ไลน์|ライン|カカオ|テレグラム|[〇零一二三四五六七八九]{5}/u;
/** Words before a relative who is addressed. */
const LATEST_ADDRESS = 4;
/** Words between "new" and "number". */
const NEAR = 3;
/** "This is my new number", unlike "the new number of our hotline". */
const OWN = new Set(
  'my meine mein meiner mon ma mi mio mia mijn m meu minha this das dies c esto esta questo dit isto este'.split(
    ' ',
  ),
);

/** Whether a message is small talk, or only a greeting. */
export function isSmallTalk(words: readonly string[]): boolean {
  if (words.length > 0 && words.length <= 3 && words.every((word) => GREETINGS.has(word))) return true;
  return mentionsAny(words, SMALL_TALK);
}

/** Whether the words name another messenger, or ask for or offer a number. */
export function movesOn(words: readonly string[]): boolean {
  return words.some((word) => MESSENGERS.has(word)) || mentionsAny(words, NUMBERS);
}

/** Whether a text names a messenger in another script than Latin, or a number in Chinese words. */
export function namesWay(written: string): boolean {
  return WAY_IN_SCRIPT.test(written.toLowerCase());
}

/**
 * Whether someone who poses as a relative announces a new number: "Hi mum, this is my new number", also in two messages.
 * A relative who is only mentioned does not count.
 */
export function isRelativeWithNewNumber(said: readonly (readonly string[])[]): boolean {
  const isGreeted = said.some((words) => addressOf(words) > 0);
  return said.some(
    (words) => (isGreeted || addressOf(words) === 0) && words.some((_, at) => isNewNumber(words, at)),
  );
}

/** Returns the place of the relative whom a message addresses, -1 if there is none. */
function addressOf(words: readonly string[]): number {
  return words
    .slice(0, LATEST_ADDRESS)
    .findIndex((word, at) => RELATIVES.has(word) && (at === 0 || GREETINGS.has(words[at - 1] as string)));
}

function isNewNumber(words: readonly string[], at: number): boolean {
  if (!NUMBER.test(words[at] ?? '')) return false;
  const near = words.slice(Math.max(0, at - NEAR), at + 2);
  return (
    near.some((word) => NEW.test(word)) &&
    !near.some((word) => OF_OTHERS.has(word)) &&
    words.slice(Math.max(0, at - NEAR - 2), at).some((word) => OWN.has(word))
  );
}

function mentionsAny(words: readonly string[], phrases: readonly string[]): boolean {
  const said = ` ${words.join(' ')} `;
  return phrases.some((phrase) => said.includes(` ${phrase} `));
}
