import type { Action } from '@tps/contract';
import { type Content, createDetector, type Detector, type Inspection, type Judgement } from '@tps/detection';
import type { IndicatorStore } from '@tps/detection/indicators';
import type { Agent, AgentNotice, AgentOptions, RecordResult, ScreenResult } from './agent.ts';
import { AgentLoops } from './agent-loops.ts';
import { statusOf } from './agent-status.ts';
import { createClockWatch } from './clock/clock-watch.ts';
import type { ServiceClock } from './clock/service-clock.ts';
import { SerialQueue } from './concurrency/serial-queue.ts';
import { untilAborted } from './concurrency/until-aborted.ts';
import type { AgentHealth } from './health.ts';
import { judgeContent } from './judge-content.ts';
import type { Decision, Detection } from './policy/detection.ts';
import type { PolicyKeeper } from './policy-cache.ts';
import type { AgentClock } from './ports/clock.ts';
import { NO_INDICATORS } from './ports/indicators.ts';
import { Recorder } from './recording/event-recorder.ts';
import { toDetection } from './recording/to-detection.ts';
import { SigningRotation } from './rotation/signing-rotation.ts';
import { createStorageRotation, type StorageRotation } from './rotation/storage-rotation.ts';
import type { EventStore, StoredRecord } from './store/event-store.ts';
import { type DrainResult, Uploader } from './upload/uploader.ts';
import { AGENT_VERSION } from './version.ts';

/** How long `close` lets a request that is under way go on. */
const CLOSING_MS = 3000;
const DAY_MS = 24 * 3_600_000;
const DEFAULT_RETENTION_DAYS = 90;

export interface LocalAgentParts {
  readonly options: AgentOptions;
  readonly clock: AgentClock;
  readonly serviceClock: ServiceClock;
  readonly store: EventStore;
  readonly policies: PolicyKeeper;
  readonly notify: (notice: AgentNotice) => void;
}

