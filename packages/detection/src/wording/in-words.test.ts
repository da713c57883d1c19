import { describe, expect, test } from 'vitest';
import type { Analysis } from '../analysis/analysis.ts';
import { THREAT_TYPES, type ThreatType } from '../threat-type.ts';
import { classify } from '../verdict/classify.ts';
import { CATALOGUES, inWords } from './in-words.ts';
import { LANGUAGES, type Language, toLanguage } from './language.ts';

const OTHERS = LANGUAGES.filter((language) => language !== 'en');
const model = { version: '7', thresholds: { warn: 0.4, block: 0.9 } };

function analysis(members: Partial<Analysis>): Analysis {
  return { type: 'text', keys: [], findings: [], reasons: [], ...members };
}

function finding(threatType: ThreatType, confidence: number) {
  const { category } = THREAT_TYPES[threatType];
  const clause = { code: 'words_resemble' } as const;
  return {
    detector: 'text_model',
    threatType,
    category,
    confidence,
    evidence: inWords(clause),
    clause,
  } as const;
}

/** Every sentence that texts and links can get. */
function sentencesIn(language: Language): string[] {
  const say = (read: Analysis) => classify(read, { matches: [], model, language }).details;
  const threats = Object.keys(THREAT_TYPES) as ThreatType[];
  const unread = (score?: number) =>
    say(analysis({ unsupported: { code: 'more_text' }, ...(score !== undefined && { score }) }));
  return [
    ...threats.map((threat) => say(analysis({ findings: [finding(threat, 0.5)] }))),
    ...threats.map((threat) =>
      say(
        analysis({
          findings: [{ ...finding(threat, 0.5), minimumVerdict: 'block' }],
          reasons: [{ code: 'haste' }],
        }),
      ),
    ),
    say(analysis({ findings: [finding('job_scam', 0.2)] })),
    say(analysis({ score: 0.02 })),
    say(analysis({})),
    unread(),
    unread(0.1),
  ];
}

test.each(LANGUAGES)('each result is one sentence in %s, with figures in its form', (language) => {
  for (const sentence of sentencesIn(language)) {
    expect(sentence).toMatch(/^\p{Lu}[^\n]*\.$/u);
    expect(sentence).not.toMatch(/undefined|\[object|\$\{/);
    expect(sentence).not.toMatch(language === 'en' ? /\d,\d/ : /\d\.\d/);
  }
});

test.each(OTHERS)('nothing in %s is left in English', (language) => {
  const { clauses, links } = CATALOGUES[language];
  const english = CATALOGUES.en;
  for (const [code, words] of Object.entries(clauses))
    expect(words, code).not.toBe(english.clauses[code as keyof typeof clauses]);
  for (const [trait, words] of Object.entries(links))
    expect(words, trait).not.toBe(english.links[trait as keyof typeof links]);
  const said = new Set(sentencesIn('en'));
  for (const sentence of sentencesIn(language)) expect(said).not.toContain(sentence);
});

test('a warning reads as a sentence', () => {
  const warned = analysis({
    findings: [finding('delivery_scam', 0.512)],
    reasons: [{ code: 'link', trait: 'short_link', isInText: true }, { code: 'fee' }, { code: 'haste' }],
  });
  const say = (language: Language) => classify(warned, { matches: [], model, language }).details;
  expect(say('de')).toBe(
    'Diese Nachricht wurde so eingestuft: Paket- oder Lieferbetrug; die geschätzte Wahrscheinlichkeit von 0,512 erreicht die Warnschwelle von 0,400; ein Link darin ist ein Kurzlink, der sein Ziel verbirgt, sie verlangt eine Zahlung und sie drängt zur Eile.',
  );
  expect(say('es')).toBe(
    'Se ha clasificado este mensaje como estafa de paquetes o entregas: la probabilidad estimada de 0,512 alcanza el umbral de aviso de 0,400; un enlace del contenido es un enlace corto que oculta su destino, pide un pago y mete prisa.',
  );
});

describe('clauses with parameters', () => {
  test.each([
    ['en', 'a domain listed by feed for Spy, a dual-use tool whose pages have legitimate visitors'],
    ['nl', "feed noemt een domein voor Spy, een hulpmiddel waarvan de pagina's legitieme bezoekers hebben"],
  ] as const)('keep the names that a list has in %s', (language, words) => {
    const clause = { code: 'listed', type: 'domain', source: 'feed', label: 'Spy', dualUse: 'page' } as const;
    expect(inWords(clause, language)).toBe(words);
  });

  test('name a threat of the tenant and when it was seen', () => {
    const clause = {
      code: 'known_threat',
      threatId: 'thr_1',
      category: 'phishing',
      severity: 'high',
      devices: 2,
      lastSeen: '2026-11-24T00:00:00.000Z',
    } as const;
    for (const language of LANGUAGES) {
      expect(inWords(clause, language)).toMatch(/thr_1 \(.*\b2 .*2026-11-24T00:00:00\.000Z\)$/);
    }
  });

  test('stay in English where they exist in English only', () => {
    expect(inWords('a document with macros', 'fr')).toBe('a document with macros');
  });
});

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt'],
  ['fr_CA.UTF-8', 'fr'],
  ['C.UTF-8', undefined],
  ['', undefined],
  ['sv', undefined],
])('the tag %s stands for %s', (tag, language) => {
  expect(toLanguage(tag)).toBe(language);
});
