import { type GuidanceCard, SEVERITIES } from '@tps/contract';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { loadGuidance } from './load-guidance.ts';

const cards = await loadGuidance();

const service = useTestService();

type Page = { data: GuidanceCard[]; has_more: boolean; next_cursor: string | null };

const send = (search: string, credential = service.tenant.credential) =>
  service.client.send('GET', `/guidance?${search}`, { credential });

async function list(search: string): Promise<Page> {
  const answer = await send(search);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
}

describe('GET /guidance', () => {
  test('lists the cards as they are in the library', async () => {
    expect(await list('limit=100')).toEqual({ data: cards, has_more: false, next_cursor: null });
  });

  test('returns the one card for a category, an audience and a locale', async () => {
    const { data } = await list('threat_category=phishing&audience=user&locale=de');
    expect(data.map(({ guidance_id }) => guidance_id)).toEqual(['gui_phishing-user-de']);
  });

  test.each([
    ['threat_category', 'deepfake', 6],
    ['audience', 'analyst', 12],
    ['locale', 'de', 18],
  ] as const)('filters by %s', async (name, value, count) => {
    const { data } = await list(`${name}=${value}&limit=100`);
    expect(data).toHaveLength(count);
    for (const card of data) expect(card[name]).toBe(value);
  });

  test.each(SEVERITIES)(
    'for severity %s, returns the cards for this or lower severities',
    async (severity) => {
      const { data } = await list(`severity=${severity}&limit=100`);
      const below = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1);
      expect(data).toEqual(cards.filter(({ severity_min }) => below.includes(severity_min)));
      expect(data.length).toBeGreaterThan(0);
    },
  );

  test('for a low severity, omits the cards for higher severities', async () => {
    expect((await list('severity=low&limit=100')).data.length).toBeLessThan(cards.length);
  });

  test.each([1, 5, 6, 100])('returns each matching card once in pages of %i', async (limit) => {
    const walked: GuidanceCard[] = [];
    let cursor = '';
    do {
      const page = await list(`locale=de&limit=${limit}${cursor}`);
      expect(page.data.length).toBeLessThanOrEqual(limit);
      expect(page.has_more).toBe(page.next_cursor !== null);
      walked.push(...page.data);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(cards.filter(({ locale }) => locale === 'de'));
  });

  test('rejects a cursor with other filters, and a cursor of another list', async () => {
    const { next_cursor } = await list('locale=de&limit=2');
    const other = await send(`locale=en&limit=2&cursor=${next_cursor}`);
    expect(other.body).toMatchObject({ error: { status: 400, code: 'cursor_filter_mismatch' } });
    const elsewhere = await service.client.send('GET', `/policies?cursor=${next_cursor}`, {
      credential: service.tenant.credential,
    });
    expect(elsewhere.body).toMatchObject({ error: { status: 400, code: 'invalid_cursor' } });
  });

  test.each([
    'threat_category=fishing',
    'severity=tiny',
    'audience=boss',
    'locale=fr',
    'locale=de&locale=en',
    'colour=red',
    'limit=101',
  ])('rejects %s', async (search) => {
    const answer = await send(search);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 'invalid_parameter' } });
  });

  test('is the same for every tenant', async () => {
    const { credential } = await service.createTenant();
    expect((await send('limit=100', credential)).body).toEqual(await list('limit=100'));
  });

  test('requires a credential with the scope status:read', async () => {
    const { tenantId } = service.tenant;
    expect((await service.client.send('GET', '/guidance')).status).toBe(401);
    const other = await service.createCredential(tenantId, ['events:read']);
    expect((await send('', other)).body).toMatchObject({
      error: { status: 403, code: 'insufficient_scope' },
    });
    const reader = await service.createCredential(tenantId, ['status:read']);
    expect((await send('', reader)).status).toBe(200);
  });

  test('lets only an operator name another tenant', async () => {
    const other = await service.createTenant();
    expect((await send(`tenant_id=${other.tenantId}`, service.operatorCredential)).status).toBe(200);
    expect((await send('', service.operatorCredential)).body).toMatchObject({
      error: { status: 400, code: 'tenant_required' },
    });
    expect((await send(`tenant_id=${other.tenantId}`)).body).toMatchObject({
      error: { status: 403, code: 'tenant_mismatch' },
    });
  });
});
