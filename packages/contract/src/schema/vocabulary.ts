/**
 * The closed lists and limits of the contract without the schemas, so that the agent and the command line can use
 * them without loading TypeBox (0.2 s).
 */
export const PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux'] as const;

/** In ascending order: the index is the rank. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

export const THREAT_CATEGORIES = [
  'phone_scam',
  'social_engineering',
  'malicious_app',
  'phishing',
  'remote_control',
  'deepfake',
] as const;

export const ACTIONS = ['allow', 'warn', 'block'] as const;

/**
 * Ids of the policies that an agent brings along for categories that no policy of the tenant names. The service does not
 * store them.
 */
export const AGENT_POLICY_IDS = {
  warn: 'pol_agent-default-warn',
  block: 'pol_agent-default-block',
  allow: 'pol_agent-default-allow',
} as const;

/** Maximum size of an event's `metadata` as JSON, in bytes. */
export const METADATA_LIMIT_BYTES = 4096;

/** Maximum number of events in one POST /events/batch. */
export const BATCH_LIMIT = 500;
