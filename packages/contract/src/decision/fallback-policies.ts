import type { Policy } from '../policy/schema.ts';
import type { Action } from '../schema/values.ts';
import { AGENT_POLICY_IDS, THREAT_CATEGORIES } from '../schema/vocabulary.ts';

/** The built-in policies never change. */
const EPOCH = '1970-01-01T00:00:00.000Z';

/** Decide on categories that no policy of the tenant names: warn from 0.5, block from 0.85. */
export const FALLBACK_POLICIES: readonly Policy[] = [builtIn('warn', 0.5), builtIn('block', 0.85)];

/** Named in a decision when not even a fallback policy names the category. */
export const LAST_RESORT: Policy = builtIn('allow', 0);

/** The policy id of status events, which decide nothing. */
export const STATUS_POLICY_ID = 'pol_agent-status';

function builtIn(action: Action, threshold: number): Policy {
  return {
    policy_id: AGENT_POLICY_IDS[action],
    tenant_id: 'tnt_agent',
    name: `Agent default: ${action}`,
    threat_categories: [...THREAT_CATEGORIES],
    action,
    confidence_threshold: threshold,
    enabled: true,
    version: 1,
    created_at: EPOCH,
    updated_at: EPOCH,
    archived_at: null,
  };
}
