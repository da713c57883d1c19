import { randomBytes } from 'node:crypto';
import type { Event } from '@tps/contract';
import { ManualClock } from '@tps/testing/time';
import type { Database } from '../../../../database/index.ts';
import type { TenantId } from '../../../../platform/tenant-id.ts';
import { alertStore } from '../../../alerts/index.ts';
import { deviceStore } from '../../../devices/index.ts';
import { type DeviceChainState, type FeedEvent, feedHeadStore, toFeedEvent } from '../../../feed/index.ts';
import { listMembers, listTimeline } from '../../../incidents/incident-details-store.ts';
import { changeIncident, incidentStore } from '../../../incidents/index.ts';
import { threatStore } from '../../../threats/index.ts';
import { appendEvents } from '../../ingest/append-events.ts';
import { prepareEvent } from '../../ingest/prepare-event.ts';
import { toStorable } from '../../ingest/storable-event.ts';
import type { PreparedEvent, Submission } from '../../ingest/submission.ts';
import { FeedModel, memberKey, SETTINGS, sightingKey, type Views } from './feed-model.ts';
import type { Step } from './random-feed.ts';

const START_MS = Date.UTC(2026, 0, 20);
const EVERYTHING = { after: undefined, limit: 10_000 };
const request = { caller: { tokenId: 'tok_person' }, requestId: 'req_test' };

/** The resolution of an incident, and the position of the last event before it. */
interface ResolvedIncident {
  readonly after: number;
  readonly incidentId: string;
  readonly resolution: Extract<Step, { kind: 'resolve' }>['resolution'];
  readonly nowMs: number;
}

/** Plays a feed through the service's own code on a real store, then again from what was stored. */
export class LiveFeed {
  readonly #database: Database;
  readonly tenantId: TenantId = `tnt_${randomBytes(8).toString('hex')}` as TenantId;
  /** Its time is that of the next transaction. */
  readonly clock = new ManualClock(START_MS);
  readonly #tickMs: number;
  readonly #roots: Event[] = [];
  readonly #resolutions: ResolvedIncident[] = [];
  #pending: Event[] = [];
  #sent = 0;

  /** `tickMs`: the time between two transactions. */
  constructor(database: Database, { tickMs = 1_000 }: { tickMs?: number } = {}) {
    this.#database = database;
    this.#tickMs = tickMs;
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.#registerDevices(steps);
    for (const step of steps) {
      if (step.kind === 'event') {
        this.#pending.push(this.#toEvent(step));
        if (step.endsTransaction) await this.#commit();
      } else {
        await this.#commit();
        await this.#resolve(step);
      }
    }
    await this.#commit();
  }

  /** Replays the stored feed into a model that keeps everything in memory. */
  async rebuild(): Promise<{ model: FeedModel; misplaced: string[] }> {
    const rows = await this.#database.read.db
      .selectFrom('events')
      .selectAll()
      .where('tenant_id', '=', this.tenantId)
      .orderBy('position')
      .execute();
    const model = new FeedModel();
    const decidedAt = new Map(rows.map((row) => [row.event_id, row.timestamp]));
    const misplaced: string[] = [];
    this.#replayResolutions(model, 0);
    for (const row of rows) {
      const event: FeedEvent = toFeedEvent(JSON.parse(row.body) as Event, {
        tenantId: this.tenantId,
        position: row.position,
        receivedAtMs: row.received_at,
        decidedAtMs: decidedAt.get(row.corrects_event_id ?? row.event_id) ?? 0,
        deviceChain: row.device_chain as DeviceChainState,
      });
      const links = model.add(event, row.corrects_event_id);
      if (links.threatId !== row.threat_id || links.alertId !== row.alert_id) misplaced.push(row.event_id);
      this.#replayResolutions(model, row.position);
    }
    return { model, misplaced };
  }

