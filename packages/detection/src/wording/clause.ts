import type { Tactic } from '../cues/tactics.ts';
import type { IndicatorType } from '../indicators/indicator.ts';
import type { Disguises } from '../normalize/normalize-text.ts';
import type { ThreatCategory } from '../threat-type.ts';

/** What is typical of phishing in a link. */
export type LinkTrait =
  | 'look_alike_letters'
  | 'user_name'
  | 'ip_address'
  | 'brand_odd_suffix'
  | 'brand_in_name'
  | 'brand_in_subdomain'
  | 'brand_look_alike'
  | 'brand_in_path'
  | 'short_link'
  | 'messenger'
  | 'open_hosting'
  | 'hosted_document'
  | 'scam_suffix'
  | 'says_sign_in'
  | 'says_urgency'
  | 'says_money'
  | 'says_parcel'
  | 'mail_address'
  | 'odd_folder'
  | 'many_parts'
  | 'many_words'
  | 'port'
  | 'leads_on';

/** What words are about. */
export const WORD_SUBJECTS = [
  'account',
  'bank',
  'parcels',
  'money',
  'prizes',
  'work',
  'investments',
  'authorities',
  'family',
  'phone',
  'computer',
  'love',
  'loans',
  'purchases',
  'security',
  'donations',
  'calls',
] as const;
export type WordSubject = (typeof WORD_SUBJECTS)[number];

export type WordSign = 'link' | 'money' | 'number' | 'mail_address';

/** Clauses without parameters. */
export type ClauseCode =
  | Tactic
  | `disguised_${keyof Disguises}`
  | 'words_resemble'
  | 'words_occur'
  | 'words_resemble_together'
  | 'words_of_known_sender'
  | 'new_number_of_relative'
  | 'stranger_moves_on'
  | 'stranger_wants_value'
  | 'link_resembles'
  | 'link_has_features'
  | 'counterfeit_domain'
  | 'no_model'
  | 'unknown_words'
  | 'more_links'
  | 'more_text'
  | 'empty_link'
  | 'no_page'
  | 'device_itself'
  | 'local_address'
  | 'no_dot'
  | 'no_public_suffix'
  | 'unknown_permissions';

/** For what a name that is not on the internet is reserved. */
export type ReservedUse = 'documentation' | 'tests' | 'other' | 'local' | 'tor';

/** How a tool that also has legitimate uses was met: sent in a conversation, as a link to its page, or itself. */
export type DualUse = 'sent' | 'page' | 'tool';

/** An indicator that a list names. */
interface ListedClause {
  readonly code: 'listed';
  readonly type: IndicatorType;
  readonly source: string;
  readonly label?: string;
  readonly dualUse?: DualUse;
}

/** A threat that devices of the tenant have reported. */
export interface KnownThreatClause {
  readonly code: 'known_threat';
  readonly threatId: string;
  readonly category: ThreatCategory;
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
  readonly devices: number;
  readonly lastSeen: string;
}

/**
 * A reason before it is put into words: a code with its parameters, or a clause that exists in English only (about
 * files, permissions and scanners). Plain data, so that a worker can return it.
 */
export type Clause =
  | string
  | { readonly code: ClauseCode }
  /** `isInText`: the link is one in a text, not the content itself. */
  | { readonly code: 'link'; readonly trait: LinkTrait; readonly isInText: boolean }
  | { readonly code: 'weighed'; readonly subjects: readonly WordSubject[]; readonly sign?: WordSign }
  | { readonly code: 'reserved'; readonly name: string; readonly use: ReservedUse }
  | ListedClause
  | KnownThreatClause;
