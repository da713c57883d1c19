import type { Database } from '../../database/index.ts';
import { type HoldingRule, Holdings } from '../../features/holdings/index.ts';
import { invitationHoldings } from '../../features/members/index.ts';
import { channelHoldings } from '../../features/notices/index.ts';
import { clientHoldings } from '../../features/oauth/index.ts';
import { signOnHoldings } from '../../features/sign-on/index.ts';
import { enrolmentHoldings, tokenHoldings } from '../../features/tokens/index.ts';
import { webhookHoldings } from '../../features/webhooks/index.ts';
import type { Clock } from '../../platform/clock.ts';

/** In the order in which their rows are locked: clients before tokens, and the end of the feed late. */
export const HOLDING_RULES: readonly HoldingRule[] = [
  signOnHoldings,
  clientHoldings,
  tokenHoldings,
  enrolmentHoldings,
  invitationHoldings,
  channelHoldings,
  webhookHoldings,
];

/** Connects what acts on the authority of people and programs with the features that store it. */
export function createHoldings(parts: { database: Database; clock: Clock }): Holdings {
  return new Holdings({ ...parts, rules: HOLDING_RULES });
}
