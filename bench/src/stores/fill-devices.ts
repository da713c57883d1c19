import { openDatabase } from '@tps/server/store';

const ROWS_PER_TRANSACTION = 5000;

/** Registers devices `dev_bench-0` and following through the schema of the service. The keys are used in turn. */
export async function fillDevices(
  url: string,
  { tenantId, count, publicKeys }: { tenantId: string; count: number; publicKeys: readonly string[] },
): Promise<void> {
  const database = await openDatabase(url, { exclusive: false });
  const keys = publicKeys.map((key) => Buffer.from(key, 'base64'));
  const nowMs = Date.now();
  const toRow = (index: number) => ({
    tenant_id: tenantId,
    device_id: `dev_bench-${index}`,
    platform: 'android',
    status: 'active',
    public_key: keys[index % keys.length] ?? Buffer.alloc(0),
    agent_version: null,
    name: null,
    registered_at: nowMs,
    revoked_at: null,
    version: 1,
  });
  try {
    for (let from = 0; from < count; from += ROWS_PER_TRANSACTION) {
      const length = Math.min(ROWS_PER_TRANSACTION, count - from);
      const rows = Array.from({ length }, (_, at) => toRow(from + at));
      await database.transaction((tx) => tx.insertMany('devices', rows));
    }
  } finally {
    await database.close();
  }
}
