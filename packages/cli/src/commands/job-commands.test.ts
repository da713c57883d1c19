import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestContext } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../run.ts';

/** Starts a service whose only job has this status. */
async function startService(status: string): Promise<string> {
  const job = { job_id: 'job_1', status, input_refs: [], artifact_refs: [], run_count: 1, max_runs: 3 };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['waiting_review', 0],
  ['failed', 1],
  ['cancelled', 1],
])(
  'jobs create --wait reports by its exit code whether a recommendation is ready: %s',
  async (status, code) => {
    const env = {
      XDG_CONFIG_HOME: '/nonexistent',
      TPS_URL: await startService(status),
      TPS_CREDENTIAL: 'svc_test_ThisIsNotARealCredential',
    };
    const { context, stdout } = createTestContext({ env });
    expect(await run(['jobs', 'create', 'inc_1', '--wait'], context)).toBe(code);
    expect(stdout()).toContain(status);
  },
);
