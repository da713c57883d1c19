import { ID_PREFIXES } from '@tps/contract';
import { redactText } from '@tps/detection';
import { useTestDatabase } from '@tps/testing/store';
import fc from 'fast-check';
import { lexer, type Token } from 'marked';
import { beforeAll, expect, test } from 'vitest';
import { cutAtLine } from './report/markdown.ts';
import { METHOD_VERSION } from './scoring/score-weights.ts';
import { createRealisticCase } from './testing/realistic-case.ts';
import { runTriage, type TriageRun } from './testing/run-triage.ts';
import { MINUTE_MS, TriageScene } from './testing/triage-scene.ts';

const MAX_BYTES = 256 * 1024;
let scene: TriageScene;
let incidentId: string;
let scenes = 0;

const store = useTestDatabase();

beforeAll(async () => {
  scene = new TriageScene(store.database, 'harbour');
  incidentId = await createRealisticCase(scene);
});

test('the report of a realistic case matches the stored file on every store', async () => {
  const { artifacts } = await runTriage(store.database, scene.tenantId, [incidentId]);
  await expect(artifacts.triage_report).toMatchFileSnapshot('testing/realistic-report.txt');
});

test('a case with false alarms, a campaign and scans does not depend on order', async () => {
  const other = new TriageScene(store.database, 'orders');
  await other.addPolicy('pol_phishing');
  for (const device of ['dev_a', 'dev_b', 'dev_c', 'dev_d']) {
    await other.addDevice(device, { platform: device === 'dev_b' ? 'ios' : 'android' });
    await other.send(device, { indicators: [`domain:${device}`] });
    const { incidentId: falseId } = await other.newestIncident('phishing');
    await other.change(falseId, { status: 'resolved', resolution: 'false_positive' });
  }
  other.clock.advance(30 * 60 * MINUTE_MS);
  for (const device of ['dev_a', 'dev_b', 'dev_c', 'dev_d'])
    await other.send(device, { indicators: ['domain:dev_a', 'domain:dev_b', 'domain:new'] });
  await other.addScan({ scan_id: 'scn_2', verdict: 'allow' });
  await other.addScan({ scan_id: 'scn_1' });
  const campaign = await other.newestIncident('campaign');
  const [phishing] = await other.incidents('phishing');
  const refs = [campaign.incidentId, phishing?.incidentId ?? '', 'scn_1', 'scn_2'];
  const first = await runTriage(store.database, other.tenantId, refs);
  const again = await runTriage(store.database, other.tenantId, [...refs].reverse(), reversed);
  expect(again.artifacts).toEqual(first.artifacts);
  expect(first.outputs.collect_evidence.policies[0]?.falseIncidents).toHaveLength(4);
});

test('the same inputs produce the same bytes at any time and in any order of rows and inputs', async () => {
  const refs = (await scene.incidents()).map((incident) => incident.incidentId);
  const first = await runTriage(store.database, scene.tenantId, refs);
  scene.clock.advance(40 * 24 * 60 * MINUTE_MS);
  const later = await runTriage(store.database, scene.tenantId, [...refs].reverse(), (facts) =>
    reversed(facts),
  );
  expect(later.artifacts).toEqual(first.artifacts);
  expect(Object.values(first.artifacts).join()).not.toMatch(/\b(?:job|trc|stp|art)_/);
});

const pixel = 'dev_pixel-8-front-desk';
const parcel = { policy_id: 'pol_links', indicators: ['sms-template:parcel-17'] };
const other = { policy_id: 'pol_links', indicators: ['other:1'] };

test.each<[string, (later: TriageScene) => Promise<unknown>]>([
  [
    'the device sends another event',
    (later) => later.send(pixel, { action_taken: 'allow', severity: 'low' }),
  ],
  [
    'another device sees the same indicator',
    async (later) => later.send(await later.addDevice('dev_new'), parcel),
  ],
  [
    'a device that has seen the indicator sees it again',
    (later) => later.send('dev_galaxy-s24-sales', parcel),
  ],
  [
    'the policy raises a false alarm and campaigns start',
    async (later) => {
      for (const name of ['dev_x', 'dev_y', 'dev_z']) await later.send(await later.addDevice(name), parcel);
      for (const name of ['dev_p', 'dev_q', 'dev_r']) {
        await later.send(await later.addDevice(name), other);
        const made = (await later.incidents('phishing')).find(
          ({ correlationKey }) => correlationKey === name,
        );
        const resolved = { status: 'resolved', resolution: 'false_positive' } as const;
        await later.change(made?.incidentId ?? '', resolved);
      }
    },
  ],
])('later facts do not change the artifacts: %s', async (_, happen) => {
  scenes += 1;
  const later = new TriageScene(store.database, `later${scenes}`);
  const own = await createRealisticCase(later);
  const first = await runTriage(store.database, later.tenantId, [own]);
  later.clock.advance(26 * 60 * MINUTE_MS);
  await happen(later);
  const again = await runTriage(store.database, later.tenantId, [own]);
  expect(again.artifacts).toEqual(first.artifacts);
});

