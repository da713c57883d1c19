import { revokeDevices } from '@tps/contract';
import { changeInBulk } from '../../platform/http/bulk.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toDeviceFilter } from './device-routes.ts';
import type { DeviceService } from './device-service.ts';
import * as deviceStore from './device-store.ts';

export function deviceBulkRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  devices: DeviceService;
}): Route[] {
  const { database, cursors, devices } = parts;
  return [
    route(revokeDevices, async (exchange) => {
      const { tenantId } = exchange;
      const { change, ...selection } = exchange.body();
      return {
        status: 200,
        body: await changeInBulk({
          cursors,
          request: { tenantId, route: revokeDevices.path },
          selection,
          list: (filter, page) =>
            deviceStore.list(database.read, tenantId, { filter: toDeviceFilter(filter), page }),
          keyOf: (device) => [device.registeredAtMs, device.deviceId],
          idOf: (device) => device.deviceId,
          change: async (id) => {
            await devices.update(tenantId, id, { change, request: exchange });
            return {};
          },
        }),
      };
    }),
  ];
}
