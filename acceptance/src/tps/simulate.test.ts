import { newFolder } from '@tps/testing/fixture';
import { spawnService } from '@tps/testing/process';
import { createTpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';

interface Report {
  readonly ok: boolean;
  readonly recorded: number;
  readonly delivered: number;
  readonly attempts_offline: number;
  readonly processes_killed: number;
  readonly record_ms: { readonly p99: number };
}

const FAULTS = ['--offline', '30%', '--clock-skew', '30s', '--kill', '50%'];

async function startService() {
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: `sqlite:${newFolder()}/service.db` } });
  const env = { TPS_URL: service.baseUrl, TPS_CREDENTIAL: service.credentials().admin };
  return { env, user: createTpsUser() };
}

test('a simulated fleet under outages, wrong clocks and kills loses and repeats no event', async () => {
  const { env, user } = await startService();
  const size = ['--devices', '10', '--rate', '40', '--duration', '3s'];
  const { code, stdout, stderr } = await user.spawn(['agent', 'simulate', ...size, ...FAULTS, '--json'], {
    env,
  });
  expect(code, stderr + stdout).toBe(0);
  const report = JSON.parse(stdout) as Report;
  expect(report).toMatchObject({ ok: true, devices: 10, missing: 0, repeated: 0, processes_killed: 2 });
  expect(report.recorded).toBeGreaterThan(40);
  expect(report.delivered).toBe(report.recorded);
  expect(report.attempts_offline).toBeGreaterThan(0);
  process.stdout.write(`simulated: ${stdout.replace(/\s+/g, ' ')}\n`);
});
