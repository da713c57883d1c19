/**
 * The closed lists and limits of the contract, without the schemas: what runs on a device or in a command line can use
 * them without loading TypeBox (0.2 s).
 */
export const PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux'] as const;

/** From mild to grave: the order is the rank. */
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

/** Longest JSON text of an event's `metadata`, in bytes. */
export const METADATA_LIMIT_BYTES = 4096;

/** Most events in one POST /events/batch. */
export const BATCH_LIMIT = 500;
