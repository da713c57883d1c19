import { connect } from 'node:net';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();

const policy = { name: 'Block', threat_categories: ['phishing'], action: 'block' };

function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return service.client.send('POST', '/policies', { credential: service.tenant.credential, body, headers });
}

async function countPolicies(): Promise<number> {
  const { credential } = service.tenant;
  const { body } = await service.client.send('GET', '/policies?limit=100', { credential });
  return (body as { data: unknown[] }).data.length;
}

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
}

/** Sends raw bytes and returns everything received until the service closes. */
function sendRaw(text: string, { thenEnd = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    if (thenEnd) socket.end(text);
    else socket.write(text);
  });
}

const head = (extra: string) =>
  `POST /policies HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.tenant.credential}\r\ncontent-type: application/json\r\n${extra}\r\n`;

const text = JSON.stringify(policy);
const members = text.slice(1, -1);
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('a body that is not JSON, or not the JSON of the operation', () => {
  test.each([
    ['is empty', '', 'invalid_json'],
    ['ends early', text.slice(0, -3), 'invalid_json'],
    ['continues after its end', `${text}x`, 'invalid_json'],
    ['has a comment', `{/**/${members}}`, 'invalid_json'],
    ['has a trailing comma', `{${members},}`, 'invalid_json'],
    ['holds NaN', `{${members},"confidence_threshold":NaN}`, 'invalid_json'],
    ['begins with a byte order mark', `\ufeff${text}`, 'invalid_json'],
    ['names a member twice', `{${members},"name":"again"}`, 'invalid_json'],
    ['names a member twice, once escaped', `{${members},"\\u006eame":"again"}`, 'invalid_json'],
    ['is nested 40 deep', nested(40), 'invalid_json'],
    ['is nested 100 000 deep', nested(100_000), 'invalid_json'],
    ['names __proto__', `{${members},"__proto__":{"enabled":false}}`, 'invalid_field'],
    ['names constructor.prototype', `{${members},"constructor":{"prototype":{}}}`, 'invalid_field'],
    ['contains a lone surrogate', `{${members.replace('Block', '\\ud800')}}`, 'invalid_field'],
    ['holds U+0000', `{${members.replace('Block', '\\u0000')}}`, 'invalid_field'],
    [
      'contains a number outside the range of a double',
      `{${members},"confidence_threshold":1e999}`,
      'invalid_field',
    ],
    ['has a string too long by one', JSON.stringify({ ...policy, name: 'x'.repeat(201) }), 'invalid_field'],
    ['has text for a number', `{${members},"confidence_threshold":"0.5"}`, 'invalid_field'],
    ['has a number for text', JSON.stringify({ ...policy, name: 5 }), 'invalid_field'],
    ['has null for text', JSON.stringify({ ...policy, name: null }), 'invalid_field'],
    ['is an array', `[${text}]`, 'invalid_field'],
    ['is null', 'null', 'invalid_field'],
    ['is a string', '"text"', 'invalid_field'],
    ['lacks a member', JSON.stringify({ ...policy, name: undefined }), 'missing_field'],
  ])('that %s is rejected and changes nothing', async (_what, body, code) => {
    const before = await countPolicies();
    expectRefusal(await post(body), 400, code);
    expect(await countPolicies()).toBe(before);
  });

  test('that is not UTF-8 is rejected', async () => {
    expectRefusal(await post(Buffer.from(text.replace('Block', 'Bl\xf6ck'), 'latin1')), 400, 'invalid_json');
  });

  test('at the maximum nesting is validated by its content', async () => {
    expectRefusal(await post(nested(32)), 400, 'missing_field');
  });

  test('is not echoed: the message names the member but not its value', async () => {
    const answer = await post(JSON.stringify({ ...policy, action: 'my-secret-value' }));
    expect(answer.text).toContain('action');
    expect(answer.text).not.toContain('my-secret-value');
    expect((await post('{"name": my-secret-value')).text).not.toContain('my-secret-value');
  });
});

