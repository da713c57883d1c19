import type { Action, Policy } from '@tps/contract';
import type { Decision } from '@tps/contract/decision';
import type { Analysis, Classification, Content, Language, Models } from '@tps/detection';
import type { IndicatorIndex } from '@tps/detection/indicators';
import type { OwnCredential } from './credential/own-credential.ts';
import type { AgentHealth } from './health.ts';
import type { Detection } from './policy/detection.ts';
import type { AgentClock } from './ports/clock.ts';
import type { DeviceIdentity } from './ports/identity.ts';
import type { AgentIndicators } from './ports/indicators.ts';
import type { DeviceKeys } from './ports/keys.ts';
import type { AgentStorage } from './ports/storage.ts';
import type { AgentTransport } from './ports/transport.ts';
import type { RecordResult } from './recording/event-recorder.ts';
import type { FsyncPolicy, StoredRecord } from './store/event-store.ts';

/** The ports and settings of `openAgent`. */
export interface AgentOptions {
  readonly identity: DeviceIdentity;
  /** The agent takes ownership: `close` closes it. */
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
  readonly transport: AgentTransport;
  /** The credential of the device, which the agent renews. Without it, the transport brings its own. */
  readonly ownCredential?: OwnCredential;
  /**
   * Models for `classify` and `scan`, such as `loadShippedModels()` of `@tps/detection/node`. Without models, indicators
   * still decide, and content that only a model can classify is `unsupported`.
   */
  readonly models?: Models;
  /** The agent takes ownership, as it does of the storage. Without it, no content matches an indicator. */
  readonly indicators?: AgentIndicators;
  readonly clock?: AgentClock;
  /** Version of the application that embeds the agent (default: the agent's own). At most 64 characters. */
  readonly agentVersion?: string;
  /** Disk space for everything that the agent stores (default 64 MiB, minimum 1 MiB). */
  readonly budgetBytes?: number;
  /** Memory for events that cannot be stored, in safe mode (default 4 MiB). */
  readonly memoryBudgetBytes?: number;
  /** Default `always`. */
  readonly fsync?: FsyncPolicy;
  /** How long archived events are kept (default 90 days). */
  readonly retentionDays?: number;
  /** How often a status event is recorded (default 24; 0 for never). Drops are declared in any case. */
  readonly statusEveryHours?: number;
  /** Policies that decide when no policy of the tenant applies (default: warn from 0.5, block from 0.85). */
  readonly fallbackPolicies?: readonly Policy[];
  /** Whether to upload, and to refresh policies and indicators, in the background (default true). If false, only `flush` sends. */
  readonly autonomous?: boolean;
  /** Called for what needs attention: safe mode, drops, a refused event or upload, a stop. Notices hold no event content. */
  readonly onNotice?: (notice: AgentNotice) => void;
}

/** A condition that needs attention, for a log or a person. Holds no event content. */
export interface AgentNotice {
  readonly kind:
    | 'safe_mode'
    | 'recovered'
    | 'dropped'
    | 'damaged'
    | 'missing'
    | 'event_refused'
    | 'upload_refused'
    | 'upload_stopped'
    | 'indicators_refused'
    | 'credential_not_renewed'
    | 'clock_off';
  /** One sentence for a person. */
  readonly message: string;
}

export interface ScanOptions {
  /** The language of the sentence for the person; default English. The event is always in English. */
  readonly language?: Language;
}

/** What `scan` found and did. */
export interface ScanResult {
  readonly classification: Classification;
  /** Undefined when the content is not a threat. */
  readonly recorded?: RecordResult;
}

/**
 * The agent of one device. It decides by the tenant's policies, records every decision (`allow` included) as an event,
 * and delivers the events to the service: each exactly once, or declared as dropped.
 */
export interface Agent {
  /** Decides without recording. The decision's `reasons` explain it. @throws TypeError naming the invalid member */
  explain(detection: Detection): Decision;
  /**
   * Decides and records. Resolves when the event is stored as durably as the fsync policy requires.
   * @throws TypeError naming the invalid member
   */
  record(detection: Detection): Promise<RecordResult>;
  /**
   * Classifies content on the device, by the models and the tenant's indicators. Records nothing.
   *
   * @param analysis required for a file or media: `analyzeBytes` of `@tps/detection/files` makes it
   * @throws TypeError for the bytes of a file without an analysis
   */
  classify(content: Content, analysis?: Analysis, options?: ScanOptions): Classification;
  /**
   * Classifies content. If it is a threat, decides by the policies and records the decision. The event holds the reasons
   * and the indicators in their redacted forms; the content stays on the device.
   */
  scan(content: Content, analysis?: Analysis, options?: ScanOptions): Promise<ScanResult>;
  /** Records that an earlier decision was wrong. @throws Error when the event is no longer stored on the device */
  correct(
    eventId: string,
    correction: { readonly action: Action; readonly reason: string },
  ): Promise<RecordResult>;
  /** Returns a stored event, unredacted, with its history. */
  find(eventId: string): Promise<StoredRecord | undefined>;
  /** Iterates over the stored events, unredacted, oldest first. */
  records(): AsyncIterable<StoredRecord>;
  health(): AgentHealth;
  /** Records the health as an event with the action `allow`, so that it appears in the tenant's feed. */
  recordStatus(): Promise<void>;
  /** Fetches the policies now. True when the service confirmed or changed them. */
  refreshPolicies(): Promise<boolean>;
  /**
   * Returns an index of the tenant's indicators now in force, from the last trusted bundle. Each call returns the newest;
   * an index returned earlier does not change.
   */
  indicators(): IndicatorIndex;
  /** Fetches the indicators now. True when the service confirmed or changed them. */
  refreshIndicators(): Promise<boolean>;
  /** Uploads until no event waits, or until the uploader has to wait or stop. True when no event waits. */
  flush(options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Tries to upload now, without waiting after failures and refusals, for example with a new credential. */
  resume(): void;
  /** Replaces the signing key, on the device and in the service. Waiting events stay. Resumable after a crash. */
  rotateSigningKey(): Promise<void>;
  /** Wraps all data keys under a new storage key and destroys the old one. Resumable after a crash. */
  rotateStorageKey(): Promise<void>;
  /** Finishes the request in flight, within 3 seconds, and closes the store. Waiting events stay in it. */
  close(): Promise<void>;
}
