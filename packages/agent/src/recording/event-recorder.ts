import type { Action, EventMetadata } from '@tps/contract';
import { ACTIONS } from '@tps/contract/vocabulary';
import type { DeviceIdentity, RecordResult } from '../agent.ts';
import { decide, type PolicySet } from '../policy/decide.ts';
import type { Decision, Detection } from '../policy/detection.ts';
import { STATUS_POLICY_ID } from '../policy/fallback-policies.ts';
import type { DeviceKeys } from '../ports/keys.ts';
import type { EventStore, LocalEvent } from '../store/event-store.ts';
import { checkDetection, checkMetadataSize, checkReason, oneOf } from './check-detection.ts';
import { createEventId } from './event-id.ts';

export interface RecorderParts {
  readonly identity: DeviceIdentity;
  readonly agentVersion: string;
  readonly keys: Pick<DeviceKeys, 'randomBytes'>;
  readonly store: Pick<EventStore, 'append' | 'find'>;
  readonly policies: () => PolicySet;
  readonly nowMs: () => number;
}

/** What an event says that is not the same in all events of a device. */
type Content = Omit<LocalEvent, 'event_id' | 'type' | 'timestamp' | 'tenant_id' | 'device_id'>;

/** Makes events of detections, and stores them. */
export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
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

  /** A correction names the first event, also when that has been corrected before. */
  async correct(eventId: string, correction: { action: Action; reason: string }): Promise<RecordResult> {
    const reason = checkReason(correction.reason);
    oneOf('action', correction.action, ACTIONS);
    const found = await this.#parts.store.find(eventId);
    if (found === undefined) throw new Error(`The event ${eventId} is not stored here any more.`);
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
   * Records how the agent is doing. The contract has no event that is no detection, so by convention it is one of
   * `malicious_app` with confidence 0 that allows, under a policy id of its own: it raises nothing.
   */
  async recordStatus(status: Readonly<Record<string, unknown>>): Promise<RecordResult> {
    const name = 'Agent status';
    const decision: Decision = {
      action: 'allow',
      severity: 'low',
      confidence: 0,
      policy: { policy_id: STATUS_POLICY_ID, name, version: 1 },
      reasons: ['A status event decides nothing.'],
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

  async #append(createdAt: string, decision: Decision, content: Content): Promise<RecordResult> {
    const { identity, keys, nowMs, store } = this.#parts;
    const event: LocalEvent = {
      event_id: createEventId(nowMs(), keys.randomBytes),
      type: 'risk.event.created',
      timestamp: createdAt,
      tenant_id: identity.tenantId,
      device_id: identity.deviceId,
      ...content,
    };
    const outcome = await store.append([{ event, createdAt, enrichedAt: this.#now() }]);
    return { eventId: event.event_id, decision, kept: outcome === 'persisted' ? 'disk' : 'memory' };
  }

  /** The agent's own members come first: of what is too long after redaction, the last is left out. */
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
