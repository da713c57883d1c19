import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SCOPES } from '@tps/contract';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { mintCredential } from '../../../platform/crypto/credentials.ts';

const service = useTestService();

const get = (headers: Record<string, string>, path = '/status') =>
  service.client.send('GET', path, { headers });

/** Sends headers that occur more than once, each on its own line. */
async function getRaw(headers: OutgoingHttpHeaders): Promise<{ status: number; text: string }> {
  const sent = request(`${service.baseUrl}/status`, { headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

describe('the headers a credential may come in', () => {
  test('are Authorization: Bearer, in any case, and X-API-Key', async () => {
    const { credential } = service.tenant;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      expect((await get({ authorization: `${scheme} ${credential}` })).status, scheme).toBe(200);
    }
    expect((await get({ 'x-api-key': credential })).status).toBe(200);
  });

  test('may both be used when they agree', async () => {
    const { credential } = service.tenant;
    const answer = await get({ authorization: `Bearer ${credential}`, 'x-api-key': credential });
    expect(answer.status).toBe(200);
  });

  test('must not differ, even when both credentials are valid', async () => {
    const { credential, tenantId } = service.tenant;
    const another = await service.createCredential(tenantId, SCOPES);
    const answer = await get({ authorization: `Bearer ${credential}`, 'x-api-key': another });
    expectRefusal(answer, 401, 'invalid_credentials');
  });

  test.each(['Bearer', 'Bearer  ', 'Basic dXNlcjpwYXNz', 'Bearer a b', 'Token x', ''])(
    'are rejected when Authorization is %j, also beside a valid X-API-Key',
    async (authorization) => {
      const answer = await get({ authorization, 'x-api-key': service.tenant.credential });
      expectRefusal(answer, 401, 'invalid_credentials');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  test.each(['authorization', 'x-api-key'])('are rejected when %s is sent twice', async (name) => {
    const { credential, tenantId } = service.tenant;
    const value = (secret: string) => (name === 'authorization' ? `Bearer ${secret}` : secret);
    const another = await service.createCredential(tenantId, SCOPES);
    for (const second of [another, credential, 'nonsense']) {
      const answer = await getRaw({ [name]: [value(credential), value(second)] });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/"invalid_parameter".*(Authorization|X-API-Key)/);
    }
    expect((await getRaw({ [name]: [value(credential)] })).status).toBe(200);
  });

  test('do not come from cookies or another header', async () => {
    const { credential } = service.tenant;
    const answer = await get({
      cookie: `token=${credential}`,
      'proxy-authorization': `Bearer ${credential}`,
    });
    expectRefusal(answer, 401, 'missing_credentials');
  });

  test.each([1, 400, 8000])('are rejected with an unknown credential of %d characters', async (length) => {
    expectRefusal(await get({ 'x-api-key': 'x'.repeat(length) }), 401, 'invalid_credentials');
  });

  test('are rejected with a truncated credential or changed case', async () => {
    const { credential } = service.tenant;
    for (const wrong of [credential.slice(0, -1), `${credential}0`, credential.toUpperCase()]) {
      expectRefusal(await get({ 'x-api-key': wrong }), 401, 'invalid_credentials');
    }
  });
});

describe('a credential in the URL or the body', () => {
  const secrets = ['svc_live_', 'svc_test_', 'svc_at_', 'svc_rt_'].map(
    (prefix) => `${prefix}${'a1B2'.repeat(9)}`,
  );

  test.each(secrets)('%s is rejected in the query, even beside a valid header', async (secret) => {
    for (const query of [
      `api_key=${secret}`,
      `cursor=${secret}`,
      secret,
      `x=${secret.replaceAll('_', '%5F')}`,
    ]) {
      const answer = await service.client.send('GET', `/events?${query}`, {
        credential: service.tenant.credential,
      });
      expectRefusal(answer, 400, 'credential_in_query');
    }
  });

  test.each(secrets)('%s is rejected in the query when it is percent-encoded, also twice', async (secret) => {
    const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    const queries = [
      secret.replace('s', '%73'),
      secret.replaceAll('_', '%255F'),
      secret.replace('v', '%2576'),
      encoded,
      encoded.replaceAll('%', '%25'),
      encoded.replaceAll('%', '%2525').toUpperCase(),
    ];
    for (const query of queries) {
      const { credential } = service.tenant;
      const answer = await service.client.send('GET', `/events?cursor=${query}`, { credential });
      expectRefusal(answer, 400, 'credential_in_query');
    }
  });

  test.each(secrets)('%s is rejected in the body when it is written with escapes', async (secret) => {
    const asEscape = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
    const escaped = [...secret].map(asEscape).join('');
    const texts = [
      secret.replace('s', asEscape),
      secret.replaceAll('_', (character) => asEscape(character).toUpperCase().replace('U', 'u')),
      secret.replace(/[a-z]{2,4}(?=_)/g, (word) => [...word].map(asEscape).join('')),
      escaped,
    ];
    for (const written of texts) {
      const { credential } = service.tenant;
      const body = `{"name":"for ${written}","threat_categories":["phishing"],"action":"warn"}`;
      expectRefusal(
        await service.client.send('POST', '/policies', { credential, body }),
        400,
        'credential_in_query',
      );
    }
  });

  test('is not mistaken for other escaped or encoded text', async () => {
    const { credential } = service.tenant;
    const body = '{"name":"\\u0073vc \\u00fc svc live","threat_categories":["phishing"],"action":"warn"}';
    expect((await service.client.send('POST', '/policies', { credential, body })).status).toBe(201);
    expectRefusal(
      await service.client.send('GET', '/events?cursor=%73vc%20live%ff%', { credential }),
      400,
      'invalid_cursor',
    );
  });

  test('is never used: a valid one in the query grants nothing', async () => {
    const { credential } = service.tenant;
    expectRefusal(await get({}, `/status?api_key=${credential}`), 400, 'credential_in_query');
  });

  test('is rejected in the body and stored nowhere', async () => {
    const { credential } = service.tenant;
    const leaked = mintCredential('live').reveal();
    const body = { name: `for ${leaked}`, threat_categories: ['phishing'], action: 'warn' };
    expectRefusal(
      await service.client.send('POST', '/policies', { credential, body }),
      400,
      'credential_in_query',
    );
    expect((await service.client.send('GET', '/policies', { credential })).text).not.toContain('svc_');
  });

  test('appears neither in a response nor in the log', async () => {
    const leaked = mintCredential('live').reveal();
    const { credential } = service.tenant;
    const answers = [
      await service.client.send('GET', `/events?key=${leaked}`, { credential }),
      await service.client.send('GET', `/tokens/${leaked}`, { credential }),
      await service.client.send('GET', `/${leaked}`, { credential }),
      await service.client.send('PUT', `/events?key=${leaked}`, { credential }),
      await service.client.send('POST', '/policies', { credential, body: { [leaked]: 1 } }),
      await get({ authorization: `Bearer ${leaked}` }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(leaked);
    }
    expect(service.log()).toContain('"operation":"listEvents"');
    for (const secret of [leaked, credential, service.operatorCredential]) {
      expect(service.log()).not.toContain(secret.slice(9));
    }
  });
});
