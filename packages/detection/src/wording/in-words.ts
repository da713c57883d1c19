import type { Catalogue } from './catalogue.ts';
import type { Clause, LinkTrait } from './clause.ts';
import { DUTCH } from './dutch.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  nl: DUTCH,
  pt: PORTUGUESE,
};
/** Said of the domain, not of the link. */
const DOMAIN_TRAITS: ReadonlySet<LinkTrait> = new Set<LinkTrait>([
  'look_alike_letters',
  'brand_look_alike',
  'scam_suffix',
  'says_urgency',
  'says_money',
  'says_parcel',
  'many_parts',
  'many_words',
]);

/** Puts a clause into words. One that exists in English only stays in English. */
export function inWords(clause: Clause, language: Language = DEFAULT_LANGUAGE): string {
  if (typeof clause === 'string') return clause;
  const words = CATALOGUES[language];
  switch (clause.code) {
    case 'link':
      return linkInWords(clause, words);
    case 'weighed': {
      const sign = clause.sign && words.signs[clause.sign];
      return words.weighed(
        clause.subjects.map((subject) => words.subjects[subject]),
        sign,
      );
    }
    case 'reserved':
      return words.reserved(clause.name, clause.use);
    case 'listed': {
      const listed = words.listed(words.indicators[clause.type], clause.source, clause.label);
      return clause.dualUse === undefined ? listed : `${listed}${words.dualUse[clause.dualUse]}`;
    }
    case 'known_threat': {
      const category = words.categories[clause.category];
      return words.knownThreat({ ...clause, category, severity: words.severities[clause.severity] });
    }
    default:
      return words.clauses[clause.code];
  }
}

function linkInWords(
  { trait, isInText }: { readonly trait: LinkTrait; readonly isInText: boolean },
  words: Catalogue,
): string {
  if (trait === 'leads_on') return words.leadsOn;
  const ofDomain = isInText ? words.domainInText : words.domainOfItself;
  const ofLink = isInText ? words.linkInText : words.linkItself;
  return `${DOMAIN_TRAITS.has(trait) ? ofDomain : ofLink} ${words.links[trait]}`;
}
