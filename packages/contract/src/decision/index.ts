/**
 * The rule by which policies decide. Devices decide by it, and the service simulates by it. It loads no schemas.
 */
export { decide } from './decide.ts';
export type { Decision, DecisionInput, PolicySet } from './decision.ts';
export { FALLBACK_POLICIES, STATUS_POLICY_ID } from './fallback-policies.ts';
export { choosePolicy, type PolicyChoice, type RankedPolicies, rankPolicies } from './rank-policies.ts';
