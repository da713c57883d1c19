import { useReceivers } from '@tps/testing/receiver';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';

const receive = useReceivers();
const receiver = receive();
useTestService(async () => ({
  env: {
    ...WEBHOOK_ENV,
    SERVICE_NOTICE_URL: (await receiver).url,
    // The models cannot be loaded from it.
    SERVICE_SCAN_MODEL: import.meta.filename,
  },
}));

test('the operator is notified that a part of the service does not work', async () => {
  const [request] = await (await receiver).waitFor(1);
  const { text } = JSON.parse(request?.body ?? '') as { text: string };
  expect(text).toContain('[critical] Service unhealthy: Scans do not classify texts and links');
  expect(text).toContain('What to do: Run tps check, and see SERVICE_SCAN_MODEL.');
});
