import { expect, test } from 'vitest';
import { EVENT, OLD_SECRET, SECRET, signDelivery } from './testing/sign-delivery.ts';
import { runReceiver, startReceiver } from './testing/start-receiver.ts';

const EXAMPLES = ['node-http', 'express', 'fastify', 'hono'];

function commandOf(example: string): [string, ...string[]] {
  const path = `examples/webhook-receivers/src/${example}.ts`;
  return [process.execPath, '--conditions=source', '--disable-warning=ExperimentalWarning', path];
}

test.each(EXAMPLES)(
  'the example for %s accepts genuine deliveries, each event once, and stops on SIGTERM',
  async (example) => {
    const env = { WEBHOOK_SECRET: SECRET, WEBHOOK_SECRET_NEXT: OLD_SECRET, PORT: '0' };
    const receiver = await startReceiver(commandOf(example), env);
    const post = async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
      const answer = await fetch(receiver.url, { method: 'POST', headers, body });
      return { status: answer.status, said: await answer.text() };
    };
    const timestampS = Math.floor(Date.now() / 1000);
    const genuine = signDelivery({ timestampS });

    const tampered = { ...genuine, body: genuine.body.replace('"high"', '"low"') };
    expect(await post(tampered)).toEqual({
      status: 401,
      said: expect.stringContaining('signature_mismatch'),
    });
    const old = signDelivery({ timestampS: timestampS - 600 });
    expect(await post(old)).toEqual({
      status: 401,
      said: expect.stringContaining('timestamp_out_of_tolerance'),
    });
    expect(await post(genuine)).toEqual({ status: 200, said: '{"status":"handled"}' });
    const again = signDelivery({ timestampS, attempt: 2, secret: OLD_SECRET });
    expect(await post(again)).toEqual({ status: 200, said: '{"status":"duplicate"}' });
    expect((await fetch(receiver.url.replace('/webhooks', '/elsewhere'))).status).toBe(404);

    expect(receiver.output().split('\n').slice(1)).toEqual([`${EVENT.event_id}: high phishing`, '']);
    expect(await receiver.stop()).toBe(0);
  },
);

test.each(EXAMPLES)(
  'the example for %s does not start without a secret, and names the missing variable',
  async (example) => {
    const { code, output } = await runReceiver(commandOf(example), { PORT: '0' });
    expect(code).not.toBe(0);
    expect(output).toContain('Set WEBHOOK_SECRET');
  },
);
