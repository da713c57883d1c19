import { randomBytes } from 'node:crypto';
import { startTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { createClient, tokenRequest } from './testing/oauth-requests.ts';

const GRANT = { grant_type: 'client_credentials' };

test.each(['before', 'after'])(
  'while the store is down, a token request gets 503, also if that is %s the first one',
  async (when) => {
    const running = await startTestService({
      env: { SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64') },
    });
    try {
      const client = await createClient(running, { scopes: ['status:read'] });
      if (when === 'after') expect((await tokenRequest(running, client, GRANT)).status).toBe(200);
      await running.service.database.close();
      expect(await tokenRequest(running, client, GRANT)).toMatchObject({
        status: 503,
        body: { error: 'temporarily_unavailable' },
      });
    } finally {
      await running.stop().catch(() => undefined);
    }
  },
);
