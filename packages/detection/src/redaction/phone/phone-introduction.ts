import { isLetter, isSpace } from '../../normalize/characters.ts';

/** An introduction is at most this far before the number. */
const REACH = 32;
const MAX_WORDS = 4;

const WORDS = new Set(
  `tel tél telefon telefonnummer telephone téléphone telefono teléfono telefone telefoon telefono phone phones phoned call
  calls called caller calling callback dial dialed dialled mobile mobil mobilnummer cell cellphone handy handynummer móvil
  movil celular cellulare portable fax sms text texted whatsapp viber hotline appel appeler appelez llamar llame llamada
  ligue chiamare anruf anrufen rufnummer ring komórka komórkowy puhelin тел телефон звоните`.split(/\s+/),
);
const ENDINGS = ['电话', '電話', '手机', '手機', '전화', '携帯', 'هاتف'];

/**
 * Returns the last position at which a number counts as introduced by one of the four words before `position`:
 * `Tel.`, `call me at`, `phone is`. Without such a word it is before `from`. Between `position` and the number
 * must be no letter.
 */
export function introductionReach(text: string, from: number, position: number): number {
  const start = Math.max(from, position - REACH);
  let end = position;
  for (let words = 0; words < MAX_WORDS; words += 1) {
    while (end > start && !isLetter(text.charCodeAt(end - 1))) end -= 1;
    let wordStart = end;
    while (wordStart > start && isLetter(text.charCodeAt(wordStart - 1))) wordStart -= 1;
    if (wordStart === end) break;
    const word = text.slice(wordStart, end).toLowerCase();
    if (WORDS.has(word) || (words === 0 && ENDINGS.some((ending) => word.endsWith(ending)))) {
      return reachOf(text, wordStart, from);
    }
    end = wordStart;
  }
  return from - 1;
}

/** The whole run without spaces must be in reach. */
function reachOf(text: string, wordStart: number, from: number): number {
  let start = wordStart;
  while (start > from && wordStart - start <= REACH && !isSpace(text.charCodeAt(start - 1))) start -= 1;
  return start + REACH;
}
