export type { Analysis } from './analysis/analysis.ts';
export { analyzeContent } from './analysis/analyze-content.ts';
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
export type { DetectorName, Finding, Verdict } from './finding.ts';
export type { Indicator, IndicatorKey, IndicatorMatch, IndicatorType } from './indicators/indicator.ts';
export { modelContextFor } from './model/model-context.ts';
export { loadModels } from './model/model-file.ts';
export type { ModelLicence, Models, Thresholds } from './model/models.ts';
export { findLinks } from './normalize/find-links.ts';
export { type NormalizedText, normalizeText } from './normalize/normalize-text.ts';
export { type RedactableEvent, redactEvent, redactEventInSteps } from './redaction/redact-event.ts';
export { redactText } from './redaction/redact-text.ts';
export { reportedIndicators } from './reported-indicators.ts';
export { THREAT_CATEGORIES, THREAT_TYPES, type ThreatCategory, type ThreatType } from './threat-type.ts';
export type { Classification } from './verdict/classification.ts';
export { type ClassifyOptions, classify } from './verdict/classify.ts';
export type { Clause } from './wording/clause.ts';
export { evidenceOf } from './wording/evidence-of.ts';
export { DEFAULT_LANGUAGE, LANGUAGES, type Language, toLanguage } from './wording/language.ts';
