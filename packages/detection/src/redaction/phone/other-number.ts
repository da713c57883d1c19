import type { DigitGroups } from './digit-groups.ts';

/** Words for numbers that are not dialled, in the languages of the words for phones. */
const WORDS =
  'order|ticket|invoice|bill|receipt|booking|reservation|reference|ref|serial|s\\/?n|version|ver|firmware|build|release|isbn|issn|upc|ean|gtin|asin|sku|commit|revision|plz|zip|postcode|postal|train|zug|ice|ic|ec|re|rb|flight|tracking|shipment|parcel|waybill|awb|customer|client|member|contract|policy|claim|case|part|model|article|item|batch|lot|vat|tax|rechnung|rechnungsnummer|bestellung|bestellnummer|auftrag|auftragsnummer|kunde|kundennummer|kundennr|vorgang|vorgangsnummer|sendung|sendungsnummer|seriennummer|vertrag|vertragsnummer|artikel|artikelnummer|aktenzeichen|facture|commande|référence|dossier|colis|siret|factura|pedido|cliente|referencia|expediente|envío|fattura|ordine|riferimento|pratica|bestelling|factuur|klant|klantnummer|ordernummer|zamówienie|faktura|objednávka|beställning|fatura|sipariş|заказ|счёт|счет|договор';
const CALLED = new RegExp(
  `(?:^|[^\\p{L}\\p{N}])(?:${WORDS})(?:[\\s._-]{0,2}(?:nr|no|num|number|nummer|numéro|número|numero|numer|id|code|n°|nº|№))?[\\s.:#=_-]{1,3}(?:[A-Z]{1,3}\\s)?$`,
  'iu',
);
const REACH = 48;

/** Returns whether the word before a number says that it is the number of something else. */
export function isCalledOtherwise(text: string, start: number, from: number): boolean {
  return CALLED.test(text.slice(Math.max(from, start - REACH), start));
}

/**
 * Returns whether groups are dates, hours, or a list of small numbers: `03.07 - 17.07.15`, `08.00-12.00`, `01/2024-12/2024`,
 * `03 12 17 25 36 44`. The groups of a phone number have one sign between them.
 */
export function isTimeOrList(text: string, { starts, ends }: DigitGroups, to: number): boolean {
  const sizes = starts.map((start, group) => (ends[group] ?? start) - start);
  const isSmall = starts.every(
    (start, group) => sizes[group] === 2 || sizes[group] === 1 || isYear(text.slice(start, ends[group])),
  );
  if (!isSmall || starts.length < 3) return false;
  const signs = new Set(
    starts.slice(1).map((start, group) => text.slice(ends[group], start).replace(/\s+/g, ' ').trim() || ' '),
  );
  if (signs.size > 1) return true;
  // A sixth group of two digits makes a list of what could be a number of France.
  const isListed = /^[ .,/-]\d{1,2}(?!\d)/.test(
    text.slice(ends.at(-1), Math.min(to, (ends.at(-1) ?? 0) + 4)),
  );
  return starts.length > 5 || (starts.length === 5 && isListed);
}

function isYear(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits);
}
