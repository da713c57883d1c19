import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

/** A server of another host, which this machine is too. */
async function startElsewhere() {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    response.end('reached');
  });
  await once(server.listen(0, '127.0.0.2'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.2:${(server.address() as AddressInfo).port}/`, paths };
}

test.runIf(process.platform === 'linux')(
  'in tests of the console, a request to another host is reported and does not reach it',
  async () => {
    const { page, problems } = await openConsole(service, chromium, { allowMessages: [/ERR_/] });
    const { url, paths } = await startElsewhere();
    await expect(page.goto(url)).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
    expect(paths).toEqual([]);
    // Reported again at the end of the test, it would fail.
    expect(problems.foreignRequests.splice(0)).toEqual([url]);
  },
);
