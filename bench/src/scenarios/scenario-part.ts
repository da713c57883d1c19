import type { LoadClientCalls } from '../load/load-client.ts';
import { startCallable } from '../process-calls.ts';
import { createPart } from '../run-bench.ts';
import {
  measureLargeTenant,
  measureManyDevices,
  measureSlowDisk,
  measureTenants,
} from './measure-scenarios.ts';
import { SCENARIO_OPTIONS, type ScenarioOptions } from './scenario-options.ts';

const MEASURE = {
  'slow-disk': measureSlowDisk,
  'large-tenant': measureLargeTenant,
  tenants: measureTenants,
  'many-devices': measureManyDevices,
} as const;

/** Single events under unusual conditions, without targets. */
export const SCENARIO_PART = createPart({
  table: SCENARIO_OPTIONS,
  async measure(context) {
    const client = startCallable<LoadClientCalls>('./load/load-client.ts');
    context.atEnd(() => client.stop());
    const { groups, engines } = context.options;
    console.log('\nscenarios');
    for (const group of groups) {
      for (const engine of engines) await MEASURE[group]({ ...context, client }, engine);
    }
  },
  page: { part: 'scenarios', subject: 'scenarios', command: 'npm run bench -- --only scenarios', explain },
});

function explain({ seconds, warmUp, devices, flushMs, largeFeed, manyDevices }: ScenarioOptions) {
  return {
    summary: `Every figure is one window of ${seconds} s, after a warm-up of ${warmUp} s. Scenarios have no targets.`,
    method: [
      `Every row sends single signed events, as the rows of \`POST /events\` in [Requests](#requests) do: with
        ${devices} devices, unless the row says otherwise.`,
      `Slow disk: a preloaded library waits ${flushMs} ms before each \`fsync\` and \`fdatasync\`, in the process of
        the service on SQLite and in the server on PostgreSQL.`,
      `Large tenant: one store has a tenant with 1,000 events and one with ${largeFeed.toLocaleString('en')}. The
        events were written through the schema of the service, without its derivation. The small tenant sends first.`,
      `Tenants: the devices are divided among the tenants, with at least one for each.`,
      `Many devices: ${manyDevices.toLocaleString('en')} devices of one tenant send in turn, so no key is in a cache
        of the service. They share 24 key pairs; the service keeps a key for each device.`,
    ],
  };
}
