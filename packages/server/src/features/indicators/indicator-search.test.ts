import type { CheckedIndicators, ThreatIndicator } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, useTestService } from '@tps/testing/service';
import { beforeAll, describe, expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());
const other = useFixture(() => service.createTenant());

const HOUR_MS = 3_600_000;
const hoursAhead = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const phishing = { category: 'phishing', threat_type: 'known_indicator', confidence: 0.9 };
const domain = (value: string, more = {}) => ({ type: 'domain', value, ...phishing, ...more });

function send(method: string, path: string, body?: object, of = tenant): Promise<TestAnswer> {
  return service.client.send(method, path, { credential: of.credential, ...(body && { body }) });
}

async function put(source: string, indicators: readonly object[]): Promise<void> {
  expect((await send('POST', '/indicators', { source, indicators })).status).toBe(200);
}

const LONG_PATH = `long.example/${'p'.repeat(400)}`;

beforeAll(async () => {
  await put('first', [
    domain('parcel-desk.example', { valid_until: hoursAhead(2) }),
    domain('parcel-post.example', { valid_until: hoursAhead(-2) }),
    domain('winter.example', { valid_from: hoursAhead(2) }),
    domain('bank.example'),
  ]);
  await put('second', [
    domain('parcel-desk.example'),
    { type: 'url', value: 'https://Parcel.example/Pay', ...phishing },
    { type: 'url', value: `https://${LONG_PATH}a`, ...phishing },
    { type: 'url', value: `https://${LONG_PATH}b`, ...phishing },
    { type: 'package', value: 'com.spy.app', ...phishing, category: 'malicious_app' },
  ]);
});

async function search(query: string, limit = 100): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const answer = await send('GET', `/indicators?limit=${limit}${query}${cursor}`);
    expect(answer.status, answer.text).toBe(200);
    const page = answer.body as { data: ThreatIndicator[]; next_cursor: string | null };
    found.push(...page.data.map(({ source, value }) => `${source} ${value.slice(0, 24)}${value.slice(-1)}`));
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  return found;
}

describe('a search of indicators', () => {
  test.each(['parcel', 'https://parcel', 'hxxps://parcel'])(
    'by %s finds values that begin so, by value',
    async (text) => {
      const all = await search(`&value=${encodeURIComponent(text)}`);
      expect(all).toEqual([
        'first parcel-desk.examplee',
        'second parcel-desk.examplee',
        'first parcel-post.examplee',
        'second parcel.example/Payy',
      ]);
      expect(await search(`&value=${encodeURIComponent(text)}`, 1)).toEqual(all);
    },
  );

  test('treats no character as a wildcard', async () => {
    expect(await search('&value=%25')).toEqual([]);
    expect(await search('&value=parcel_desk')).toEqual([]);
    expect(await search(`&value=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
  });

  test('pages through values that are longer than what it compares', async () => {
    expect((await search('&value=long', 1)).map((one) => one.slice(-1))).toEqual(['a', 'b']);
  });

  test('takes several sources, types and categories, or their negation', async () => {
    expect(await search('&source=!first&type=package,domain')).toHaveLength(2);
    expect(await search('&category=!phishing')).toEqual(['second com.spy.appp']);
    expect(await search('&value=parcel&source=second')).toHaveLength(2);
    expect(await search('&value=bank,winter')).toEqual(['first bank.examplee', 'first winter.examplee']);
    expect(await search('&value=!parcel,long&source=second')).toEqual(['second com.spy.appp']);
  });

  test('separates valid, future and expired indicators', async () => {
    expect(await search('&validity=expired')).toEqual(['first parcel-post.examplee']);
    expect(await search('&validity=upcoming')).toEqual(['first winter.examplee']);
    expect(await search('&validity=!current')).toHaveLength(2);
    expect(await search('&validity=current&source=first')).toHaveLength(2);
  });

  test.each(['&validity=never', '&value=', '&value=a,,b'])('is refused for %s', async (query) => {
    expect((await send('GET', `/indicators?limit=1${query}`)).body).toMatchObject({
      error: { code: 'invalid_parameter' },
    });
  });
});

describe('a check of values', () => {
  async function check(values: readonly object[], of = tenant) {
    const answer = await send('POST', '/indicators/check', { indicators: values }, of);
    expect(answer.status, answer.text).toBe(200);
    return (answer.body as CheckedIndicators).results;
  }

  test('returns type, canonical value and the sources that list it', async () => {
    const results = await check([
      { value: ' hxxps://parcel[.]example/Pay ' },
      { value: 'PARCEL-DESK.example' },
      { value: 'com.spy.app', type: 'package' },
      { value: 'new.example' },
    ]);
    expect(results.map(({ type, value, known }) => [type, value, known.map(({ source }) => source)])).toEqual(
      [
        ['url', 'parcel.example/Pay', ['second']],
        ['domain', 'parcel-desk.example', ['first', 'second']],
        ['package', 'com.spy.app', ['second']],
        ['domain', 'new.example', []],
      ],
    );
    expect(results.every(({ problem }) => problem === null)).toBe(true);
  });

  test('explains what cannot be an indicator, beside what can', async () => {
    const results = await check([
      { value: 'co.uk', type: 'domain' },
      { value: 'com.spy.monitorx' },
      { value: '127.0.0.1', type: 'domain' },
      { value: 'xyz', type: 'sha256' },
      { value: 'fine.example' },
    ]);
    expect(results.map(({ problem }) => problem === null)).toEqual([false, false, false, false, true]);
    expect(results[3]).toEqual({
      type: 'sha256',
      value: null,
      problem: 'a SHA-256 is 64 hexadecimal digits',
      known: [],
    });
    expect(results[1]?.type).toBeNull();
  });

  test("does not show another tenant's indicators, and needs its scope", async () => {
    expect((await check([{ value: 'bank.example' }], other))[0]?.known).toEqual([]);
    const credential = await service.createCredential(tenant.tenantId, ['devices:write']);
    const body = { indicators: [{ value: 'bank.example' }] };
    const answer = await service.client.send('POST', '/indicators/check', { credential, body });
    expect(answer.status).toBe(403);
  });
});
