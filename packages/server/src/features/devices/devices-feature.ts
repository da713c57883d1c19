import type { Feature, SharedParts } from '../feature.ts';
import type { IndicatorsFeature } from '../indicators/indicators-feature.ts';
import { DeviceCredentials } from '../tokens/index.ts';
import { deviceBulkRoutes } from './device-bulk-routes.ts';
import { DeviceKeys } from './device-keys.ts';
import { registerDeviceMetrics } from './device-metrics.ts';
import { deviceRoutes } from './device-routes.ts';
import { DeviceService } from './device-service.ts';
import { SignatureFailures } from './monitoring/signature-failures.ts';
import { SilenceWatch } from './monitoring/silence-watch.ts';
import * as nonceStore from './nonce-store.ts';

export type DevicesFeature = ReturnType<typeof devicesFeature>;

/** Devices and their keys, and the incidents about silent devices and failing signatures. */
export function devicesFeature(shared: SharedParts, { bundles }: IndicatorsFeature) {
  const { config, database, requests, clock, metrics } = shared;
  registerDeviceMetrics(metrics, { database, clock });
  const failures = new SignatureFailures({ ...shared, database: requests });
  const keys = new DeviceKeys(database, (request, deviceId) => failures.record(request, deviceId));
  const credentials = new DeviceCredentials({ lifetimeDays: config.devices.credentialDays });
  const devices = new DeviceService({ ...shared, database: requests, keys, credentials });
  const silence = new SilenceWatch({ database, clock, ...config.monitoring });
  const parts = { ...shared, ...config.monitoring, database: requests, devices, bundles };
  return {
    ...{ keys },
    routes: [...deviceRoutes(parts), ...deviceBulkRoutes(parts)],
    chores: { 'silent devices': (signal) => silence.checkIfDue(signal) },
    purgeTenant: (tenantId, nowMs) => database.transaction((tx) => nonceStore.purge(tx, tenantId, nowMs)),
    close: () => failures.flush(),
  } satisfies Feature;
}