describe('the media type', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'])(
    '%s is rejected',
    async (type) => {
      expectRefusal(await post(text, { 'content-type': type }), 415, 'unsupported_media_type');
    },
  );

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; Charset=utf8',
    'Application/JSON; profile=x; charset=Utf-8',
  ])('may name the charset UTF-8: %s', async (type) => {
    expect((await post(text, { 'content-type': type })).status).toBe(201);
  });

  test.each(['iso-8859-1', 'utf-16', '"utf-16le"', "utf-8'", '', 'utf-8; charset=utf-16'])(
    'with the charset %s is rejected',
    async (charset) => {
      const answer = await post(text, { 'content-type': `application/json; charset=${charset}` });
      expectRefusal(answer, 415, 'unsupported_media_type');
    },
  );

  test('is required with a body', async () => {
    const answer = await sendRaw(
      head(`content-length: ${text.length}\r\nconnection: close\r\n`).replace(/content-type.*\r\n/, '') +
        text,
    );
    expect(answer).toContain(' 415 ');
  });
});

describe('a content encoding', () => {
  test.each(['gzip', 'br', 'deflate', 'zstd', 'x-unknown', 'identity, gzip'])(
    '%s is rejected before the body is read',
    async (encoding) => {
      const before = await countPolicies();
      const answer = await sendRaw(
        head(`content-encoding: ${encoding}\r\ncontent-length: ${text.length}\r\nconnection: close\r\n`),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 415 /);
      expect(answer).toContain('Content-Encoding');
      expect(await countPolicies()).toBe(before);
    },
  );

  test('of identity is accepted', async () => {
    expect((await post(text, { 'content-encoding': 'Identity' })).status).toBe(201);
  });
});

describe('the problems of a request', () => {
  const problemsOf = async (method: string, path: string, body?: unknown) => {
    const { credential } = service.tenant;
    const headers = { accept: 'application/problem+json' };
    const answer = await service.client.send(method, path, {
      credential,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return answer.body as { detail: string; code: string; errors?: { field: string; message: string }[] };
  };

  test('are all listed, the first one as the message', async () => {
    const body = { threat_categories: ['phishing', 'x'], action: 'y', surprise: 1 };
    const { detail, code, errors } = await problemsOf('POST', '/policies', body);
    expect(code).toBe('missing_field');
    expect(errors).toEqual([
      { field: 'name', code: 'missing_field', message: detail },
      { field: 'surprise', code: 'invalid_field', message: expect.stringContaining('surprise') },
      {
        field: 'threat_categories[1]',
        code: 'invalid_field',
        message: expect.stringContaining('must be one of'),
      },
      { field: 'action', code: 'invalid_field', message: expect.stringContaining('must be one of') },
    ]);
  });

  test.each<[string, string, object | undefined, string]>([
    ['POST', '/policies', { action: 'y', surprise: 1 }, '3 more problems'],
    ['POST', '/policies', { name: 'x', threat_categories: ['phishing'] }, ''],
    ['GET', '/events?limit=0&severity=extreme', undefined, '1 more problem'],
    [
      'GET',
      `/events?limit=0&${Array.from({ length: 30 }, (_, n) => `x${n}=1`).join('&')}`,
      undefined,
      'at least 19 more problems',
    ],
  ])('are counted in an error that names one: %s %.20s', async (method, path, body, count) => {
    const { credential } = service.tenant;
    const options = { credential, ...(body === undefined ? {} : { body }) };
    const answer = await service.client.send(method, path, options);
    const { message } = (answer.body as { error: { message: string } }).error;
    const how = `(${count}: send Accept: application/problem+json to list all)`;
    if (count === '') expect(message).not.toContain('problem');
    else expect(message.endsWith(how), message).toBe(true);
  });

  test('suggest what was probably meant, and do not repeat what was sent', async () => {
    const token = await problemsOf('POST', '/tokens', { name: 'x', scopes: ['event:read', 'read:alerts'] });
    expect(token.errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/; did you mean events:read\?$/),
      expect.stringMatching(/; did you mean alerts:read\?$/),
    ]);
    const query = await problemsOf('GET', '/events?severty=high&severity=low,hgih&device-id=dev_a');
    expect(query.errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^severty is not a parameter of this operation; did you mean severity\?$/),
      expect.stringMatching(/; did you mean device_id\?$/),
      expect.stringMatching(/; did you mean high\?$/),
    ]);
    const member = await problemsOf('POST', '/policies', {
      name: 'x',
      threat_category: ['phishing'],
      Action: 'Block',
    });
    expect(member.errors?.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Action is not a known member; did you mean action\?$/),
    );
    expect(JSON.stringify([token, query])).not.toMatch(/event:read|hgih/);
  });

  test('of a query are listed by parameter', async () => {
    const path = '/events?limit=0&surprise=1&severity=extreme&since=x&since=y&cursor=';
    const { code, detail, errors } = await problemsOf('GET', path);
    expect(errors?.map(({ field }) => field).sort()).toEqual([
      'cursor',
      'limit',
      'severity',
      'since',
      'surprise',
    ]);
    expect(errors?.[0]).toMatchObject({ code, message: detail });
    const codes = new Map(errors?.map((problem) => [problem.field, (problem as { code?: string }).code]));
    expect(codes.get('cursor')).toBe('invalid_cursor');
    expect(codes.get('limit')).toBe('invalid_parameter');
  });

  test('are at most 20, however many there are', async () => {
    const surprises = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, index]));
    expect((await problemsOf('POST', '/policies', { ...policy, ...surprises })).errors).toHaveLength(20);
  });

  test('are not listed for a request without a list of them', async () => {
    expect(await problemsOf('GET', '/policies/pol_none')).not.toHaveProperty('errors');
    const plain = await post(JSON.stringify({ action: 'y' }));
    expect(plain.body).toEqual({
      error: { code: 'missing_field', message: expect.any(String), status: 400 },
    });
  });
});

