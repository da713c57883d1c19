export type {
  AppContent,
  BytesContent,
  Channel,
  Content,
  ContentContext,
  PlainContent,
  TextContent,
  UrlContent,
} from './content.ts';
export { createDetector, type Detector, type DetectorOptions, type IndicatorLookup } from './detector.ts';
export type { Indicator, IndicatorKey, IndicatorMatch, IndicatorType } from './indicators/indicator.ts';
export { type ConcludeOptions, conclude } from './judgement/conclude.ts';
export type { DetectorName, Finding, Verdict } from './judgement/finding.ts';
export type { Inspection } from './judgement/inspection.ts';
export type { Judgement } from './judgement/judgement.ts';
export { loadModels } from './model/model-file.ts';
export { modelFor } from './model/model-for.ts';
export type { ModelLicence, Models } from './model/models.ts';
export type { Thresholds } from './model/thresholds.ts';
export { findLinks } from './normaliser/find-links.ts';
export { type NormalisedText, normalise } from './normaliser/normalise.ts';
export { inspectPlain } from './plain/inspect-plain.ts';
export { type RedactableEvent, redactEvent } from './redaction/redact-event.ts';
export { redactText } from './redaction/redact-text.ts';
export { reportedIndicators } from './reported-indicators.ts';
export { THREAT_CATEGORIES, THREAT_TYPES, type ThreatCategory, type ThreatType } from './threat-type.ts';
