import type { Action } from '@tps/contract';
import type { Decision } from '@tps/contract/decision';
import { countOf } from '@tps/contract/vocabulary';
import type { Analysis, Classification, Content, Detector } from '@tps/detection';
import type { IndicatorIndex } from '@tps/detection/indicators';
import type { Agent, AgentNotice, AgentOptions, ScanOptions, ScanResult } from './agent.ts';
import { AgentLoops } from './agent-loops.ts';
import type { ServiceClock } from './clock/service-clock.ts';
import { SerialQueue } from './concurrency/serial-queue.ts';
import { untilAborted } from './concurrency/until-aborted.ts';
import { CredentialRenewal } from './credential/credential-renewal.ts';
import { type OwnCredential, rewrapCredential } from './credential/own-credential.ts';
import { type AgentHealth, toAgentStatus } from './health.ts';
import type { Detection } from './policy/detection.ts';
import type { PolicyCache } from './policy-cache.ts';
import type { AgentClock } from './ports/clock.ts';
import { NO_INDICATORS } from './ports/indicators.ts';
import type { CurrentTag } from './ports/transport.ts';
import { EventRecorder, type RecordResult } from './recording/event-recorder.ts';
import { SigningRotation } from './rotation/signing-rotation.ts';
import { createStorageRotation, type StorageRotation } from './rotation/storage-rotation.ts';
import type { EventStore, StoredRecord, UploadResult } from './store/event-store.ts';
import { UpdatePoll } from './update-poll.ts';
import { type DrainResult, Uploader } from './upload/uploader.ts';

/** Recorded in events when the application does not name its version. That of package.json, which a bundle does not have. */
const AGENT_VERSION = '0.3.0';
/** How long `close` waits for a request in flight before it cancels the request. */
const CLOSING_MS = 3000;
const DAY_MS = 24 * 3_600_000;
const DEFAULT_RETENTION_DAYS = 90;

export interface LocalAgentParts {
  readonly options: AgentOptions;
  readonly clock: AgentClock;
  readonly serviceClock: ServiceClock;
  readonly store: EventStore;
  readonly policies: PolicyCache;
  readonly detection: Pick<typeof import('./detection-code.ts'), 'createDetector' | 'toDetection'>;
  readonly notify: (notice: AgentNotice) => void;
}

