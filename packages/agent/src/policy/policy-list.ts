import type { Policy } from '@tps/contract';
import { ACTIONS, MAX_POLICIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';

const MAX_CATEGORIES = 100;
const MAX_TEXT_LENGTH = 200;

/** The tenant's policies as the service sent them, and when. */
export interface PolicyList {
  readonly policies: readonly Policy[];
  /** Of the answer; undefined when the whole list has to be fetched the next time. */
  readonly etag: string | undefined;
  /** RFC 3339. */
  readonly confirmedAt: string;
}

/**
 * Parses a list of policies from outside: the service, or a file that may have been changed. Unknown members are left
 * out. Undefined unless everything that a decision depends on is valid.
 */
export function parsePolicies(value: unknown): readonly Policy[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_POLICIES) return undefined;
  const policies = value.map(parsePolicy);
  return policies.every((policy) => policy !== undefined) ? policies : undefined;
}

/** Parses what was stored with `JSON.stringify`. Undefined when it is incomplete or invalid. */
export function parsePolicyList(text: string): PolicyList | undefined {
  const { policies: stored, etag, confirmedAt } = parseObject(text);
  const policies = parsePolicies(stored);
  if (policies === undefined || typeof confirmedAt !== 'string' || Number.isNaN(Date.parse(confirmedAt))) {
    return undefined;
  }
  return { policies, etag: isText(etag) ? etag : undefined, confirmedAt };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function parsePolicy(value: unknown): Policy | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const policy = value as Policy;
  const { policy_id, tenant_id, name, created_at, updated_at, archived_at } = policy;
  const isValid =
    isText(policy_id) &&
    /^pol_[A-Za-z0-9_-]{1,64}$/.test(policy_id) &&
    [tenant_id, name, created_at, updated_at].every(isText) &&
    (archived_at === null || isText(archived_at)) &&
    isRule(policy);
  if (!isValid) return undefined;
  const { threat_categories, action, confidence_threshold, enabled, version } = policy;
  return {
    policy_id,
    tenant_id,
    name,
    // A service newer than this agent may know more categories.
    threat_categories: threat_categories.filter((category) => THREAT_CATEGORIES.includes(category)),
    action,
    ...(confidence_threshold === undefined ? {} : { confidence_threshold }),
    enabled,
    version,
    created_at,
    updated_at,
    archived_at,
  };
}

function isRule({ threat_categories, action, confidence_threshold, enabled, version }: Policy): boolean {
  return (
    Array.isArray(threat_categories) &&
    threat_categories.length <= MAX_CATEGORIES &&
    ACTIONS.includes(action) &&
    (confidence_threshold === undefined || isConfidence(confidence_threshold)) &&
    typeof enabled === 'boolean' &&
    Number.isSafeInteger(version)
  );
}

function isConfidence(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}
