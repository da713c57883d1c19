import { expect, test, vi } from 'vitest';
import { createClient } from '../create-client.ts';
import { startScriptedService } from '../testing/scripted-service.ts';

test('a deprecated operation is named on the console once, others are not', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { url } = await startScriptedService(({ path }) => ({
    json: {},
    headers: path.startsWith('/alerts/')
      ? { deprecation: '@1801353600', sunset: 'Tue, 01 Feb 2028 00:00:00 GMT' }
      : {},
  }));
  const client = createClient({ baseUrl: url, credential: 'secret' });
  for (const id of ['alr_1', 'alr_2']) await client.alerts.get(id);
  await client.status.get();
  const lines = warn.mock.calls;
  warn.mockRestore();
  expect(lines).toEqual([
    [
      'GET /alerts/{id} is deprecated since 2027-01-31. It may be removed from Tue, 01 Feb 2028 00:00:00 GMT on.',
    ],
  ]);
});