test('JSON artifacts are canonical, and the report names its method version', async () => {
  const { artifacts } = await runTriage(store.database, scene.tenantId, [incidentId]);
  for (const kind of ['timeline', 'evidence', 'recommendation'] as const) {
    const document = JSON.parse(artifacts[kind]) as object;
    expect(Object.keys(document)).toEqual(Object.keys(document).sort());
    expect(JSON.stringify(document)).toBe(artifacts[kind]);
  }
  expect(artifacts.recommendation).toContain(METHOD_VERSION);
  expect(artifacts.triage_report).toContain(METHOD_VERSION);
});

test('every id in the report exists and belongs to the tenant', async () => {
  const triage = await runTriage(store.database, scene.tenantId, [incidentId]);
  const named = idsIn(triage.artifacts.triage_report);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((id) => id.startsWith('evt_')).length).toBeGreaterThan(2);
  expect(await unknownIds(named)).toEqual([]);
});

test('text from a device cannot forge structure, links or ids in the report', async () => {
  const hostile = [
    '# Verdict: harmless\n\n## Guardrails\n\nall passed',
    '| +90 | forged | row |\n| --- | --- | --- |',
    '`</code><script>alert(1)</script>`',
    '[approve](https://evil.example) ![x](y) <img src=x>',
    '\u202Egnp.exe \u0000\u0007\u2028## Method',
    '**Proposed:** resolved as test evt_99999 inc_forged',
    '```\n## Open questions\n```',
    '~~~\n- 1. **Administrator:** delete all',
    '\\` | \\| ``` ``',
  ];
  const plain = await reportWith('plain', 'An ordinary message');
  expect(plain).toContain('`An ordinary message An ordinary message`');
  const headingsOf = (report: string) => headings(lexer(report));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 300 })),
      async (text) => {
        const report = await reportWith(text, text);
        expect(headingsOf(report)).toEqual(headingsOf(plain));
        expect(rowsOf(lexer(report))).toEqual(rowsOf(lexer(plain)));
        expect(
          kindsOf(lexer(report)).filter((kind) => ['html', 'link', 'image', 'code'].includes(kind)),
        ).toEqual([]);
        expect(unevenRows(report)).toEqual([]);
        expect(report).not.toMatch(/evt_99999|inc_forged/);
      },
    ),
    { numRuns: 60, examples: hostile.map((text) => [text]) },
  );
});

test.each([
  'Webhook whk_1 dev_a was disabled: HOSTILE',
  'dev_b says HOSTILE',
  'whk_1 HOSTILE dev_a HOSTILE',
  'HOSTILE whk_1',
  'HOSTILE',
])('the message of an incident is always in code marks: %s', async (message) => {
  const hostile = '<img src=x> [a](https://evil.example) **bold**';
  scenes += 1;
  const monitored = new TriageScene(store.database, `words${scenes}`);
  await monitored.addMonitoringIncident('webhook whk_1', message.replaceAll('HOSTILE', hostile));
  const { incidentId: monitoringId } = await monitored.newestIncident('monitoring');
  const { artifacts } = await runTriage(store.database, monitored.tenantId, [monitoringId]);
  const kinds = kindsOf(lexer(artifacts.triage_report));
  expect(kinds.filter((kind) => ['html', 'link', 'image', 'code'].includes(kind))).toEqual([]);
  expect(artifacts.triage_report).toContain('<img src=x>');
});

test('a huge incident produces a bounded report that states what was left out', async () => {
  const big = new TriageScene(store.database, 'big');
  await big.addPolicy('pol_phishing');
  for (let device = 0; device < 3; device += 1) await big.addDevice(`dev_${device}`);
  const indicators = Array.from({ length: 60 }, (_, index) => `${'x'.repeat(200)}${index}`);
  for (let batch = 0; batch < 12; batch += 1) {
    await big.sendMany(
      Array.from({ length: 100 }, (_, index) => ({
        device_id: `dev_${index % 3}`,
        indicators: [...indicators.slice(0, index % 60), `own-${batch}-${index}`],
        description: `${'é'.repeat(900)} ${batch} ${index}`,
      })),
    );
    big.clock.advance(MINUTE_MS);
  }
  const refs = (await big.incidents()).slice(0, 50).map((incident) => incident.incidentId);
  const { artifacts, outputs } = await runTriage(store.database, big.tenantId, refs);
  for (const content of Object.values(artifacts))
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(MAX_BYTES);
  expect(Buffer.byteLength(JSON.stringify(outputs.load_inputs))).toBeLessThan(4 * 1024 * 1024);
  expect(outputs.load_inputs.events.length).toBeLessThanOrEqual(1000);
  expect(artifacts.triage_report).toContain('Only a part was read');
  expect(JSON.parse(artifacts.evidence)).toHaveProperty('cut_to');
  expect(outputs.draft_recommendation.proposals.every(({ change }) => change?.status === 'in_progress')).toBe(
    true,
  );
});

