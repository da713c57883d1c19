/**
 * Relatives whom a message addresses, in the languages that the model has learned beside those of `small-talk.ts`, and in
 * forms that the words there do not have.
 */
const RELATIVES =
  'maman|mamie|papa|papy|mamá|papá|abuela|abuelo|mamma|papà|nonna|nonno|mãe|pai|vó|vô|avó|avô|mama|mam|mum|mom|dad|pap|oma|opa|mutti|anne|annecim|annem|baba|babam|babacım|abla|мама|мам|мамочка|папа|пап|бабушка|дедушка|мамо|тату|mamo|mamusiu|tato|babciu|dziadku|mormor|farmor|pappa|bu|ibu|ayah|ma|pa|nay|nanay|tatay|mẹ ơi|mẹ|bố ơi|bố|má|ba ơi|मम्मी|माँ|मां|पापा|mummy|papa ji|ماما|يمه|أمي|بابا|أبي|お母さん|母さん|ママ|お父さん|父さん|パパ|妈妈|妈|爸爸|爸|媽媽|媽|엄마|아빠|어머니|아버지|할머니|แม่|พ่อ|คุณแม่|ยาย';
const GREETINGS =
  'hi|hey|hello|hallo|hoi|coucou|salut|bonjour|bonsoir|hola|buenas|ciao|ehi|oi|olá|ola|merhaba|selam|cześć|czesc|hej|hejsan|привет|здравствуй|привіт|halo|hai|chào|नमस्ते|مرحبا|السلام عليكم|你好|안녕|สวัสดี';
/** The announcement of the own number, not of that of others. */
const ANNOUNCED = [
  "j'ai changé de num|j ai changé de num|mon nouveau num|changé de portable|mon num(?:éro)? a changé|nouveau numéro d'urgence",
  'mudei de número|mudei o número|troquei de número|troquei de celular|meu (?:novo número|número novo)|meu novo contato',
  'he cambiado de número|cambié de número|mi (?:nuevo número|número nuevo)',
  'ho cambiato numero|cambiato il numero|il mio nuovo numero|mio numero nuovo',
  'meine neue nummer|eine neue nummer|nummer gewechselt|neue handynummer',
  'mijn nieuwe nummer|een nieuw nummer|ander nummer gekregen',
  'yeni numaram|numaram değişti|numaramı değiştirdim|bu numaradan yaz|yeni hattım',
  'мой новый номер|новый номер запиши|запиши новый номер|сменила? номер|с нового номера',
  'мій новий номер|змінила? номер|з нового номера',
  'mój nowy numer|zmieniłe?a?m numer|z nowego numeru|to mój numer',
  'mitt nya nummer|bytt nummer|nytt nummer',
  'nomor baruku|nomor baru aku|nomor baru saya|ganti nomor',
  'số mới của con|số mới của em|con đổi số|đổi số rồi',
  'bagong number|bago kong number|nagpalit (?:na )?ako ng number',
  'मेरा नया नंबर|नंबर बदल|naya number|number badal',
  'رقمي الجديد|غيرت رقمي|رقم جديد لي',
  'これが新しい番号|新しい番号だよ|新しい番号です|番号変わった|番号変えた|番号を変えた',
  '我的新号码|我换号码|换号码了|换号了|我的新號碼|換號碼了',
  '새 번호야|번호 바꿨|번호 바뀌었|새 번호예요',
  'เบอร์ใหม่|เปลี่ยนเบอร์',
].join('|');
const ADDRESSED = toPattern(
  `^[\\s"'!¡,.]{0,4}(?:(?:${GREETINGS})[\\s,!.、，]{1,3}){0,2}(?:${RELATIVES})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Devanagari}\\p{Script=Arabic}])`,
);
const NEW_NUMBER = toPattern(ANNOUNCED);
/** A longer message says more than a new number. */
const MAX_LENGTH = 400;

/** Whether a message addresses a relative and announces a new number: `Anne, yeni numaram bu`. */
export function announcesNewNumber(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const plain = withoutAccents(text);
  return ADDRESSED.test(plain) && NEW_NUMBER.test(plain);
}

/** People leave accents out in such messages. */
function withoutAccents(text: string): string {
  return text.toLowerCase().replaceAll('\u2019', "'").normalize('NFD').replace(/\p{M}/gu, '');
}

function toPattern(written: string): RegExp {
  return new RegExp(withoutAccentsInPattern(written), 'u');
}

/** The classes of scripts keep their capitals. */
function withoutAccentsInPattern(pattern: string): string {
  return pattern
    .split(/(\\p\{[^}]*\})/)
    .map((part) => (part.startsWith('\\p{') ? part : withoutAccents(part)))
    .join('');
}
