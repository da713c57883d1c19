/**
 * Words that hardly any sentence lacks, of the languages that the model has learned; English also as written
 * in text messages.
 */
export const FUNCTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'the and you your to is in of for this that on with have are be it my me we our from at not will can i u ur a an he she they was has do if so or but as by up get no yes ok now just im its what how hi hello dear please call text reply free win won new all out go got know when where there'.split(
    ' ',
  ),
  es: 'el los las una para con por que su sus tu tiene esta este como pero mas ha nos del se le lo al si ya hola'.split(
    ' ',
  ),
  fr: 'le les des une pour avec vous votre nous est sont dans sur pas que qui ce cette je du au et bonjour merci'.split(
    ' ',
  ),
  de: 'der die das und ist nicht sie ihr ihre ihren ich wir mit fur auf ein eine zu von im bitte haben wurde den dem hallo'.split(
    ' ',
  ),
  pt: 'os um uma voce seu sua com para nao em na por mais foi esta do da ola'.split(' '),
  it: 'il gli di che per con non una sono hai tuo tua suo della nel si ciao e'.split(' '),
  nl: 'het een en van je uw jij niet met voor op is dat dit heeft bent wij ons deze hoi'.split(' '),
};
const KNOWN_WORDS = new Set(Object.values(FUNCTION_WORDS).flat());
/** Letters of a word in the scripts without spaces. */
const FOREIGN_WORD = 3;
/** A slogan of a few words may contain none of them. */
const MIN_WORDS = 10;

/** Returns whether the words are mostly in Latin letters and of a language that the model knows. */
export function isKnownLanguage(words: readonly string[]): boolean {
  let latin = 0;
  let foreign = 0;
  let known = 0;
  for (const word of words) {
    const code = word.charCodeAt(0);
    if (code >= 0x61 && code <= 0x7a) latin += 1;
    else if (code > 0x7f) foreign += Math.ceil(word.length / FOREIGN_WORD);
    if (KNOWN_WORDS.has(word)) known += 1;
  }
  if (latin === 0 || foreign > latin) return false;
  return latin < MIN_WORDS || known > 0;
}
