import type { Action, EventMetadata } from '@tps/contract';
import { type Decision, decide, type PolicySet, STATUS_POLICY_ID } from '@tps/contract/decision';
import { ACTIONS } from '@tps/contract/vocabulary';
import type { Detection } from '../policy/detection.ts';
import type { DeviceIdentity } from '../ports/identity.ts';
import type { DeviceKeys } from '../ports/keys.ts';
import type { EventStore, LocalEvent } from '../store/event-store.ts';
import { checkDetection, checkMetadataSize, checkReason, oneOf } from './check-detection.ts';
import { createEventId } from './event-id.ts';

export interface EventRecorderParts {
  readonly identity: DeviceIdentity;
  readonly agentVersion: string;
  readonly keys: Pick<DeviceKeys, 'randomBytes'>;
  readonly store: Pick<EventStore, 'append' | 'find'>;
  readonly policies: () => PolicySet;
  readonly nowMs: () => number;
}

/** The decision on a detection, and where its event is stored. */
export interface RecordResult {
  readonly eventId: string;
  readonly decision: Decision;
  /** `memory` in safe mode: the event is lost if the process ends before the cause is resolved. */
  readonly kept: 'disk' | 'memory';
}

/** The members of an event that differ between the events of one device. */
type EventContent = Omit<LocalEvent, 'event_id' | 'type' | 'timestamp' | 'tenant_id' | 'device_id'>;

/** Creates events from detections, corrections and the agent's status, and stores them. */
export class EventRecorder {
  readonly #parts: EventRecorderParts;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
  }

  explain(detection: Detection): Decision {
    return decide(checkDetection(detection), this.#parts.policies());
  }

  async record(detection: Detection): Promise<RecordResult> {
    const checked = checkDetection(detection);
    const createdAt = this.#now();
    const decision = decide(checked, this.#parts.policies());
    const { description, indicators } = checked;
    return this.#append(createdAt, decision, {
      threat_category: checked.threatCategory,
      confidence: decision.confidence,
      action_taken: decision.action,
      policy_id: decision.policy.policy_id,
      severity: decision.severity,
      ...(description === undefined ? {} : { description }),
      ...(indicators === undefined ? {} : { indicators: [...indicators] }),
      metadata: this.#enrich(checked.metadata, checked.modelVersion),
    });
  }

  /** A correction names the first event, even if that has been corrected before. */
  async correct(eventId: string, correction: { action: Action; reason: string }): Promise<RecordResult> {
    const reason = checkReason(correction.reason);
    oneOf('action', correction.action, ACTIONS);
    const found = await this.#parts.store.find(eventId);
    if (found === undefined) throw new Error(`The event ${eventId} is no longer stored on this device.`);
    const { event } = found;
    const { threat_category, confidence, policy_id, severity, indicators } = event;
    const known = this.#parts.policies().policies.find((policy) => policy.policy_id === policy_id);
    const decision: Decision = {
      action: correction.action,
      severity,
      confidence,
      policy: { policy_id, name: known?.name ?? policy_id, version: known?.version ?? 1 },
      reasons: [`Corrected from ${event.action_taken} to ${correction.action}: ${reason}`],
    };
    return this.#append(this.#now(), decision, {
      threat_category,
      confidence,
      action_taken: correction.action,
      policy_id,
      severity,
      ...(indicators === undefined ? {} : { indicators }),
      metadata: this.#enrich(undefined, event.metadata?.model_version),
      corrects_event_id: event.corrects_event_id ?? event.event_id,
      correction_reason: reason,
    });
  }

  /**
   * Records the agent's status. Every event in the contract is a detection, so by convention a status event is an `allow`
   * of `malicious_app` with confidence 0 under a policy id reserved for it. It does not raise an alert.
   */
  async recordStatus(status: Readonly<Record<string, unknown>>): Promise<RecordResult> {
    const name = 'Agent status';
    const decision: Decision = {
      action: 'allow',
      severity: 'low',
      confidence: 0,
      policy: { policy_id: STATUS_POLICY_ID, name, version: 1 },
      reasons: ['A status event does not decide anything.'],
    };
    return this.#append(this.#now(), decision, {
      threat_category: 'malicious_app',
      confidence: 0,
      action_taken: 'allow',
      policy_id: STATUS_POLICY_ID,
      severity: 'low',
      description: name,
      metadata: this.#enrich({ agent_status: status } as EventMetadata, undefined),
    });
  }

  async #append(createdAt: string, decision: Decision, content: EventContent): Promise<RecordResult> {
    const { identity, keys, nowMs, store } = this.#parts;
    const event: LocalEvent = {
      event_id: createEventId(nowMs(), keys.randomBytes),
      type: 'risk.event.created',
      timestamp: createdAt,
      tenant_id: identity.tenantId,
      device_id: identity.deviceId,
      ...content,
    };
    const kept = await store.append([{ event, createdAt, enrichedAt: this.#now() }]);
    return { eventId: event.event_id, decision, kept: kept === 'persisted' ? 'disk' : 'memory' };
  }

  /** The agent's own members come first: if metadata is too long after redaction, the last members are left out. */
  #enrich(metadata: EventMetadata | undefined, modelVersion: string | undefined): EventMetadata {
    const own: EventMetadata = {
      agent_version: this.#parts.agentVersion,
      ...(modelVersion === undefined ? {} : { model_version: modelVersion }),
      device_platform: this.#parts.identity.platform,
    };
    const enriched = { ...own, ...metadata, ...own };
    checkMetadataSize(enriched);
    return enriched;
  }

  #now(): string {
    return new Date(this.#parts.nowMs()).toISOString();
  }
}
