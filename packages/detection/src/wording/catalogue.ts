import type { Content } from '../content.ts';
import type { IndicatorType } from '../indicators/indicator.ts';
import type { ThreatCategory, ThreatType } from '../threat-type.ts';
import type {
  ClauseCode,
  DualUse,
  KnownThreatClause,
  LinkTrait,
  ReservedUse,
  WordSign,
  WordSubject,
} from './clause.ts';

export type ContentType = Content['type'];

/**
 * Everything that a result says in one language. A language that lacks a sentence does not compile. Clauses have no
 * capital at the beginning and no full stop.
 */
export interface Catalogue {
  readonly decimalMark: '.' | ',';
  /** Between the last two of several clauses. */
  readonly and: string;
  /** Names of the types, which follow `classified`. */
  readonly threats: Readonly<Record<ThreatType, string>>;
  readonly categories: Readonly<Record<ThreatCategory, string>>;
  readonly severities: Readonly<Record<KnownThreatClause['severity'], string>>;
  readonly clauses: Readonly<Record<ClauseCode, string>>;
  /** What is said of a link or of its domain. */
  readonly links: Readonly<Record<Exclude<LinkTrait, 'leads_on'>, string>>;
  readonly leadsOn: string;
  readonly linkItself: string;
  readonly domainOfItself: string;
  readonly linkInText: string;
  readonly domainInText: string;
  readonly subjects: Readonly<Record<WordSubject, string>>;
  readonly signs: Readonly<Record<WordSign, string>>;
  /** At least one of the two is given. */
  readonly weighed: (about: readonly string[], sign: string | undefined) => string;
  readonly reserved: (name: string, use: ReservedUse) => string;
  readonly indicators: Readonly<Record<IndicatorType, string>>;
  readonly listed: (what: string, source: string, label: string | undefined) => string;
  /** Follows `listed`. */
  readonly dualUse: Readonly<Record<DualUse, string>>;
  readonly knownThreat: (
    threat: Omit<KnownThreatClause, 'code' | 'category' | 'severity'> & {
      readonly category: string;
      readonly severity: string;
    },
  ) => string;

  readonly notAnalyzed: (type: ContentType, extent: 'none' | 'part', why: string) => string;
  readonly noThreat: (type: ContentType, why: string) => string;
  readonly classified: (type: ContentType, threat: string, why: string) => string;
  readonly matched: (type: ContentType, threat: string, why: string) => string;
  /** Clauses in the sentences above. Figures are formatted. */
  readonly butBelow: (probability: string, threshold: string) => string;
  readonly noIndicatorAndBelow: (probability: string, threshold: string) => string;
  readonly noIndicatorAndNothing: string;
  readonly reached: (probability: string, threshold: string, verdict: 'warn' | 'block') => string;
  readonly enough: Readonly<Record<'warn' | 'block', string>>;
  readonly inAddition: (reasons: string) => string;
}
