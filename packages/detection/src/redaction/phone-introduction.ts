import { isSpace } from '../normalize/characters.ts';

const REACH = 32;

const WORDS = new Set(
  `tel tél telefon telefonnummer telephone téléphone telefono teléfono telefone telefoon telefono phone phones phoned call
  calls called caller calling callback dial dialed dialled mobile mobil mobilnummer cell cellphone handy handynummer móvil
  movil celular cellulare portable fax sms text texted whatsapp viber hotline appel appeler appelez llamar llame llamada
  ligue chiamare anruf anrufen rufnummer ring komórka komórkowy puhelin тел телефон звоните`.split(/\s+/),
);
const ENDINGS = ['电话', '電話', '手机', '手機', '전화', '携帯', 'هاتف'];

/**
 * Returns whether one of the four words before `start` announces a phone number: `Tel.`, `call me at`, `phone
 * is`.
 */
export function isIntroduced(text: string, from: number, start: number): boolean {
  let reach = Math.max(from, start - REACH);
  while (reach > from && reach < start && !isSpace(text.charCodeAt(reach - 1))) reach += 1;
  const before = text.slice(reach, start).toLowerCase();
  const words = before.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  if (words.slice(-4).some((word) => WORDS.has(word))) return true;
  const last = words.at(-1) ?? '';
  return ENDINGS.some((ending) => last.endsWith(ending));
}