/** The agent on any storage, keys and transport. */
export class LocalAgent implements Agent {
  readonly #parts: LocalAgentParts;
  /** Aborted when `close` is called: no further request starts. */
  readonly #closing = new AbortController();
  /** Aborted when `close` has waited long enough: the request in flight is cancelled. */
  readonly #cancelled = new AbortController();
  readonly #recorder: EventRecorder;
  readonly #detector: Detector;
  readonly #uploader: Uploader;
  readonly #signingRotation: SigningRotation;
  readonly #storageRotation: StorageRotation;
  readonly #renewal: CredentialRenewal | undefined;
  readonly #loops: AgentLoops;
  /** Uploads and key rotations run one at a time. */
  readonly #exchanges = new SerialQueue();
  /** Two status events at once would declare the same dropped events twice. */
  readonly #statuses = new SerialQueue();
  readonly #agentVersion: string;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalAgentParts) {
    this.#parts = parts;
    const { options, clock, serviceClock, store, policies, detection } = parts;
    const { identity, keys, transport, models, ownCredential } = options;
    const nowMs = () => clock.nowMs();
    this.#agentVersion = options.agentVersion ?? AGENT_VERSION;
    this.#recorder = new EventRecorder({
      identity,
      agentVersion: this.#agentVersion,
      keys,
      store,
      policies: () => policies.set,
      nowMs,
    });
    this.#detector = detection.createDetector({ models, indicators: () => this.indicators(), nowMs });
    const hasOwnCredential = ownCredential !== undefined;
    this.#signingRotation = new SigningRotation({
      ...{ identity, keys, transport, serviceClock, nowMs, hasOwnCredential },
    });
    const { storage } = options;
    this.#storageRotation = createStorageRotation({
      ...{ keys, store, storage },
      rewrapCredential: () => rewrapCredential({ storage, keys }),
    });
    this.#renewal = ownCredential && this.#createRenewal(ownCredential);
    this.#uploader = new Uploader({
      store,
      transport,
      serviceClock,
      nowMs,
      random: Math.random,
      exclusively: (task) => this.#exchanges.run(task),
      keyForUpload: (signal) => this.#keyForUpload(signal),
      closing: this.#closing.signal,
      cancelled: this.#cancelled.signal,
      onEventsRefused: (refused) => this.#reportRefusedEvents(refused),
      onUploadRefused: (reason, isNew) => this.#uploadRefused(reason, isNew),
      onStopped: (reason) => this.#notify('upload_stopped', `Uploading has stopped: ${reason}`),
    });
    const updates = new UpdatePoll({
      ...{ transport, serviceClock },
      areKnown: () => this.#hasPolicies() && this.#hasIndicators(),
      refreshPolicies: (current) => this.refreshPolicies(current),
      refreshIndicators: (current) => this.refreshIndicators(current),
    });
    this.#loops = new AgentLoops({
      clock,
      closing: this.#closing.signal,
      statusEveryHours: options.statusEveryHours ?? 24,
      hasCopies: this.#hasPolicies() && (options.indicators === undefined || this.#hasIndicators()),
      drain: () => this.#drainAndDeclare(),
      pollUpdates: () => updates.run(this.#closing.signal),
      ...(ownCredential === undefined ? {} : { renewCredential: () => this.#renewCredential() }),
      recover: () => this.#recover(),
      removeExpired: () => this.#removeExpired(),
      recordStatus: () => this.recordStatus(),
    });
  }

  /** Completes a rotation that the last process left unfinished, and starts the background work unless it is off. */
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

  classify(content: Content, analysis?: Analysis, { language }: ScanOptions = {}): Classification {
    return this.#detector.classifyAnalysis(analysis ?? this.#analyze(content), language);
  }

  async scan(content: Content, analysis?: Analysis, options: ScanOptions = {}): Promise<ScanResult> {
    const read = analysis ?? this.#analyze(content);
    const classification = this.classify(content, read, options);
    if (!classification.threatDetected) return { classification };
    // Events are read by the analysts of a tenant, so their descriptions have one language.
    const inEnglish = this.classify(content, read);
    const { toDetection } = this.#parts.detection;
    return { classification, recorded: await this.record(toDetection(content, inEnglish)) };
  }

  #analyze(content: Content): Analysis {
    if ('bytes' in content) {
      throw new TypeError(
        `Content of type ${content.type} needs an analysis: pass the result of analyzeBytes of @tps/detection/files.`,
      );
    }
    return this.#detector.analyze(content);
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
      policies: { count: policies.count, confirmedAt: policies.confirmedAt },
      indicators: options.indicators?.state,
      credential: this.#renewal?.state,
      clockAheadMs: serviceClock.aheadMs,
    };
  }

  recordStatus(): Promise<void> {
    return this.#statuses.run(() => this.#recordStatus());
  }

  async refreshPolicies(current?: CurrentTag): Promise<boolean> {
    const isConfirmed = await this.#parts.policies.refresh(this.#closing.signal, current);
    this.#checkClock();
    return isConfirmed;
  }

  indicators(): IndicatorIndex {
    return this.#parts.options.indicators?.index ?? NO_INDICATORS;
  }

  async refreshIndicators(current?: CurrentTag): Promise<boolean> {
    const { indicators } = this.#parts.options;
    if (indicators === undefined) return false;
    const before = indicators.state.refused;
    const isConfirmed = await indicators.refresh(this.#closing.signal, current);
    const { refused } = indicators.state;
    if (refused !== undefined && refused !== before) {
      this.#notify('indicators_refused', describeRefusal(refused));
    }
    return isConfirmed;
  }

  async flush({ signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
    signal?.throwIfAborted();
    const drained = this.#renewCredential().then(() => this.#drainAndDeclare());
    return (await (signal === undefined ? drained : untilAborted(drained, signal))).kind === 'empty';
  }

  resume(): void {
    this.#signingRotation.recheck();
    this.#uploader.resume();
    this.#loops.wakeUploader();
  }

  rotateSigningKey(): Promise<void> {
    return this.#exchanges.run(() => this.#signingRotation.rotate(this.#cancelled.signal));
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
    const timer = setTimeout(() => this.#cancelled.abort(), CLOSING_MS);
    await Promise.allSettled([this.#loops.ended, this.#exchanges.run(async () => {})]);
    clearTimeout(timer);
    this.#cancelled.abort();
    await this.#parts.store.close();
    await this.#parts.options.indicators?.close();
  }

  #notify(kind: AgentNotice['kind'], message: string): void {
    this.#parts.notify({ kind, message });
  }

  #reportRefusedEvents(refused: readonly UploadResult[]): void {
    const codes = new Set(refused.map((result) => (result.kind === 'refused' ? result.code : '')));
    const count = countOf(refused.length, 'event');
    const message = `The service refused ${count} (${[...codes].join(', ')}). The local copies are kept.`;
    this.#notify('event_refused', message);
  }

  /** Before the next attempt, the agent asks whether the service knows another key by now. */
  #uploadRefused(reason: string, isNew: boolean): void {
    this.#signingRotation.recheck();
    if (isNew)
      this.#notify('upload_refused', `The service refuses uploads; the agent tries again: ${reason}`);
  }

  #createRenewal(credential: OwnCredential): CredentialRenewal {
    const { options, serviceClock } = this.#parts;
    return new CredentialRenewal({
      credential,
      serviceClock,
      transport: options.transport,
      keyForUpload: (signal) => this.#signingRotation.keyForUpload(signal),
      onProblem: (message) => this.#notify('credential_not_renewed', message),
    });
  }

  /** A closing agent starts no renewal: the next process does. */
  async #renewCredential(): Promise<void> {
    if (this.#renewal === undefined || this.#closing.signal.aborted) return;
    await this.#exchanges.run(async () => this.#renewal?.renewIfDue(this.#cancelled.signal));
  }

  #hasPolicies(): boolean {
    return this.#parts.policies.confirmedAt !== undefined;
  }

  #hasIndicators(): boolean {
    return this.#parts.options.indicators?.state.version !== undefined;
  }

  #checkClock(): void {
    const warning = this.#parts.serviceClock.takeWarning();
    if (warning !== undefined) this.#notify('clock_off', warning);
  }

  #afterRecording(recorded: RecordResult): RecordResult {
    const { state } = this.#uploader.state;
    if (state === 'idle' || state === 'sending') this.#loops.wakeUploader();
    return recorded;
  }

  /** No event is sent before the service's time is known: it would refuse every event of a clock that is ahead. */
  async #keyForUpload(signal: AbortSignal) {
    const { serviceClock, policies } = this.#parts;
    if (serviceClock.lastContactMs === undefined) await policies.refresh(signal);
    if (serviceClock.lastContactMs === undefined) {
      return { kind: 'retry', reason: 'The service could not be reached.', retryAfterMs: undefined } as const;
    }
    return this.#signingRotation.keyForUpload(signal);
  }

  async #recordStatus(): Promise<void> {
    const health = this.health();
    const recorded = await this.#recorder.recordStatus(toAgentStatus(health));
    // An event in memory only may be lost, and its declaration with it.
    if (recorded.kept === 'disk') await this.#parts.store.declareDropped(health.store.undeclared);
    this.#afterRecording(recorded);
  }

  /** Declares drops only when the service can be reached. Before that, each declaration could drop another event. */
  async #drainAndDeclare(): Promise<DrainResult> {
    const drained = await this.#uploader.drain();
    this.#checkClock();
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

  /** Counts from the last contact, by whichever clock is behind: a clock that jumps ahead deletes nothing. */
  async #removeExpired(): Promise<void> {
    const { options, store, serviceClock } = this.#parts;
    const { lastContactMs, lastServiceTimeMs } = serviceClock;
    if (lastContactMs === undefined || lastServiceTimeMs === undefined) return;
    const retentionMs = (options.retentionDays ?? DEFAULT_RETENTION_DAYS) * DAY_MS;
    await store.removeArchivedBefore(Math.min(lastContactMs, lastServiceTimeMs) - retentionMs);
  }
}

function describeRefusal(code: string): string {
  return code === 'not_verifiable'
    ? `This platform does not verify Ed25519 signatures, so the device has no indicators (${code}).`
    : `The new indicators were rejected (${code}). The indicators known before stay in force.`;
}
