import type { Event } from '@tps/client';
import { type ClassifiedIndicator, classifyIndicator } from './indicator-kind.ts';
import { PRODUCT } from './product.ts';

/** The release of the Open Cybersecurity Schema Framework. */
const OCSF_VERSION = '1.7.0';

const CATEGORY_UID = 2;
const CLASS_UID = 2004;
/** The caption of the class in the schema. */
const CLASS_NAME = 'Detection Finding';

const SEVERITY = {
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
} as const;

/** `warn` notifies the user and does not block: Observed, with the disposition Alert. */
const CONTROL = {
  allow: { action_id: 1, action: 'Allowed', disposition_id: 1, disposition: 'Allowed' },
  warn: { action_id: 3, action: 'Observed', disposition_id: 19, disposition: 'Alert' },
  block: { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' },
} as const;

const ACTIVITY = { create: [1, 'Create'], update: [2, 'Update'], close: [3, 'Close'] } as const;

const OS = {
  windows: { type_id: 100, type: 'Windows', name: 'Windows' },
  linux: { type_id: 200, type: 'Linux', name: 'Linux' },
  android: { type_id: 201, type: 'Android', name: 'Android' },
  macos: { type_id: 300, type: 'macOS', name: 'macOS' },
  ios: { type_id: 301, type: 'iOS', name: 'iOS' },
} as const;

/** Type ids of the observables that are not IP addresses. */
const OBSERVABLE = {
  file_sha256: [8, 'Hash'],
  file_sha1: [8, 'Hash'],
  file_md5: [8, 'Hash'],
  url_sha256: [8, 'Hash'],
  domain: [1, 'Hostname'],
  possible_domain: [1, 'Hostname'],
  other: [99, 'Other'],
} as const;

/**
 * Turns an event into an OCSF Detection Finding (class 2004) with the profiles Security Control and Host.
 *
 * A correction is an Update of the finding that the corrected event created; a correction to `allow` is a Close. Members
 * that the schema has no attribute for are in `unmapped`.
 */
export function toOcsf(event: Event): Record<string, unknown> {
  const { action_taken: action, confidence, description } = event;
  const [activity_id, activity_name] = ACTIVITY[toActivity(event)];
  const [severity_id, severity] = SEVERITY[event.severity];
  return {
    activity_id,
    activity_name,
    category_uid: CATEGORY_UID,
    category_name: 'Findings',
    class_uid: CLASS_UID,
    class_name: CLASS_NAME,
    type_uid: CLASS_UID * 100 + activity_id,
    type_name: `${CLASS_NAME}: ${activity_name}`,
    time: Date.parse(event.timestamp),
    severity_id,
    severity,
    ...(activity_id === 3 ? { status_id: 3, status: 'Suppressed' } : { status_id: 1, status: 'New' }),
    ...toConfidence(confidence),
    ...CONTROL[action],
    is_alert: action !== 'allow',
    ...(description === undefined ? {} : { message: description }),
    ...(event.correction_reason === undefined ? {} : { comment: event.correction_reason }),
    metadata: toMetadata(event),
    finding_info: toFindingInfo(event),
    policy: { uid: event.policy_id },
    device: toDevice(event),
    ...toObservables(event),
    unmapped: toUnmapped(event),
  };
}

function toActivity({ corrects_event_id, action_taken }: Event): keyof typeof ACTIVITY {
  if (corrects_event_id === undefined) return 'create';
  return action_taken === 'allow' ? 'close' : 'update';
}

/** OCSF lets the producer choose the ranges of Low, Medium and High. */
function toConfidence(confidence: number) {
  const [confidence_id, label] =
    confidence < 0.4 ? [1, 'Low'] : confidence < 0.7 ? [2, 'Medium'] : [3, 'High'];
  return { confidence_score: Math.round(confidence * 100), confidence_id, confidence: label };
}

function toMetadata(event: Event) {
  return {
    version: OCSF_VERSION,
    profiles: ['host', 'security_control'],
    product: { name: PRODUCT.name, vendor_name: PRODUCT.vendor, version: PRODUCT.version },
    uid: event.event_id,
    original_event_uid: event.event_id,
    event_code: event.type,
    tenant_uid: event.tenant_id,
    original_time: event.timestamp,
    ...(event.sequence === undefined ? {} : { sequence: event.sequence }),
    ...(event.corrects_event_id === undefined ? {} : { correlation_uid: event.corrects_event_id }),
  };
}

function toFindingInfo(event: Event) {
  const at = Date.parse(event.timestamp);
  const isCorrection = event.corrects_event_id !== undefined;
  const model = event.metadata?.model_version;
  return {
    uid: event.corrects_event_id ?? event.event_id,
    title: toTitle(event),
    types: [event.threat_category],
    // A correction does not contain the time of the first event.
    ...(isCorrection ? { modified_time: at } : { created_time: at }),
    ...(event.description === undefined ? {} : { desc: event.description }),
    analytic: {
      type_id: 1,
      type: 'Rule',
      uid: event.policy_id,
    },
    ...(typeof model === 'string' ? { related_analytics: [toModel(model)] } : {}),
  };
}

function toModel(version: string) {
  return { type_id: 4, type: 'Learning (ML/DL)', name: 'Detection model', version };
}

/** Returns a short title such as `Phishing: block`. */
export function toTitle({ threat_category, action_taken }: Event): string {
  const words = threat_category.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${action_taken}`;
}

function toDevice({ device_id, metadata }: Event) {
  const platform = metadata?.device_platform;
  return {
    uid: device_id,
    // An event has the operating system at most, not whether the device is a phone or a tablet.
    type_id: 0,
    type: 'Unknown',
    ...(platform === undefined ? {} : { os: OS[platform] }),
  };
}

function toObservables({ indicators = [] }: Event) {
  if (indicators.length === 0) return {};
  const observables = indicators.map((indicator, index) => {
    const classified = classifyIndicator(indicator);
    const [type_id, type] = observableType(classified);
    return { name: `unmapped.indicators[${index}]`, type_id, type, value: classified.value };
  });
  return { observables };
}

function observableType({ kind, value }: ClassifiedIndicator): readonly [number, string] {
  if (kind !== 'ipv4' && kind !== 'ipv6') return OBSERVABLE[kind];
  return value.includes('/') ? [12, 'Subnet'] : [2, 'IP Address'];
}

function toUnmapped(event: Event): Record<string, unknown> {
  const { indicators, metadata, previous_event_hash, confidence } = event;
  return {
    confidence,
    ...(indicators === undefined ? {} : { indicators }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(previous_event_hash === undefined ? {} : { previous_event_hash }),
  };
}
