import type { Severity, ThreatCategory } from '../schema/values.ts';

/** The confidences from which the columns of the table apply. Below the first, the severity is `low`. */
const STEPS = [0.5, 0.75, 0.9] as const;

const TABLE: Readonly<Record<ThreatCategory, readonly [Severity, Severity, Severity]>> = {
  malicious_app: ['medium', 'high', 'critical'],
  remote_control: ['medium', 'high', 'critical'],
  phishing: ['medium', 'high', 'high'],
  phone_scam: ['medium', 'high', 'high'],
  social_engineering: ['medium', 'medium', 'high'],
  deepfake: ['medium', 'medium', 'high'],
};

/** Returns the severity of a detection that comes without one. More confidence never makes it milder. */
export function deriveSeverity(category: ThreatCategory, confidence: number): Severity {
  const reached = STEPS.filter((step) => confidence >= step).length;
  return TABLE[category][reached - 1] ?? 'low';
}