/** The agent on whatever storage, keys and transport it was given. */
export class LocalAgent implements Agent {
  readonly #parts: LocalAgentParts;
  readonly #closing = new AbortController();
  readonly #broken = new AbortController();
  readonly #recorder: Recorder;
  readonly #detector: Detector;
  readonly #uploader: Uploader;
  readonly #signing: SigningRotation;
  readonly #storageRotation: StorageRotation;
  readonly #loops: AgentLoops;
  /** Uploads and exchanges of keys. */
  readonly #exchanges = new SerialQueue();
  /** Two at once would declare the same dropped events twice. */
  readonly #statuses = new SerialQueue();
  readonly #agentVersion: string;
  readonly #watchClock: () => void;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    this.#parts = parts;
    const { options, clock, serviceClock, store, policies, notify } = parts;
    const { identity, keys, transport } = options;
    const nowMs = () => clock.nowMs();
    this.#agentVersion = options.agentVersion ?? AGENT_VERSION;
    this.#recorder = new Recorder({
      identity,
      agentVersion: this.#agentVersion,
      keys,
      store,
      policies: () => policies.set,
      nowMs,
    });
    const { models } = options;
    this.#detector = createDetector({ models, indicators: () => this.indicators(), nowMs });
    this.#watchClock = createClockWatch(serviceClock, notify);
    this.#signing = new SigningRotation({ identity, keys, transport, serviceClock, nowMs });
    this.#storageRotation = createStorageRotation({ keys, store, storage: options.storage });
    this.#uploader = new Uploader({
      store,
      transport,
      serviceClock,
      nowMs,
      random: Math.random,
      exclusively: (task) => this.#exchanges.run(task),
      keyForUpload: (signal) => this.#keyForUpload(signal),
      closing: this.#closing.signal,
      broken: this.#broken.signal,
      onRefused: (refused) => {
        const codes = [
          ...new Set(refused.map((verdict) => (verdict.kind === 'refused' ? verdict.code : ''))),
        ];
        const message = `The service refused ${refused.length} events (${codes.join(', ')}). They stay here.`;
        notify({ kind: 'event_refused', message });
      },
      onStopped: (reason) => notify({ kind: 'upload_stopped', message: `Uploading has stopped: ${reason}` }),
    });
    this.#loops = new AgentLoops({
      clock,
      closing: this.#closing.signal,
      statusEveryHours: options.statusEveryHours ?? 24,
      hasPolicies: policies.state.confirmedAt !== undefined,
      drain: () => this.#drainAndDeclare(),
      refreshPolicies: () => this.refreshPolicies(),
      ...(options.indicators === undefined ? {} : { refreshIndicators: () => this.refreshIndicators() }),
      hasIndicators: options.indicators?.state.version !== undefined,
      recover: () => this.#recover(),
      removeExpired: () => this.#removeExpired(),
      recordStatus: () => this.recordStatus(),
    });
  }

  /** Finishes what the last process left undone, and begins to work by itself if it is to. */
  async start(): Promise<void> {
    await this.#storageRotation.resume();
    if (this.#parts.options.autonomous !== false) this.#loops.start();
  }

  explain(detection: Detection): Decision {
    return this.#recorder.explain(detection);
  }

  async record(detection: Detection): Promise<RecordResult> {
    return this.#afterRecording(await this.#recorder.record(detection));
  }

  judge(content: Content, inspection?: Inspection): Judgement {
    return judgeContent(this.#detector, content, inspection);
  }

  async screen(content: Content, inspection?: Inspection): Promise<ScreenResult> {
    const judgement = this.judge(content, inspection);
    if (!judgement.threatDetected) return { judgement };
    return { judgement, recorded: await this.record(toDetection(content, judgement)) };
  }

  async correct(eventId: string, correction: { action: Action; reason: string }): Promise<RecordResult> {
    return this.#afterRecording(await this.#recorder.correct(eventId, correction));
  }

  find(eventId: string): Promise<StoredRecord | undefined> {
    return this.#parts.store.find(eventId);
  }

  records(): AsyncIterable<StoredRecord> {
    return this.#parts.store.records();
  }

  health(): AgentHealth {
    const { options, store, serviceClock, policies } = this.#parts;
    const { lastContactMs } = serviceClock;
    return {
      deviceId: options.identity.deviceId,
      agentVersion: this.#agentVersion,
      store: store.state(),
      upload: {
        ...this.#uploader.state,
        lastContactAt: lastContactMs === undefined ? undefined : new Date(lastContactMs).toISOString(),
      },
      policies: policies.state,
      indicators: options.indicators?.state,
      clockAheadMs: serviceClock.aheadMs,
    };
  }

  recordStatus(): Promise<void> {
    return this.#statuses.run(() => this.#recordStatus());
  }

  async refreshPolicies(): Promise<boolean> {
    const isConfirmed = await this.#parts.policies.refresh(this.#closing.signal);
    this.#watchClock();
    return isConfirmed;
  }

  indicators(): IndicatorStore {
    return this.#parts.options.indicators?.store ?? NO_INDICATORS;
  }

  async refreshIndicators(): Promise<boolean> {
    const { options, notify } = this.#parts;
    const { indicators } = options;
    if (indicators === undefined) return false;
    const before = indicators.state.refused;
    const isConfirmed = await indicators.refresh(this.#closing.signal);
    const { refused } = indicators.state;
    if (refused !== undefined && refused !== before) {
      const message = `The indicators that came are not used (${refused}). Those known before go on holding.`;
      notify({ kind: 'indicators_refused', message });
    }
    return isConfirmed;
  }

  async flush({ signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
    signal?.throwIfAborted();
    const drained = this.#drainAndDeclare();
    return (await (signal === undefined ? drained : untilAborted(drained, signal))).kind === 'empty';
  }

  resume(): void {
    this.#signing.lookAgain();
    this.#uploader.resume();
    this.#loops.wakeUploader();
  }

  rotateSigningKey(): Promise<void> {
    return this.#exchanges.run(() => this.#signing.rotate(this.#broken.signal));
  }

  rotateStorageKey(): Promise<void> {
    return this.#exchanges.run(() => this.#storageRotation.rotate());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    const timer = setTimeout(() => this.#broken.abort(), CLOSING_MS);
    await Promise.allSettled([this.#loops.ended, this.#exchanges.run(async () => {})]);
    clearTimeout(timer);
    this.#broken.abort();
    await this.#parts.store.close();
    await this.#parts.options.indicators?.close();
  }

  #afterRecording(recorded: RecordResult): RecordResult {
    const { state } = this.#uploader.state;
    if (state === 'idle' || state === 'sending') this.#loops.wakeUploader();
    return recorded;
  }

  /** Nothing is sent before the service's time is known: a clock that is ahead would have every event refused. */
  async #keyForUpload(signal: AbortSignal) {
    const { serviceClock, policies } = this.#parts;
    if (serviceClock.lastContactMs === undefined) await policies.refresh(signal);
    if (serviceClock.lastContactMs === undefined) {
      return { kind: 'retry', reason: 'The service was not reached.', retryAfterMs: undefined } as const;
    }
    return this.#signing.keyForUpload(signal);
  }

  async #recordStatus(): Promise<void> {
    const health = this.health();
    const recorded = await this.#recorder.recordStatus(statusOf(health));
    // In memory only it may be lost yet, and what it declares with it.
    if (recorded.kept === 'disk') await this.#parts.store.declareDropped(health.store.undeclared);
    this.#afterRecording(recorded);
  }

  /** What was dropped is declared once the service can be reached, not while each declaration drops another event. */
  async #drainAndDeclare(): Promise<DrainResult> {
    const drained = await this.#uploader.drain();
    this.#watchClock();
    if (drained.kind !== 'empty') return drained;
    const hasDeclared = await this.#statuses.run(async () => {
      const { mode, undeclared } = this.#parts.store.state();
      const isDue = undeclared > 0 && mode === 'recording';
      if (isDue) await this.#recordStatus();
      return isDue;
    });
    return hasDeclared ? this.#uploader.drain() : drained;
  }

  async #recover(): Promise<void> {
    const { store } = this.#parts;
    if (store.state().mode === 'recording') return;
    await store.recover();
    if (store.state().mode === 'recording') await this.recordStatus();
  }

  /** Counted from the last contact, by the service's clock if that is behind: a clock that jumps ahead deletes nothing. */
  async #removeExpired(): Promise<void> {
    const { options, store, serviceClock } = this.#parts;
    const { lastContactMs, lastServiceTimeMs } = serviceClock;
    if (lastContactMs === undefined || lastServiceTimeMs === undefined) return;
    const retentionMs = (options.retentionDays ?? DEFAULT_RETENTION_DAYS) * DAY_MS;
    await store.removeArchivedBefore(Math.min(lastContactMs, lastServiceTimeMs) - retentionMs);
  }
}
