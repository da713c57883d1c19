import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@tps/client';
import { type Database, PasswordHasher, type TenantId } from '@tps/server/store';
import { DEVICES, PopulationDevice } from './devices.ts';
import { addPeople, type PopulationPerson, tokenOf } from './people.ts';
import { DAY_MS, type PlannedEvents, planEvents, planPresent } from './plan-events.ts';
import { createDice } from './random.ts';
import { startReceivers } from './receivers.ts';
import {
  addFailingWebhook,
  addIndicators,
  addInvitations,
  addKeys,
  addPolicies,
  addScans,
  addWebhooks,
} from './settings.ts';
import type { TravelClock } from './travel-clock.ts';
import { type Analyst, triageIncidents, workOnIncidents } from './triage-incidents.ts';

/** The service and the tenant to populate. The clock is that of the service. */
export interface PopulationTarget {
  readonly baseUrl: string;
  readonly database: Database;
  readonly tenantId: TenantId;
  /** Holds every scope of the tenant. */
  readonly credential: string;
  readonly clock: TravelClock;
}

export interface PopulationOptions {
  /** How many days the devices have reported for (default 14). */
  readonly days?: number;
  readonly passwordOf: (index: number) => string;
  readonly hasher?: PasswordHasher;
  /** The same seed gives the same population (default 1). */
  readonly seed?: number;
}

export interface Population {
  readonly people: readonly PopulationPerson[];
  /** Number of events that devices sent. */
  readonly events: number;
  /** Lets a device report something every few seconds, until the signal. */
  keepReporting(signal: AbortSignal): Promise<void>;
  /** Stops the receivers of the webhooks. */
  close(): Promise<void>;
}

/** Between two changes of an analyst. Short, because the token of a session lasts some minutes. */
const PAUSE_MS = 3_000;
const REPORT_EVERY_MS = 4_000;
/** Its dead letters are then still kept. */
const FAILING_FOR_DAYS = 3;
/** Days before the present at which the tenant began with its first keys. */
export const AGE_DAYS = 190;

/**
 * Fills a tenant as months of use would: people, keys, policies, indicators, devices, events of the last days, and what
 * analysts made of them. Travels through time with the clock of the service, which then shows the present.
 */
export async function populate(target: PopulationTarget, options: PopulationOptions): Promise<Population> {
  const { baseUrl, credential, clock, tenantId, database } = target;
  const { days = 14, seed = 1, passwordOf, hasher = new PasswordHasher() } = options;
  const nowMs = Date.now();
  const dice = createDice(seed);
  const client = createClient({ baseUrl, credential });
  const receivers = await startReceivers();
  const people = await addPeople(database, { tenantId, hasher, nowMs, passwordOf });
  const exporter = createClient({ baseUrl, credential: await addKeys(client, 'old') });
  clock.travelTo(nowMs - (days + 1) * DAY_MS);
  await addPolicies(client);
  await addWebhooks(client, receivers);
  const devices = await registerDevices(target);
  const { data: policies } = await client.policies.list({ limit: 100 }).page();
  const untilMs = nowMs - 60_000;
  const fromMs = untilMs - days * DAY_MS;
  const planned = planEvents(dice, { fromMs, untilMs, policies });
  const analysts = people.filter(({ role }) => role === 'analyst');
  let events = 0;
  for (let day = 0; day < days; day += 1) {
    const today = planned.filter(({ atMs }) => Math.floor((atMs - fromMs) / DAY_MS) === day);
    events += await live(today, { devices, clock });
    const daysLeft = days - 1 - day;
    if (daysLeft === Math.min(FAILING_FOR_DAYS, days - 1)) await addFailingWebhook(client, receivers);
    const analyst = await signInAnalyst(target, dice.pick(analysts));
    // Work takes time, and none of it may lie in the future.
    const pause = () => clock.travelTo(Math.min(clock.now() + PAUSE_MS, nowMs));
    await workOnIncidents(analyst, { dice, keepOpen: daysLeft < 2 ? 14 : 2, pause });
    if (day % 5 === 2) await exporter.status.get();
  }
  await addKeys(client, 'recent');
  await addIndicators(client, dice, nowMs);
  await addInvitations(client);
  clock.arrive();
  events += await live(planPresent(dice, policies), { devices, clock });
  await addScans(client);
  const signedIn = analysts.slice(0, 2).map((person) => signInAnalyst(target, person));
  await triageIncidents(await Promise.all(signedIn), 3);
  await client.devices.update('dev_lost-phone', { status: 'revoked' });
  const keepReporting = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const present = planPresent(dice, policies);
      await live([dice.pick(present)], { devices, clock });
      await sleep(REPORT_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  return { people, events, keepReporting, close: () => receivers.close() };
}

async function registerDevices({
  baseUrl,
  tenantId,
  credential,
  clock,
}: PopulationTarget): Promise<Map<string, PopulationDevice>> {
  const setting = { baseUrl, tenantId, credential, nowMs: () => clock.now() };
  const devices = await Promise.all(DEVICES.map((spec) => PopulationDevice.register(spec, setting)));
  return new Map(devices.map((device) => [device.spec.deviceId, device]));
}

/** Lets the devices send what happens on one day. Returns the number of events. */
async function live(
  planned: readonly PlannedEvents[],
  { devices, clock }: { devices: ReadonlyMap<string, PopulationDevice>; clock: TravelClock },
): Promise<number> {
  let events = 0;
  for (const { atMs, device, contents } of planned) {
    clock.travelTo(atMs);
    await devices.get(device.deviceId)?.send(contents);
    events += contents.length;
  }
  return events;
}

/** Signs an analyst in, so that their work has their name. */
async function signInAnalyst(
  { baseUrl, tenantId }: PopulationTarget,
  person: PopulationPerson,
): Promise<Analyst> {
  const credential = await tokenOf(baseUrl, { person, tenantId });
  return { accountId: person.accountId, client: createClient({ baseUrl, credential }) };
}