describe('a body that is too large', () => {
  const tooLarge = JSON.stringify({ ...policy, name: 'x'.repeat(1_048_576) });

  test('is rejected by its Content-Length, before it was sent', async () => {
    const answer = await sendRaw(head('content-length: 1048577\r\n'));
    expect(answer).toContain(' 413 ');
    expect(answer).toContain('payload_too_large');
    expect(answer.toLowerCase()).toContain('x-ratelimit-limit');
  });

  test('is rejected when sent in chunks without a Content-Length', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < tooLarge.length; at += 65_536) {
          controller.enqueue(new TextEncoder().encode(tooLarge.slice(at, at + 65_536)));
        }
        controller.close();
      },
    });
    const response = await fetch(`${service.baseUrl}/policies`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.tenant.credential}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'payload_too_large' } });
  });

  test('is accepted at exactly the limit', async () => {
    const padding = 1_048_576 - text.length;
    expect((await post(`${text}${' '.repeat(padding)}`)).status).toBe(201);
    expectRefusal(await post(`${text}${' '.repeat(padding + 1)}`), 413, 'payload_too_large');
  });
});

describe('a wrong Content-Length', () => {
  test('too large, then disconnect: nothing is done, and it is not an internal error', async () => {
    const before = await countPolicies();
    await sendRaw(head(`content-length: ${text.length + 5}\r\n`) + text, { thenEnd: true });
    expect(await countPolicies()).toBe(before);
    expect(service.log()).not.toContain('"level":"error"');
  });

  test('too small: the rest is not a valid request', async () => {
    const answer = await sendRaw(head('content-length: 5\r\n') + text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain('x-request-id: req_');
    expect(answer).not.toContain(' 201 ');
  });

  test.each([
    'content-length: 5\r\ncontent-length: 6\r\n',
    'transfer-encoding: chunked\r\ncontent-length: 5\r\n',
    'content-length: -1\r\n',
  ])('%j is rejected: two parsers could read it as different requests', async (lines) => {
    expect(await sendRaw(head(lines) + text)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('a DELETE with a meaningless body is carried out', async () => {
  const { credential } = service.tenant;
  const made = (await post(text)).body as { policy_id: string };
  const answer = await service.client.send('DELETE', `/policies/${made.policy_id}`, {
    credential,
    body: 'not json',
    headers: { 'content-type': 'text/plain' },
  });
  expect(answer.status).toBe(204);
});
