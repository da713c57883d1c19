import { isUnspaced, LETTERS_OF_WORD } from '../../normalize/unspaced-script.ts';

/**
 * Words that hardly any sentence lacks, of the languages that the model has learned; English also as written
 * in text messages. Chinese, Japanese, Korean and Thai are known by their scripts.
 */
export const FUNCTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'the and you your to is in of for this that on with have are be it my me we our from at not will can i u ur a an he she they was has do if so or but as by up get no yes ok now just im its what how hi hello dear please call text reply free win won new all out go got know when where there'.split(
    ' ',
  ),
  es: 'el los las una para con por que su sus tu tiene esta este como pero mas ha nos del se le lo al si ya hola'.split(
    ' ',
  ),
  fr: 'le les des une pour avec vous votre nous est sont dans sur pas que qui ce cette je du au et bonjour merci mon ma mes tu te moi voici'.split(
    ' ',
  ),
  de: 'der die das und ist nicht sie ihr ihre ihren ich wir mit fur auf ein eine zu von im bitte haben wurde den dem hallo'.split(
    ' ',
  ),
  pt: 'os um uma voce seu sua com para nao em na por mais foi esta do da ola'.split(' '),
  it: 'il gli di che per con non una sono hai tuo tua suo della nel si ciao e'.split(' '),
  nl: 'het een en van je uw jij niet met voor op is dat dit heeft bent wij ons deze hoi'.split(' '),
  id: 'yang dan di ke dari anda kamu aku saya kami untuk dengan ini itu tidak sudah akan ada bisa atau jika pada ya kak hari jangan segera adalah masih lagi mau oleh agar tanpa sampai hanya lewat terima kasih bila per juga yg utk dgn tdk'.split(
    ' ',
  ),
  tr: 've bir bu icin ile icinde cok da de ben sen siz biz var yok mi mu ne gibi kadar olarak tarafindan lutfen merhaba degil son bugun hemen nolu olan daha sizin size tarihinde tarihi gunu nedeniyle iyi gunler selam tesekkurler saat en istiyorum yeni sayin ama tl'.split(
    ' ',
  ),
  pl: 'i w na z sie do nie jest ze to od za po jak twoja twoje twoj prosimy prosze aby juz czy moj dla lub przez jesli dzien ma masz oraz tylko moze mnie czesc zeby pan pani'.split(
    ' ',
  ),
  sv: 'och att det ar pa du din ditt dina vi jag inte har som med av for till kan den om eller ett en fran hej ska nu'.split(
    ' ',
  ),
  vi: 'la cua va cho toi ban khong duoc co den de anh chi em o nay mot trong voi vao tai quy khach vui long da se nhe con gui nhan lai ngay thang khi thi ai het xem nhung cac xin'.split(
    ' ',
  ),
  tl: 'ang ng sa mo ko na ay mga ito po para lang ka ako kung hindi may wag naman ba si yung nyo ngayon pa at kami namin ikaw kayo niyo ninyo kita'.split(
    ' ',
  ),
  ru: 'что вы это для вас ваш ваша мы как вам если или при все пожалуйста здравствуйте привет мне меня тебе к из уже только очень чтобы я ты в на не за по с и от до у руб нас они он она'.split(
    ' ',
  ),
  hi: 'है के का की में को से आप और हैं पर यह नहीं ने तो लिए अपने आपके आपका आपकी मैं हम भी कि हो hai hain aap aapka aapke aapki karo karein nahi chahiye'.split(
    ' ',
  ),
  ar: 'في على إلى الى عن أن ان لا هذا هذه مع أو كل لم قد تم أنت لك هل هو هي الذي التي من بدون قبل إن خلال عبر رقم يوم'.split(
    ' ',
  ),
};
const KNOWN_WORDS = new Set(Object.values(FUNCTION_WORDS).flat());
/** Cyrillic, Arabic and Devanagari letters, the scripts with spaces that the model has learned beside Latin. */
const LEARNED_SCRIPTS = [
  [0x400, 0x4ff],
  [0x620, 0x6ff],
  [0x900, 0x97f],
] as const;
/** A slogan of a few words may contain none of them. */
const MIN_WORDS = 10;

/** Returns whether the words are mostly in a script and of a language that the model knows. */
export function isKnownLanguage(words: readonly string[]): boolean {
  let spaced = 0;
  let unspaced = 0;
  let foreign = 0;
  let hasKnown = false;
  for (const word of words) {
    const code = word.charCodeAt(0);
    if ((code >= 0x61 && code <= 0x7a) || isLearned(code)) spaced += 1;
    else if (isUnspaced(code)) unspaced += 1;
    else if (code > 0x7f) foreign += Math.ceil(word.length / LETTERS_OF_WORD);
    hasKnown ||= KNOWN_WORDS.has(word);
  }
  const pairs = unspaced / LETTERS_OF_WORD;
  if (spaced + unspaced === 0 || foreign > spaced + pairs) return false;
  return spaced < MIN_WORDS || pairs > spaced || hasKnown;
}

function isLearned(code: number): boolean {
  return LEARNED_SCRIPTS.some(([first, last]) => code >= first && code <= last);
}
