import type { Policy } from '@tps/contract';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

type Page = { data: Policy[]; has_more: boolean; next_cursor: string | null };

let made = 0;
/** Ids that the client chose: their order is unrelated to time. */
async function create({ credential }: TestTenant, suffix: string): Promise<string> {
  made += 1;
  const policyId = `pol_${suffix}-${made}`;
  const body = { policy_id: policyId, name: 'p', threat_categories: ['phishing'], action: 'warn' };
  const answer = await service.client.send('POST', '/policies', { credential, body });
  expect(answer.status, answer.text).toBe(201);
  return policyId;
}

async function readPage(
  { credential }: TestTenant,
  limit: number,
  cursor: string | undefined,
): Promise<Page> {
  const search = new URLSearchParams({ limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
  const answer = await service.client.send('GET', `/policies?${search}`, { credential });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
}

const suffix = fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/);

/** The list before the walk; false leaves the clock, so that several items share a millisecond. */
const before = fc.array(fc.record({ suffix, tick: fc.boolean() }), { maxLength: 25 });

/** The pages of the walk, and what is added or archived between them. */
const steps = fc.array(
  fc.record({ limit: fc.integer({ min: 1, max: 7 }), added: fc.array(suffix, { maxLength: 2 }) }),
  { minLength: 30, maxLength: 30 },
);

test('walking pages of any size returns each item once, newest first, despite new ones', async () => {
  await fc.assert(
    fc.asyncProperty(before, steps, async (items, walk) => {
      const tenant = await service.createTenant();
      const createdAt = new Map<string, number>();
      for (const item of items) {
        if (item.tick) clock.advance(1);
        createdAt.set(await create(tenant, item.suffix), clock.now());
      }
      const walked: string[] = [];
      let cursor: string | undefined;
      for (const { limit, added } of walk) {
        const page = await readPage(tenant, limit, cursor);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        expect(page.has_more).toBe(page.next_cursor !== null);
        if (page.has_more) expect(page.data).toHaveLength(limit);
        walked.push(...page.data.map(({ policy_id }) => policy_id));
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
        clock.advance(1);
        for (const one of added) await create(tenant, one);
      }
      expect([...walked].sort()).toEqual([...createdAt.keys()].sort());
      const times = walked.map((id) => createdAt.get(id) ?? 0);
      expect(times).toEqual([...times].sort((a, b) => b - a));
    }),
    { numRuns: 15 },
  );
});

test('archiving the item at a cursor loses nothing of the rest', async () => {
  const tenant = await service.createTenant();
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    clock.advance(1);
    ids.unshift(await create(tenant, 'a'));
  }
  const first = await readPage(tenant, 2, undefined);
  const { credential } = tenant;
  await service.client.send('DELETE', `/policies/${ids[1]}`, { credential });
  await service.client.send('DELETE', `/policies/${ids[3]}`, { credential });
  const rest = await readPage(tenant, 100, first.next_cursor ?? undefined);
  expect(rest.data.map(({ policy_id }) => policy_id)).toEqual([ids[2], ids[4], ids[5]]);
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
});

test('an empty list has no more pages and no cursor', async () => {
  const tenant = await service.createTenant();
  expect(await readPage(tenant, 5, undefined)).toEqual({ data: [], has_more: false, next_cursor: null });
});