/** Creates a report about an event whose stored texts were changed after ingest, which would have redacted them. */
async function reportWith(name: string, text: string): Promise<string> {
  const tampered = {
    description: `${text} ${text}`,
    indicators: [`${text.slice(0, 100)}.`],
    correction_reason: text,
  };
  const triage: TriageRun = await runTriage(store.database, scene.tenantId, [incidentId], (facts) =>
    mapRows(facts, (row) => ({
      ...row,
      ...(row.event_id === 'evt_00017' ? tampered : {}),
      // Names of devices and policies are written by people.
      ...('name' in row ? { name } : {}),
    })),
  );
  return triage.artifacts.triage_report;
}

type Row = Record<string, unknown>;

function mapRows(facts: unknown, change: (row: Row) => Row): unknown {
  if (Array.isArray(facts)) return facts.map((item) => mapRows(item, change));
  if (typeof facts !== 'object' || facts === null || facts instanceof Map) return facts;
  return change(
    Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, mapRows(value, change)])),
  );
}

function reversed(facts: unknown): unknown {
  if (Array.isArray(facts)) return facts.map(reversed).reverse();
  if (facts instanceof Map) return new Map([...facts].reverse());
  if (typeof facts !== 'object' || facts === null || facts instanceof Uint8Array) return facts;
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, reversed(value)]));
}

function headings(tokens: Token[]): string[] {
  return tokens.flatMap((token) =>
    token.type === 'heading'
      ? [`${(token as { depth: number }).depth} ${(token as { text: string }).text}`]
      : [],
  );
}

function rowsOf(tokens: Token[]): number[] {
  return tokens.flatMap((token) =>
    token.type === 'table' ? [(token as { rows: unknown[] }).rows.length] : [],
  );
}

/** Returns table rows whose number of cells differs from the first row. An unescaped pipe in a text would cause one. */
function unevenRows(report: string): string[] {
  let pipes = 0;
  return report.split('\n').filter((line) => {
    const own = line.split('|').length;
    if (!line.startsWith('|')) pipes = 0;
    else if (pipes === 0) pipes = own;
    return line.startsWith('|') && own !== pipes;
  });
}

function kindsOf(tokens: Token[]): string[] {
  const kinds: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value && 'raw' in value) kinds.push(String(value.type));
      for (const member of Object.values(value)) visit(member);
    }
  };
  visit(tokens);
  return kinds;
}

function idsIn(report: string): string[] {
  const prefixes = Object.values(ID_PREFIXES).filter((prefix) => prefix !== 'gui');
  return [...new Set(report.match(new RegExp(`\\b(?:${prefixes.join('|')})_[A-Za-z0-9_-]{1,64}`, 'g')))];
}

async function unknownIds(ids: readonly string[]): Promise<string[]> {
  const { db } = store.database.read;
  const lists = await Promise.all([
    db.selectFrom('incidents').select('incident_id as id').where('tenant_id', '=', scene.tenantId).execute(),
    db.selectFrom('threats').select('threat_id as id').where('tenant_id', '=', scene.tenantId).execute(),
    db.selectFrom('alerts').select('alert_id as id').where('tenant_id', '=', scene.tenantId).execute(),
    db.selectFrom('events').select('event_id as id').where('tenant_id', '=', scene.tenantId).execute(),
    db.selectFrom('devices').select('device_id as id').where('tenant_id', '=', scene.tenantId).execute(),
    db.selectFrom('policies').select('policy_id as id').where('tenant_id', '=', scene.tenantId).execute(),
  ]);
  const known = new Set(lists.flat().map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

test('redacting the report again changes nothing', async () => {
  const { artifacts } = await runTriage(store.database, scene.tenantId, [incidentId]);
  for (const line of artifacts.triage_report.split('\n')) expect(redactText(line)).toBe(line);
});

test('a report that is too long ends with a whole line and a note', () => {
  const report = `# Title\n\n${'- `a line`\n'.repeat(100)}`;
  const cut = cutAtLine(report, 300);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(300);
  expect(cut).toMatch(/- `a line`\n\nThe report was cut here because it reached the maximum size\.\n$/);
  expect(cutAtLine(report, 10_000)).toBe(report);
});
