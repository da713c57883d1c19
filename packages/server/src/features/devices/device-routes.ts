import {
  countDevices,
  getDevice,
  getDeviceHealth,
  getDeviceUpdates,
  listDevices,
  registerDevice,
  renewDeviceCredential,
  rotateDeviceKey,
  updateDevice,
} from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import type { BundleLibrary } from '../indicators/index.ts';
import { getPoliciesTag } from '../policies/index.ts';
import { toDevice } from './device.ts';
import { toDeviceCredential } from './device-credential.ts';
import type { DeviceService, PresentedKey } from './device-service.ts';
import * as deviceStore from './device-store.ts';
import { readDeviceHealth } from './health/read-device-health.ts';

export function deviceRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  devices: DeviceService;
  bundles: BundleLibrary;
  clock: Clock;
  silentHours: number;
}): Route[] {
  const { database, cursors, devices, bundles, clock, silentHours } = parts;
  return [
    route(listDevices, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listDevices.path, query },
        read: (page) => deviceStore.list(database.read, tenantId, { filter: toDeviceFilter(query), page }),
        keyOf: (device) => [device.registeredAtMs, device.deviceId],
        toItem: toDevice,
      }),
    })),

    route(countDevices, async ({ tenantId, query }) => {
      const options = { filter: toDeviceFilter(query), interval: query.interval };
      return { status: 200, body: await deviceStore.countOverTime(database.read, tenantId, options) };
    }),

    route(registerDevice, async (exchange) => {
      const presented = presentedKey(exchange.uncheckedBody) ?? toPresented(exchange.body());
      const { device, isNew, credential } = await devices.register(exchange, {
        presented,
        readBody: () => exchange.body(),
      });
      const body = { ...toDevice(device), ...(credential && { credential: toDeviceCredential(credential) }) };
      return isNew ? { status: 201, location: `/devices/${device.deviceId}`, body } : { status: 200, body };
    }),

    route(getDevice, async ({ tenantId, id }) => {
      const device = await deviceStore.find(database.read, tenantId, id);
      if (!device) throw notFound('device');
      return { status: 200, body: toDevice(device) };
    }),

    route(getDeviceHealth, async ({ tenantId, id }) => {
      const device = await deviceStore.find(database.read, tenantId, id);
      if (!device) throw notFound('device');
      const now = { nowMs: clock.now(), silentHours };
      return { status: 200, body: await readDeviceHealth(database.read, tenantId, { device, ...now }) };
    }),

    route(getDeviceUpdates, async ({ tenantId, id }) => {
      if (!(await deviceStore.find(database.read, tenantId, id))) throw notFound('device');
      const policies = await getPoliciesTag({ database, cursors }, tenantId);
      return { status: 200, body: { policies, indicators: await bundles.getTag(tenantId) } };
    }),

    route(updateDevice, async (exchange) => {
      const change = requestedChange(exchange.body());
      const device = await devices.update(exchange.tenantId, exchange.id, { change, request: exchange });
      return { status: 200, body: toDevice(device) };
    }),

    route(rotateDeviceKey, async (exchange) => {
      const { id: deviceId } = exchange;
      const presented = presentedKey({ ...Object(exchange.uncheckedBody), device_id: deviceId });
      const device = await devices.rotateKey(exchange, {
        deviceId,
        presented: presented ?? { deviceId, publicKeyB64: exchange.body().public_key_b64 },
        readBody: () => exchange.body(),
      });
      return { status: 200, body: toDevice(device) };
    }),

    route(renewDeviceCredential, async (exchange) => {
      const credential = await devices.renewCredential(exchange, {
        deviceId: exchange.id,
        readBody: () => exchange.body(),
      });
      return { status: 201, body: toDeviceCredential(credential) };
    }),
  ];
}

/** Reads the key before the body is validated, because the signature is checked first; undefined when it is missing. */
function presentedKey(body: unknown): PresentedKey | undefined {
  const { device_id: deviceId, public_key_b64: publicKeyB64 } = Object(body) as Record<string, unknown>;
  return typeof deviceId === 'string' && typeof publicKeyB64 === 'string'
    ? { deviceId, publicKeyB64 }
    : undefined;
}

function toPresented(body: { device_id: string; public_key_b64: string }): PresentedKey {
  return { deviceId: body.device_id, publicKeyB64: body.public_key_b64 };
}

/** Reads the filters of the list, which a bulk change has too. */
export function toDeviceFilter(query: Exchange<typeof countDevices>['query']): deviceStore.DeviceFilter {
  return {
    status: toAnyOf(query.status),
    platform: toAnyOf(query.platform),
    registered: toTimeRange(query),
  };
}