  /** Reads the views that were derived live. */
  async views(): Promise<Views> {
    const { read } = this.#database;
    const tenantId = this.tenantId;
    const incidents = await incidentStore.list(read, tenantId, { filter: {}, page: EVERYTHING });
    const incidentIds = incidents.map(({ incidentId }) => incidentId);
    const keys = await read.db
      .selectFrom('sightings')
      .select(['correlation_key', 'device_id'])
      .where('tenant_id', '=', tenantId)
      .execute();
    const sightings = await threatStore.findSightings(read, tenantId, {
      keys: keys.map((row) => row.correlation_key),
      deviceIds: keys.map((row) => row.device_id),
    });
    const timeline = await listTimeline(read, tenantId, incidentIds);
    return {
      threats: sortedBy(
        await threatStore.list(read, tenantId, { filter: { quietSinceMs: 0 }, page: EVERYTHING }),
        ({ threatId }) => threatId,
      ),
      sightings: sortedBy(sightings, sightingKey),
      alerts: sortedBy(
        await alertStore.list(read, tenantId, { filter: {}, page: EVERYTHING }),
        ({ alertId }) => alertId,
      ),
      incidents: sortedBy(incidents, ({ incidentId }) => incidentId),
      members: sortedBy(await listMembers(read, tenantId, incidentIds), memberKey),
      timeline: sortedBy(
        // Only people comment.
        timeline.filter(({ actor }) => actor === 'service').map(({ comment: _, ...entry }) => entry),
        ({ incidentId, entryId }) => `${incidentId} ${entryId}`,
      ),
    };
  }

  #replayResolutions(model: FeedModel, position: number): void {
    for (const { after, incidentId, resolution, nowMs } of this.#resolutions) {
      if (after === position) model.resolve(incidentId, { resolution, nowMs });
    }
  }

  async #registerDevices(steps: readonly Step[]): Promise<void> {
    const numbers = new Set(steps.flatMap((step) => (step.kind === 'event' ? step.device : [])));
    await this.#database.transaction(async (tx) => {
      for (const number of numbers) {
        await deviceStore.create(tx, {
          tenantId: this.tenantId,
          deviceId: `dev_${number}`,
          platform: 'android',
          status: 'active',
          publicKey: new Uint8Array(44),
          agentVersion: null,
          name: null,
          registeredAtMs: START_MS,
          revokedAtMs: null,
          version: 1,
          lastSeenAtMs: null,
        });
      }
    });
  }

  #toEvent({ event, device, agoMs, corrects }: Extract<Step, { kind: 'event' }>): Event {
    const root = corrects === null ? undefined : this.#roots[corrects % this.#roots.length];
    this.#sent += 1;
    const made: Event = {
      ...event,
      event_id: `evt_${String(this.#sent).padStart(4, '0')}`,
      tenant_id: this.tenantId,
      device_id: root?.device_id ?? `dev_${device}`,
      timestamp: new Date(START_MS - agoMs).toISOString(),
      ...(root ? { corrects_event_id: root.event_id } : {}),
    };
    if (!root) this.#roots.push(made);
    return made;
  }

  /** Commits one transaction; consecutive events of one device form one submission. */
  async #commit(): Promise<void> {
    const nowMs = this.clock.now();
    const submissions: (Omit<Submission, 'request'> & { events: PreparedEvent[] })[] = [];
    for (const event of this.#pending) {
      const prepared = prepareEvent(event, { nowMs, retentionDays: 180 });
      const last = submissions.at(-1);
      if (last?.deviceId === event.device_id) last.events.push(prepared);
      else submissions.push(this.#toSubmission(event.device_id, prepared));
    }
    this.#pending = [];
    if (submissions.length === 0) return;
    const { outcomes } = await this.#database.transaction((tx) =>
      appendEvents(tx, this.tenantId, {
        submissions: submissions.map(toStorable),
        nowMs,
        settings: SETTINGS,
      }),
    );
    for (const outcome of outcomes.values()) {
      const isStored =
        outcome.kind === 'accepted' && outcome.events.every((event) => event.kind === 'stored');
      if (!isStored) throw new Error(`an event was not stored: ${JSON.stringify(outcome)}`);
    }
    this.clock.advance(this.#tickMs);
  }

  #toSubmission(deviceId: string, prepared: PreparedEvent) {
    return {
      deviceId,
      deviceVersion: 1,
      nonce: randomBytes(16).toString('base64url'),
      created: Math.floor(this.clock.now() / 1000),
      signedDigest: '00'.repeat(32),
      events: [prepared],
    };
  }

  async #resolve({ incident, resolution }: Extract<Step, { kind: 'resolve' }>): Promise<void> {
    const { incidents } = await this.views();
    const unresolved = incidents.filter(({ status }) => status === 'open');
    const chosen = unresolved[incident % Math.max(1, unresolved.length)];
    if (!chosen) return;
    const change = { status: 'resolved', resolution } as const;
    const nowMs = this.clock.now();
    await this.#database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, this.tenantId);
      await changeIncident(tx, this.tenantId, chosen.incidentId, { change, request, nowMs });
    });
    this.#resolutions.push({
      after: this.#sent,
      incidentId: chosen.incidentId,
      resolution,
      nowMs,
    });
    this.clock.advance(this.#tickMs);
  }
}

function sortedBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
