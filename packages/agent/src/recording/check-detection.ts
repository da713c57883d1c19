import type { EventMetadata } from '@tps/contract';
import { METADATA_LIMIT_BYTES, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { jsonBytes } from '../encoding/bytes.ts';
import { toPlainJson, toPlainText } from '../encoding/plain-json.ts';
import type { Detection } from '../policy/detection.ts';

const DESCRIPTION_LIMIT = 4096;
const REASON_LIMIT = 1024;
const INDICATORS_LIMIT = 64;
const INDICATOR_LIMIT = 512;
const VERSION_LIMIT = 64;

const MEMBERS: readonly string[] = [
  'threatCategory',
  'confidence',
  'severity',
  'description',
  'indicators',
  'metadata',
  'modelVersion',
] satisfies (keyof Detection)[];

/**
 * Checks a detection (the caller may be plain JavaScript) and copies it, so that later changes do not reach the event.
 *
 * @throws TypeError naming the invalid member
 */
export function checkDetection(detection: Detection): Detection {
  if (typeof detection !== 'object' || detection === null)
    throw new TypeError('The detection must be an object.');
  const unknown = Object.keys(detection).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined)
    throw new TypeError(`The detection has an unknown member ${toPlainText(unknown)}.`);
  const { threatCategory, confidence, severity, description, indicators, metadata, modelVersion } = detection;
  oneOf('threatCategory', threatCategory, THREAT_CATEGORIES);
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    throw new TypeError('confidence must be a number from 0 to 1.');
  }
  if (severity !== undefined) oneOf('severity', severity, SEVERITIES);
  return {
    threatCategory,
    confidence,
    ...(severity === undefined ? {} : { severity }),
    ...(description === undefined
      ? {}
      : { description: text('description', description, DESCRIPTION_LIMIT) }),
    ...(indicators === undefined ? {} : { indicators: checkIndicators(indicators) }),
    ...(metadata === undefined ? {} : { metadata: checkMetadata(metadata) }),
    ...(modelVersion === undefined
      ? {}
      : { modelVersion: text('modelVersion', modelVersion, VERSION_LIMIT) }),
  };
}

/** Checks the reason of a correction. @throws TypeError */
export function checkReason(reason: string): string {
  return text('reason', reason, REASON_LIMIT);
}

/** Checks the version of the application, which every event contains. @throws TypeError */
export function checkAgentVersion(version: string): string {
  return text('agentVersion', version, VERSION_LIMIT);
}

/** Checks the size of the metadata, including what the agent adds. @throws TypeError */
export function checkMetadataSize(metadata: EventMetadata): void {
  const size = jsonBytes(metadata);
  if (size > METADATA_LIMIT_BYTES) {
    throw new TypeError(
      `metadata must have at most ${METADATA_LIMIT_BYTES} bytes of JSON, including what the agent adds; it has ${size}.`,
    );
  }
}

/** @throws TypeError unless the value is one of the values */
export function oneOf(member: string, value: unknown, values: readonly string[]): void {
  if (typeof value !== 'string' || !values.includes(value)) {
    throw new TypeError(`${member} must be one of ${values.join(', ')}.`);
  }
}

function checkIndicators(indicators: readonly string[]): readonly string[] {
  if (!Array.isArray(indicators) || indicators.length > INDICATORS_LIMIT) {
    throw new TypeError(`indicators must be an array of at most ${INDICATORS_LIMIT} items.`);
  }
  // Unlike `map`, `Array.from` also visits the holes of a sparse array.
  return Array.from(indicators, (indicator, index) => {
    const checked = text(`indicators[${index}]`, indicator, INDICATOR_LIMIT);
    if (checked === '') throw new TypeError(`indicators[${index}] must not be empty.`);
    return checked;
  });
}

/** Members that the contract lists must have their types; others may be any JSON. */
function checkMetadata(metadata: EventMetadata): EventMetadata {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new TypeError('metadata must be an object.');
  }
  const copy = toPlainJson(metadata, 'metadata') as EventMetadata;
  const { agent_version, model_version, device_platform, tenant_id } = copy;
  if (agent_version !== undefined) text('metadata.agent_version', agent_version, VERSION_LIMIT);
  if (model_version !== undefined) text('metadata.model_version', model_version, VERSION_LIMIT);
  if (device_platform !== undefined) oneOf('metadata.device_platform', device_platform, PLATFORMS);
  if (tenant_id !== undefined) text('metadata.tenant_id', tenant_id, 68);
  return copy;
}

/** Counts characters as the service does: an emoji is one. */
function text(member: string, value: unknown, limit: number): string {
  if (typeof value !== 'string') throw new TypeError(`${member} must be a string.`);
  if (value.length > limit && (value.length > 2 * limit || [...value].length > limit)) {
    throw new TypeError(`${member} must have at most ${limit} characters.`);
  }
  return toPlainText(value);
}
