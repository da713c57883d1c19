import {
  AUDIENCES,
  Audience,
  closed,
  type GuidanceCard,
  LOCALES,
  Locale,
  Severity,
  THREAT_CATEGORIES,
  ThreatCategory,
} from '@tps/contract';
import { type Static, Type } from 'typebox';
import { parse as parseYaml } from 'yaml';
import { compileBodyValidator } from '../../platform/http/validation.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { parseTimestamp } from '../../platform/time.ts';
import { parseCardBody } from './card-body.ts';
import { GuidanceCardError } from './guidance-card-error.ts';

/** Far more than any card needs: a card is one page of text. */
export const MAX_CARD_BYTES = 64 * 1024;

/** The subject of a card. Exactly one card exists for each combination. */
export type CardSubject = Pick<GuidanceCard, 'threat_category' | 'audience' | 'locale'>;

/** Lists every subject that needs a card. */
export function listSubjects(): CardSubject[] {
  return LOCALES.flatMap((locale) =>
    THREAT_CATEGORIES.flatMap((threat_category) =>
      AUDIENCES.map((audience) => ({ threat_category, audience, locale })),
    ),
  );
}

/** Returns the path of a subject's card, relative to the folder of the cards. */
export function cardPath({ threat_category, audience, locale }: CardSubject): string {
  return `${locale}/${threat_category}-${audience}.md`;
}

const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^\\S.*\\S$' });

const FrontMatter = closed({
  title: line(120),
  threat_category: ThreatCategory,
  severity_min: Severity,
  audience: Audience,
  locale: Locale,
  version: Type.Integer({ minimum: 1 }),
  reviewed: Type.String(),
  references: Type.Array(
    closed({
      title: line(200),
      // Neither port nor credentials: references are public web pages.
      url: Type.String({ maxLength: 500, pattern: '^https://[a-z0-9.-]+\\.[a-z]+(/[!-~]*)?$' }),
    }),
    { minItems: 2, maxItems: 10 },
  ),
});

const checkFrontMatter = compileBodyValidator(FrontMatter);

/**
 * Parses a card from Markdown with YAML front matter. Errors name it as `file`.
 * @throws GuidanceCardError for the first problem
 */
export function parseGuidanceCard(file: string, text: string): GuidanceCard {
  if (Buffer.byteLength(text) > MAX_CARD_BYTES) {
    throw new GuidanceCardError(file, `the file is larger than ${MAX_CARD_BYTES} bytes`);
  }
  const parts = /^---\r?\n(?<front>.*?)\r?\n---\r?\n(?<body>.*)$/s.exec(text)?.groups;
  if (!parts)
    throw new GuidanceCardError(file, 'the file must begin with front matter between two `---` lines');
  const { reviewed, ...front } = parseFrontMatter(file, parts.front ?? '');
  if (parseTimestamp(`${reviewed}T00:00:00Z`) === undefined) {
    throw new GuidanceCardError(file, 'reviewed must be a date such as 2026-03-02');
  }
  const { threat_category, audience, locale } = front;
  return {
    guidance_id: `gui_${threat_category}-${audience}-${locale}`,
    ...front,
    ...parseCardBody(file, { body: parts.body ?? '', locale }),
  };
}

function parseFrontMatter(file: string, text: string): Static<typeof FrontMatter> {
  let value: unknown;
  try {
    // Cards need no aliases, and aliases can expand a small text into a huge one.
    value = parseYaml(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new GuidanceCardError(file, `the front matter is not valid YAML: ${reason}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GuidanceCardError(file, 'the front matter must be a YAML mapping');
  }
  try {
    return checkFrontMatter(value);
  } catch (cause) {
    if (cause instanceof ServiceError) throw new GuidanceCardError(file, cause.message, { cause });
    throw cause;
  }
}
