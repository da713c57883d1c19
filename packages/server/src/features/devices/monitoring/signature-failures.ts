import { LRUCache } from 'lru-cache';
import type { Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { incidentStore, isUnresolved, MONITORING, upsertMonitoringIncident } from '../../incidents/index.ts';
import * as signatureIncidents from './signature-incident-read-model.ts';

const THRESHOLD = 10;
const WINDOW_MS = 10 * 60_000;
const MAX_DEVICES = 10_000;
/** The correlation key of the incident that several devices share. */
export const SHARED_KEY = 'signature_failures';
/** Precedes the id of the device in the correlation key of an incident about that device alone. */
export const OWN_KEY_PREFIX = 'signature_failures:';
/** Unresolved incidents of a tenant about one device each. Further devices share one incident. */
const MAX_OWN = 20;
/** Devices that the shared incident lists. */
const MAX_SHARED = 100;

interface Failures {
  /** The newest failures, up to the threshold. */
  times: number[];
  reportedAtMs: number | undefined;
}

/**
 * Opens an incident for a device in whose name 10 requests had an invalid signature within 10 minutes: its key was
 * replaced or stolen, its clock is wrong, or another party impersonates it. Beyond 20 unresolved incidents of a
 * tenant, further devices share one. Counts in this process, for the 10 000 devices that failed most recently.
 */
export class SignatureFailures {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #byDevice = new LRUCache<string, Failures>({ max: MAX_DEVICES });
  #written: Promise<void> = Promise.resolve();

  constructor({ database, clock, logger }: { database: RequestDatabase; clock: Clock; logger: Logger }) {
    this.#database = database;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Counts a failure. The incident is written in the background: callers do not wait, and nothing is thrown. Nothing is written
   * if the credential of the request has ended.
   */
  record(request: AdmittedRequest, deviceId: string): void {
    const { tenantId } = request;
    const nowMs = this.#clock.now();
    const key = `${tenantId} ${deviceId}`;
    const failures = this.#byDevice.get(key) ?? { times: [], reportedAtMs: undefined };
    this.#byDevice.set(key, failures);
    const recent = failures.times.filter((atMs) => atMs > nowMs - WINDOW_MS);
    failures.times = [...recent, nowMs].slice(-THRESHOLD);
    const { times, reportedAtMs } = failures;
    if (times.length < THRESHOLD || (reportedAtMs !== undefined && reportedAtMs > nowMs - WINDOW_MS)) return;
    failures.reportedAtMs = nowMs;
    this.#written = this.#written
      .then(() => this.#openIncident(request, deviceId, nowMs))
      .catch((error: unknown) => {
        // The next failure tries again: its credential may still be valid.
        failures.reportedAtMs = undefined;
        if (error instanceof ServiceError && error.code !== 'unavailable') return;
        this.#logger.warn({ err: error, tenantId, deviceId }, 'signature failure alert failed');
      });
  }

  /** Resolves when everything recorded so far is written. */
  async flush(): Promise<void> {
    await this.#written;
  }

  #openIncident(request: AdmittedRequest, deviceId: string, nowMs: number): Promise<void> {
    const { tenantId } = request;
    return this.#database.transaction(request, async (tx) => {
      await feedHeadStore.lock(tx, tenantId);
      await report(tx, tenantId, { deviceId, nowMs });
    });
  }
}

/**
 * A stolen agent credential is enough to make requests in the name of every device: that must not open an incident
 * for each.
 */
async function report(
  tx: Queries,
  tenantId: TenantId,
  { deviceId, nowMs }: { deviceId: string; nowMs: number },
): Promise<void> {
  const ownKey = OWN_KEY_PREFIX + deviceId;
  const known = await incidentStore.findAbout(tx, tenantId, {
    correlationKeys: [ownKey, SHARED_KEY],
    fromMs: 0,
  });
  const running = known.filter((incident) => incident.category === MONITORING && isUnresolved(incident));
  if (running.some((incident) => incident.correlationKey === ownKey)) return;
  const [shared] = running;
  const listed = shared
    ? await signatureIncidents.listDeviceIds(tx, tenantId, { ...shared, limit: MAX_SHARED })
    : [];
  if (listed.includes(deviceId)) return;
  const own = { keyPrefix: OWN_KEY_PREFIX, limit: MAX_OWN };
  const finding =
    (await signatureIncidents.countUnresolved(tx, tenantId, own)) < MAX_OWN
      ? { correlationKey: ownKey, message: describeOne(deviceId), deviceIds: [deviceId] }
      : {
          correlationKey: SHARED_KEY,
          message: describeShared(listed.length + 1),
          deviceIds: listed.length < MAX_SHARED ? [deviceId] : [],
        };
  const members = finding.deviceIds.map((memberId) => ({ kind: 'device' as const, memberId }));
  const { correlationKey, message } = finding;
  await upsertMonitoringIncident(tx, tenantId, { correlationKey, message, members, nowMs });
}

function describeOne(deviceId: string): string {
  return (
    `At least ${THRESHOLD} requests in the name of device ${deviceId} had an invalid signature within 10 minutes: ` +
    'its key was replaced, its clock is wrong, or another party impersonates it'
  );
}

/** The text stops changing above a number of devices, so that the incident stops growing. */
function describeShared(count: number): string {
  const devices = count === 1 ? '1 more device' : `${count} more devices`;
  return (
    `Besides ${MAX_OWN} devices with their own incidents, requests in the name of ` +
    `${count > MAX_SHARED ? `more than ${MAX_SHARED} others` : devices} had invalid signatures: ` +
    'another party may hold the credential of an agent and impersonate its devices'
  );
}
