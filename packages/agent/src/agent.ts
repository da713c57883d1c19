import type { Action, Platform, Policy } from '@tps/contract';
import type { Content, Inspection, Judgement, Models } from '@tps/detection';
import type { IndicatorStore } from '@tps/detection/indicators';
import type { AgentHealth } from './health.ts';
import type { Decision, Detection } from './policy/detection.ts';
import type { AgentClock } from './ports/clock.ts';
import type { AgentIndicators } from './ports/indicators.ts';
import type { DeviceKeys } from './ports/keys.ts';
import type { AgentStorage } from './ports/storage.ts';
import type { AgentTransport } from './ports/transport.ts';
import type { FsyncPolicy, StoredRecord } from './store/event-store.ts';

/** Who the device is, as it was enrolled. */
export interface DeviceIdentity {
  readonly deviceId: string;
  readonly tenantId: string;
  readonly platform: Platform;
}

export interface AgentOptions {
  readonly identity: DeviceIdentity;
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
  readonly transport: AgentTransport;
  /**
   * What `judge` and `screen` judge texts and links by, such as `loadShippedModels()` of `@tps/detection/node`. Without them
   * indicators go on deciding, and what nothing else can judge is `unsupported`.
   */
  readonly models?: Models;
  /** The agent's from then on, as the storage is. Without them there is nothing to look up in. */
  readonly indicators?: AgentIndicators;
  readonly clock?: AgentClock;
  /** Version of the application that embeds the agent. */
  readonly agentVersion?: string;
  /** Room for everything that the agent keeps. 64 MiB unless told otherwise, at least 1 MiB. */
  readonly budgetBytes?: number;
  /** Room for events that cannot be stored, in safe mode. 4 MiB unless told otherwise. */
  readonly memoryBudgetBytes?: number;
  readonly fsync?: FsyncPolicy;
  /** How long archived events are kept. 90 days unless told otherwise. */
  readonly retentionDays?: number;
  /** How often a status event is recorded; 24 hours unless told otherwise, 0 for never. Drops are declared in any case. */
  readonly statusEveryHours?: number;
  /** Policies that decide where none of the tenant's applies. */
  readonly fallbackPolicies?: readonly Policy[];
  /** Uploads and refreshes policies and indicators by itself. True unless told otherwise; without it, only `flush` sends. */
  readonly autonomous?: boolean;
  /** Hears of what needs attention: safe mode, drops, a refused event, a stop. Never of content. */
  readonly onNotice?: (notice: AgentNotice) => void;
}

export interface AgentNotice {
  readonly kind:
    | 'safe_mode'
    | 'recovered'
    | 'dropped'
    | 'damaged'
    | 'event_refused'
    | 'upload_stopped'
    | 'indicators_refused'
    | 'clock_off';
  /** One sentence for a person. */
  readonly message: string;
}

/** What became of a detection. */
export interface RecordResult {
  readonly eventId: string;
  readonly decision: Decision;
  /** `memory` in safe mode: the event is lost if the process dies before the cause is gone. */
  readonly kept: 'disk' | 'memory';
}

/** What became of content. */
export interface ScreenResult {
  readonly judgement: Judgement;
  /** Left out when it was found to be no threat. */
  readonly recorded?: RecordResult;
}

/**
 * The agent of one device. Decides by the tenant's policies, records each decision as an event, allow included, and
 * brings the events to the service: each exactly once, or declared as dropped.
 */
export interface Agent {
  /** Decides, and tells why, without recording anything. */
  explain(detection: Detection): Decision;
  /**
   * Decides and records. Resolves once the event is stored as durably as the fsync policy says.
   * @throws TypeError naming the member that is wrong
   */
  record(detection: Detection): Promise<RecordResult>;
  /**
   * Judges content by the models and the tenant's indicators, on the device. Records nothing. A file or media comes with its
   * inspection, by `inspectBytes` of `@tps/detection/files`.
   */
  judge(content: Content, inspection?: Inspection): Judgement;
  /**
   * Judges content, and if it is a threat decides by the policies and records that. The event says why and holds indicators
   * in their redacted forms; the content stays here.
   */
  screen(content: Content, inspection?: Inspection): Promise<ScreenResult>;
  /** Records that an earlier decision was wrong. @throws Error when the event is not stored here any more */
  correct(
    eventId: string,
    correction: { readonly action: Action; readonly reason: string },
  ): Promise<RecordResult>;
  /** Finds a stored event, unredacted, with its history. */
  find(eventId: string): Promise<StoredRecord | undefined>;
  /** Goes through the stored events, unredacted, oldest first. */
  records(): AsyncIterable<StoredRecord>;
  health(): AgentHealth;
  /** Records the health as an event that allows, so that it stands in the tenant's feed. */
  recordStatus(): Promise<void>;
  /** Asks for the policies now. True when the service confirmed or changed them. */
  refreshPolicies(): Promise<boolean>;
  /**
   * The tenant's indicators as they hold now, by the last bundle from the service that could be trusted. Each call gives
   * the newest; what it gave before does not change.
   */
  indicators(): IndicatorStore;
  /** Asks for the indicators now. True when the service confirmed or changed them. */
  refreshIndicators(): Promise<boolean>;
  /** Uploads until nothing waits, or until it would have to wait or stop. True when nothing waits any more. */
  flush(options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Starts again after `stopped`, for instance with a new credential in place. */
  resume(): void;
  /** Puts a new signing key in place, here and in the service. Buffered events stay. Resumable after a crash. */
  rotateSigningKey(): Promise<void>;
  /** Wraps all data keys under a new storage key and destroys the old one. Resumable after a crash. */
  rotateStorageKey(): Promise<void>;
  /** Finishes what is being sent, for at most a few seconds, and releases the store. Waiting events stay in it. */
  close(): Promise<void>;
}
