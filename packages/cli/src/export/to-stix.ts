import type { Event } from '@tps/client';
import { classifyIndicator } from './indicator-kind.ts';
import { PRODUCT } from './product.ts';
import { objectId } from './stix-id.ts';
import { type StixObject, type StixObservable, toStixObservable } from './stix-observable.ts';
import { toTitle } from './to-ocsf.ts';

export interface StixBundle {
  readonly type: 'bundle';
  readonly id: string;
  readonly objects: readonly StixObject[];
}

/**
 * Creation time of what several events share: identities and indicators. Their ids are derived from the tenant with the
 * device or the value, so their properties must not depend on the event that names them first.
 */
const SHARED_SINCE = '2025-01-01T00:00:00.000Z';

/**
 * Turns events into a STIX 2.1 bundle. Every id and time is derived from the events, so the same events produce the same
 * bundle, and importing events twice creates no duplicates.
 *
 * Each event becomes a `note` with the decision. Indicators that STIX can express become observables, grouped in
 * `observed-data`. Unless the action is allow, each that has a pattern also becomes an `indicator`, one per tenant and value,
 * with a `sighting` by the device for each event.
 */
export function toStixBundle(events: readonly Event[]): StixBundle {
  const objects = new Map(events.flatMap(toObjects).map((object) => [object.id, object]));
  const names = events.flatMap(({ tenant_id, event_id }) => [tenant_id, event_id]);
  return { type: 'bundle', id: objectId('bundle', names), objects: [...objects.values()] };
}

function toObjects(event: Event): StixObject[] {
  const tenant = toIdentity(event.tenant_id, ['tenant', event.tenant_id], 'organization');
  const device = toIdentity(event.device_id, ['device', event.tenant_id, event.device_id], 'system');
  const observables = toObservables(event);
  const base: Base = { event, tenantId: tenant.id, deviceId: device.id };
  const observed = observables.length === 0 ? [] : [toObservedData(base, observables)];
  const indicators =
    event.action_taken === 'allow'
      ? []
      : observables.flatMap(({ pattern }) => (pattern === undefined ? [] : [toIndicator(base, pattern)]));
  const sightings = indicators.map((indicator) => toSighting(base, { indicator, observed }));
  const subjects = [device, ...observed, ...indicators];
  return [
    tenant,
    device,
    ...observables.map(({ object }) => object),
    ...observed,
    ...indicators,
    ...sightings,
    toNote(base, subjects),
  ];
}

interface Base {
  readonly event: Event;
  readonly tenantId: string;
  readonly deviceId: string;
}

function toObservables({ indicators = [] }: Event): StixObservable[] {
  const observables = indicators.flatMap((indicator) => toStixObservable(classifyIndicator(indicator)) ?? []);
  return [...new Map(observables.map((observable) => [observable.object.id, observable])).values()];
}

function toIdentity(name: string, names: readonly string[], identityClass: string): StixObject {
  return {
    type: 'identity',
    spec_version: '2.1',
    id: objectId('identity', names),
    created: SHARED_SINCE,
    modified: SHARED_SINCE,
    name,
    identity_class: identityClass,
  };
}

/** Returns the properties that all objects of an event share. */
function common({ event, tenantId }: Base, type: string, part: string): StixObject {
  const at = new Date(event.timestamp).toISOString();
  return {
    type,
    spec_version: '2.1',
    id: objectId(type, [event.tenant_id, event.event_id, part]),
    created_by_ref: tenantId,
    created: at,
    modified: at,
    external_references: [{ source_name: PRODUCT.name, external_id: event.event_id }],
  };
}

function toObservedData(base: Base, observables: readonly StixObservable[]): StixObject {
  const object = common(base, 'observed-data', '');
  return {
    ...object,
    first_observed: object.created,
    last_observed: object.created,
    number_observed: 1,
    object_refs: observables.map(({ object: { id } }) => id),
  };
}

function toIndicator({ event, tenantId }: Base, pattern: string): StixObject {
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: objectId('indicator', [event.tenant_id, pattern]),
    created_by_ref: tenantId,
    created: SHARED_SINCE,
    modified: SHARED_SINCE,
    name: pattern,
    indicator_types: ['malicious-activity'],
    pattern,
    pattern_type: 'stix',
    valid_from: SHARED_SINCE,
  };
}

function toSighting(
  base: Base,
  { indicator, observed }: { indicator: StixObject; observed: readonly StixObject[] },
): StixObject {
  const object = common(base, 'sighting', indicator.id);
  return {
    ...object,
    first_seen: object.created,
    last_seen: object.created,
    count: 1,
    sighting_of_ref: indicator.id,
    observed_data_refs: observed.map(({ id }) => id),
    where_sighted_refs: [base.deviceId],
    confidence: toConfidence(base.event),
  };
}

/** The decision as text and labels, including the indicators that STIX has no object for. */
function toNote(base: Base, subjects: readonly StixObject[]): StixObject {
  const { event } = base;
  const { corrects_event_id: corrected, indicators = [] } = event;
  const correctedNote = corrected === undefined ? [] : [objectId('note', [event.tenant_id, corrected, ''])];
  const content = [
    event.description,
    corrected && `Corrects ${corrected}${event.correction_reason ? `: ${event.correction_reason}` : '.'}`,
    `Decided by policy ${event.policy_id}.`,
    ...indicators.map((indicator) => `Indicator: ${indicator}`),
  ];
  return {
    ...common(base, 'note', ''),
    abstract: toTitle(event),
    content: content.filter(Boolean).join('\n'),
    object_refs: [...subjects.map(({ id }) => id), ...correctedNote],
    labels: [event.threat_category, event.severity, event.action_taken],
    confidence: toConfidence(event),
  };
}

function toConfidence({ confidence }: Event): number {
  return Math.round(confidence * 100);
}
