import type { Channel } from '../content.ts';
import { THREAT_TYPES, type ThreatCategory, type ThreatType } from '../threat-type.ts';
import type { Clause } from '../wording/clause.ts';
import type { Cues } from './find-cues.ts';
import { TACTICS, type Tactic } from './tactics.ts';

export interface TextKind {
  readonly threatType: ThreatType;
  readonly category: ThreatCategory;
  /** The strongest first. */
  readonly reasons: readonly Clause[];
}

/** Fewer points than this are chance: it takes one strong phrase or three weak ones. */
const MIN_POINTS = 3;
/** Points that a tactic adds to the types that depend on it. */
const TACTIC_POINTS: Partial<Record<Tactic, Partial<Record<ThreatType, number>>>> = {
  one_time_code: { otp_request: 8 },
  fee: { delivery_scam: 1, toll_or_fine_scam: 1, loan_scam: 1 },
  call_back: { call_back_scam: 2, tech_support_scam: 1, insurance_or_debt_scam: 1 },
  irrevocable_payment: { business_email_compromise: 1, extortion: 1, crypto_scam: 1 },
  secrecy: { business_email_compromise: 2 },
  elsewhere: { job_scam: 1, family_emergency: 1, romance_scam: 1 },
  credentials: { account_takeover: 1, bank_impersonation: 1 },
};

/**
 * Names the specific type of a message that a model found suspicious, with the reasons. A call is always a
 * phone scam, regardless of its topic.
 */
export function findTextKind(cues: Cues, channel: Channel | undefined): TextKind {
  const threatType = kindOf(cues) ?? (channel === 'call' ? 'robocall_scam' : 'suspicious_message');
  return {
    threatType,
    category: channel === 'call' ? 'phone_scam' : THREAT_TYPES[threatType].category,
    reasons: (Object.keys(TACTICS) as Tactic[])
      .filter((tactic) => cues.tactics.has(tactic))
      .map((code) => ({ code })),
  };
}

function kindOf({ tactics, topics }: Cues): ThreatType | undefined {
  const points = new Map(topics);
  for (const tactic of tactics) {
    for (const [type, extra] of Object.entries(TACTIC_POINTS[tactic] ?? {})) {
      const had = points.get(type as ThreatType) ?? 0;
      // A tactic alone names a type only if it defines it.
      if (had > 0 || tactic === 'one_time_code') points.set(type as ThreatType, had + extra);
    }
  }
  let best: ThreatType | undefined;
  for (const [type, sum] of points) {
    if (sum >= MIN_POINTS && sum > (best ? (points.get(best) ?? 0) : 0)) best = type;
  }
  return best;
}
