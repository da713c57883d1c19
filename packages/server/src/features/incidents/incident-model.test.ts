import {
  INCIDENT_STATUSES,
  type Incident,
  type IncidentStatus,
  RESOLUTIONS,
  type Resolution,
} from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The next step of a person or the device. */
type Command =
  | {
      kind: 'patch';
      status: IncidentStatus | undefined;
      resolution: Resolution | undefined;
      comment: boolean;
    }
  | { kind: 'event' };

/** An incident in the model, which uses no code of the service. */
interface Model {
  id: string;
  status: IncidentStatus;
  resolution: Resolution | null;
  changes: number;
  alerts: number;
}

const service = useTestService();

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';

const LEGAL: Record<IncidentStatus, readonly IncidentStatus[]> = {
  open: ['in_progress', 'on_hold', 'resolved', 'closed'],
  in_progress: ['open', 'on_hold', 'resolved'],
  on_hold: ['in_progress', 'resolved'],
  resolved: ['in_progress', 'closed'],
  closed: [],
};

/** Returns the incident after a PATCH; undefined when it is rejected. */
function expectedAfter(model: Model, { status: to, resolution, comment }: Command & { kind: 'patch' }) {
  const { status: from } = model;
  const isSame = resolution === undefined || resolution === model.resolution;
  if (to === undefined || to === from)
    return isSame ? { status: from, resolution: model.resolution } : undefined;
  if (!LEGAL[from].includes(to)) return undefined;
  if (to === 'resolved') return resolution && { status: to, resolution };
  if (from === 'open' && to === 'closed') {
    const isDismissal = resolution && ['false_positive', 'duplicate', 'test'].includes(resolution);
    return isDismissal ? { status: to, resolution } : undefined;
  }
  if (from === 'resolved' && to === 'in_progress') {
    return comment && resolution === undefined ? { status: to, resolution: null } : undefined;
  }
  return isSame ? { status: to, resolution: model.resolution } : undefined;
}

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      status: fc.option(fc.constantFrom(...INCIDENT_STATUSES), { nil: undefined }),
      resolution: fc.option(fc.constantFrom(...RESOLUTIONS), { nil: undefined, freq: 2 }),
      comment: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'event' as const }) },
);

test('any sequence of changes and events follows the lifecycle exactly', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 30, maxLength: 30 }), async (all) => {
      const device = await registerTestDevice(service, { tenant: await service.createTenant() });
      const models = [await openByEvent(device, [])];
      for (const command of all) {
        const model = models.at(-1) as Model;
        if (command.kind === 'event') await sendEvent(device, models);
        else seen.add(await patch(device, model, command));
      }
      for (const model of models) expect(await readModel(device, model.id)).toEqual(model);
    }),
    { numRuns: IS_SQLITE ? 30 : 10 },
  );
  // Fewer steps do not reach every transition. The rules are the same on both stores.
  if (!IS_SQLITE) return;
  // 900 steps, dozens per allowed transition: every allowed transition occurred, and rejections in every status.
  const legal = Object.entries(LEGAL).flatMap(([from, targets]) => targets.map((to) => `${from} ${to} 200`));
  expect([...seen]).toEqual(expect.arrayContaining(legal));
  for (const from of INCIDENT_STATUSES)
    expect([...seen].some((move) => move.startsWith(`${from} `) && move.endsWith('422'))).toBe(true);
});

async function patch(
  device: TestDevice,
  model: Model,
  command: Command & { kind: 'patch' },
): Promise<string> {
  const { status, resolution, comment } = command;
  const isEmpty = status === undefined && resolution === undefined && !comment;
  const expected = isEmpty ? undefined : expectedAfter(model, command);
  const answer = await service.client.send('PATCH', `/incidents/${model.id}`, {
    ...device.tenant,
    body: { status, resolution, ...(comment ? { comment: 'because' } : {}) },
  });
  const from = model.status;
  const wanted = expected ? 200 : isEmpty ? 400 : 422;
  expect({ from, ...command, got: answer.status }).toEqual({ from, ...command, got: wanted });
  if (expected) {
    const hasChanged = comment || expected.status !== from;
    Object.assign(model, expected, { changes: model.changes + Number(hasChanged) });
  }
  return `${from} ${status ?? from} ${answer.status}`;
}

/** An event joins an unresolved incident, or opens another one. */
async function sendEvent(device: TestDevice, models: Model[]): Promise<void> {
  const last = models.at(-1) as Model;
  if (last.status === 'resolved' || last.status === 'closed') {
    models.push(
      await openByEvent(
        device,
        models.map(({ id }) => id),
      ),
    );
    return;
  }
  await post(device);
  last.alerts += 1;
}

async function openByEvent(device: TestDevice, known: readonly string[]): Promise<Model> {
  await post(device);
  const { body } = await service.client.send('GET', '/incidents', device.tenant);
  const fresh = (body as { data: Incident[] }).data.filter(({ id }) => !known.includes(id));
  expect(fresh).toHaveLength(1);
  return { id: fresh[0]?.id ?? '', status: 'open', resolution: null, changes: 0, alerts: 1 };
}

async function post(device: TestDevice): Promise<void> {
  expect((await device.post(device.event())).status).toBe(201);
}

async function readModel(device: TestDevice, id: string): Promise<Model> {
  const { body } = await service.client.send('GET', `/incidents/${id}`, device.tenant);
  const { status, resolution, timeline, alert_ids: alertIds } = body as Incident;
  const changes = timeline.filter(({ kind }) => kind === 'changed').length;
  return { id, status, resolution, changes, alerts: alertIds.length };
}
