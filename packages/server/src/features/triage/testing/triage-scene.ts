import type { Event, IncidentChange, Platform, ScanResult } from '@tps/contract';
import { ManualClock } from '@tps/testing/time';
import type { Database } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deviceStore } from '../../devices/index.ts';
import { SETTINGS } from '../../events/derive/testing/feed-model.ts';
import { appendEvents } from '../../events/ingest/append-events.ts';
import { prepareEvent } from '../../events/ingest/prepare-event.ts';
import { toStorable } from '../../events/ingest/storable-event.ts';
import { feedHeadStore } from '../../feed/index.ts';
import {
  changeIncident,
  type IncidentRecord,
  incidentStore,
  upsertMonitoringIncident,
} from '../../incidents/index.ts';
import type { PolicyRecord } from '../../policies/policy.ts';
import * as policyStore from '../../policies/policy-store.ts';

const START_MS = Date.UTC(2026, 2, 2, 9);
export const MINUTE_MS = 60_000;
export const request = { caller: { tokenId: 'tok_reviewer' }, requestId: 'req_test' };

/**
 * A tenant whose events pass through the service's own code at times that a test sets. The same calls create the same
 * rows, including ids, on every store.
 */
export class TriageScene {
  readonly tenantId: TenantId;
  readonly clock = new ManualClock(START_MS);
  readonly #database: Database;
  #sent = 0;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.tenantId = `tnt_${name}` as TenantId;
  }

  async addDevice(
    deviceId: string,
    members: { platform?: Platform; name?: string; agentVersion?: string } = {},
  ): Promise<string> {
    await this.#database.transaction((tx) =>
      deviceStore.create(tx, {
        tenantId: this.tenantId,
        deviceId,
        platform: members.platform ?? 'android',
        status: 'active',
        publicKey: new Uint8Array(44),
        agentVersion: members.agentVersion ?? '2.4.1',
        name: members.name ?? null,
        registeredAtMs: START_MS,
        revokedAtMs: null,
        version: 1,
        lastSeenAtMs: null,
      }),
    );
    return deviceId;
  }

  async addPolicy(policyId: string, members: Partial<PolicyRecord> = {}): Promise<string> {
    const policy: PolicyRecord = {
      policyId,
      name: 'Phishing',
      categories: ['phishing'],
      action: 'block',
      confidenceThreshold: 0.8,
      enabled: true,
      version: 1,
      createdAtMs: START_MS,
      updatedAtMs: START_MS,
      archivedAtMs: null,
      ...members,
    };
    await this.#database.transaction((tx) => policyStore.create(tx, this.tenantId, policy));
    return policyId;
  }

  /** Stores an event of a device, by default decided now. Returns its id. */
  async send(deviceId: string, members: Partial<Event> = {}): Promise<string> {
    const [eventId = ''] = await this.sendMany([{ ...members, device_id: deviceId }]);
    return eventId;
  }

  async sendMany(events: readonly (Partial<Event> & { device_id: string })[]): Promise<string[]> {
    const nowMs = this.clock.now();
    const made = events.map((members) => this.#toEvent(members));
    const submissions = made.map((event) => ({
      deviceId: event.device_id,
      deviceVersion: 1,
      nonce: event.event_id,
      created: Math.floor(nowMs / 1000),
      signedDigest: '00'.repeat(32),
      events: [prepareEvent(event, { nowMs, retentionDays: 180 })],
    }));
    await this.#database.transaction((tx) =>
      appendEvents(tx, this.tenantId, {
        submissions: submissions.map(toStorable),
        nowMs,
        settings: SETTINGS,
      }),
    );
    return made.map((event) => event.event_id);
  }

  async addScan(members: Partial<ScanResult> & { scan_id: string }): Promise<string> {
    const scan: ScanResult = {
      status: 'completed',
      threat_detected: true,
      threat_type: 'look_alike_domain',
      confidence: 0.93,
      details: 'The address imitates a known bank.',
      threat_category: 'phishing',
      verdict: 'block',
      findings: [],
      scanned_at: new Date(this.clock.now()).toISOString(),
      ...members,
    };
    const row = {
      tenant_id: this.tenantId,
      scan_id: scan.scan_id,
      result: JSON.stringify(scan),
      created_at: this.clock.now(),
    };
    await this.#database.transaction((tx) => tx.insertMany('scans', [row]));
    return scan.scan_id;
  }

  async addMonitoringIncident(correlationKey: string, message: string): Promise<void> {
    const nowMs = this.clock.now();
    await this.#database.transaction((tx) =>
      upsertMonitoringIncident(tx, this.tenantId, { correlationKey, message, nowMs }),
    );
  }

  async change(incidentId: string, change: IncidentChange): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, this.tenantId);
      await changeIncident(tx, this.tenantId, incidentId, { change, request, nowMs: this.clock.now() });
    });
  }

  /** Newest first. */
  async incidents(category?: IncidentRecord['category']): Promise<IncidentRecord[]> {
    return incidentStore.list(this.#database.read, this.tenantId, {
      filter: category === undefined ? {} : { category: { not: false, values: [category] } },
      page: { after: undefined, limit: 1000 },
    });
  }

  async newestIncident(category?: IncidentRecord['category']): Promise<IncidentRecord> {
    const [incident] = await this.incidents(category);
    if (!incident) throw new Error('there is no incident');
    return incident;
  }

  #toEvent(members: Partial<Event> & { device_id: string }): Event {
    this.#sent += 1;
    return {
      event_id: `evt_${String(this.#sent).padStart(5, '0')}`,
      type: 'risk.event.created',
      timestamp: new Date(this.clock.now()).toISOString(),
      tenant_id: this.tenantId,
      threat_category: 'phishing',
      confidence: 0.97,
      action_taken: 'block',
      policy_id: 'pol_phishing',
      severity: 'high',
      indicators: ['domain:sig-8841'],
      ...members,
    };
  }
}
