import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Indicator,
  type IndicatorBundle,
  type IndicatorIndex,
  keysOfUrl,
  signBundle,
} from '@tps/detection/indicators';
import { expect, test } from 'vitest';
import { systemClock } from '../clock/system-clock.ts';
import type { ReceivedRequest, Reply } from '../testing/checking-service.ts';
import { startScene } from '../testing/enrolled-agent.ts';

const HOUR = 3_600_000;
const service = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');

const EVIL: Indicator = {
  type: 'domain',
  value: 'evil.example',
  source: 'test-list',
  category: 'phishing',
  threatType: 'known_indicator',
  confidence: 0.9,
};

function spkiOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

function keysReply(...keys: readonly KeyObject[]): Reply {
  return [200, { keys: keys.map((key) => ({ keyid: 'any', public_key_b64: spkiOf(key) })) }];
}

/** Answers as the service does: the bundle with its tag, or 304 when the tag matches. */
function bundleReply(parts: Partial<IndicatorBundle> = {}, privateKey = service.privateKey) {
  const bundle = {
    version: 2,
    tenantId: 'tnt_1',
    generatedAtMs: Date.now(),
    expiresAtMs: Date.now() + HOUR,
    indicators: [EVIL],
    ...parts,
  };
  const etag = `"${bundle.version}"`;
  const envelope = signBundle(bundle, privateKey);
  return ({ ifNoneMatch }: ReceivedRequest): Reply =>
    ifNoneMatch === etag ? [304, undefined, { etag }] : [200, envelope, { etag }];
}

async function sceneWith(parts: Partial<IndicatorBundle> = {}) {
  const scene = await startScene();
  const { indicatorReplies: replies } = scene.service.state;
  replies['/indicators/keys'] = keysReply(service.publicKey);
  replies['/indicators/bundle'] = bundleReply(parts);
  const asked = () =>
    scene.service.received.filter(({ path }) => path.startsWith('/indicators')).map(({ path }) => path);
  return { ...scene, replies, asked, files: join(scene.directory, 'indicators') };
}

function isListed(index: IndicatorIndex): boolean {
  return index.find(keysOfUrl('https://www.evil.example/a'), Date.now()).length === 1;
}

test('an agent without a bundle finds no indicator', async () => {
  const { agent } = await startScene();
  expect(isListed(agent.indicators())).toBe(false);
  expect(await agent.refreshIndicators()).toBe(false);
  expect(agent.health().indicators).toEqual({ count: 0, version: undefined });
});

test('a bundle is requested with its tag and survives a restart and an outage', async () => {
  const { agent, open, asked, service: feed } = await sceneWith();
  expect(await agent.refreshIndicators()).toBe(true);
  expect(isListed(agent.indicators())).toBe(true);
  expect(await agent.refreshIndicators()).toBe(true);
  expect(asked()).toEqual(['/indicators/keys', '/indicators/bundle', '/indicators/bundle']);
  expect(feed.received.at(-1)?.ifNoneMatch).toBe('"2"');
  await agent.close();
  await feed.close();
  const later = await open();
  expect(await later.refreshIndicators()).toBe(false);
  expect(isListed(later.indicators())).toBe(true);
  expect(later.health().indicators).toMatchObject({ count: 1, version: 2, refused: undefined });
});

test('a changed bundle replaces the one before, and an index returned earlier does not change', async () => {
  const { agent, replies } = await sceneWith();
  await agent.refreshIndicators();
  const before = agent.indicators();
  replies['/indicators/bundle'] = bundleReply({ version: 3, indicators: [] });
  expect(await agent.refreshIndicators()).toBe(true);
  expect([isListed(before), isListed(agent.indicators())]).toEqual([true, false]);
});

test.each([
  ['not_signed', bundleReply({ version: 3, indicators: [] }, stranger.privateKey)],
  ['other_tenant', bundleReply({ version: 3, indicators: [], tenantId: 'tnt_2' })],
  ['rolled_back', bundleReply({ version: 1, indicators: [] })],
  ['expired', bundleReply({ version: 3, indicators: [], expiresAtMs: Date.now() - HOUR })],
  ['malformed', [200, { payloadType: 'other' }] satisfies Reply],
])('a bundle that is %s is rejected and reported once', async (code, reply) => {
  const { agent, replies, notices, open } = await sceneWith();
  await agent.refreshIndicators();
  replies['/indicators/bundle'] = reply;
  expect(await agent.refreshIndicators()).toBe(false);
  expect(await agent.refreshIndicators()).toBe(false);
  expect(isListed(agent.indicators())).toBe(true);
  expect(agent.health().indicators).toMatchObject({ version: 2, refused: code });
  expect(notices).toMatchObject([{ kind: 'indicators_refused', message: expect.stringContaining(code) }]);
  await agent.close();
  expect(isListed((await open()).indicators())).toBe(true);
});

test('the key trusted first stays the only one, across restarts and new keys', async () => {
  const { agent, open, replies, asked } = await sceneWith();
  await agent.refreshIndicators();
  await agent.close();
  replies['/indicators/keys'] = keysReply(stranger.publicKey);
  replies['/indicators/bundle'] = bundleReply({ version: 3 }, stranger.privateKey);
  const later = await open();
  expect(await later.refreshIndicators()).toBe(false);
  expect(asked().filter((path) => path === '/indicators/keys')).toHaveLength(1);
});

test('pinned keys alone are trusted, and the service is not asked for keys', async () => {
  const { agent, open, replies, asked } = await sceneWith();
  await agent.close();
  const given = await open({ indicatorKeys: [spkiOf(stranger.publicKey)] });
  expect(await given.refreshIndicators()).toBe(false);
  replies['/indicators/bundle'] = bundleReply({}, stranger.privateKey);
  expect(await given.refreshIndicators()).toBe(true);
  expect(asked()).not.toContain('/indicators/keys');
  await given.close();
  await expect(open({ indicatorKeys: ['AAAA'] })).rejects.toThrow(TypeError);
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await expect(open({ indicatorKeys: [spkiOf(p256.publicKey)] })).rejects.toThrow(TypeError);
});

test.each(['bundle.json', 'state.json'])('a damaged %s counts as missing', async (file) => {
  const { agent, open, files } = await sceneWith();
  await agent.refreshIndicators();
  await agent.close();
  const whole = await readFile(join(files, file), 'utf8');
  for (const content of [
    '',
    '{',
    '[]',
    whole.slice(0, -9),
    '{"version":-1}',
    '{"version":1,"keys":["AAAA"]}',
  ]) {
    await writeFile(join(files, file), content);
    const later = await open();
    expect(isListed(later.indicators())).toBe(false);
    expect(await later.refreshIndicators()).toBe(true);
    expect(isListed(later.indicators())).toBe(true);
    await later.close();
  }
});

test('an older bundle is rejected even when the stored one is damaged', async () => {
  const { agent, open, files, replies } = await sceneWith();
  await agent.refreshIndicators();
  await agent.close();
  await writeFile(join(files, 'bundle.json'), '{');
  replies['/indicators/bundle'] = bundleReply({ version: 1 });
  const later = await open();
  expect(await later.refreshIndicators()).toBe(false);
  expect(later.health().indicators?.refused).toBe('rolled_back');
});

test('an expired bundle finds nothing, by the service’s clock once it is known', async () => {
  const nowMs = Date.now();
  const clock = { nowMs, sleep: async () => {} };
  const scene = await sceneWith({ expiresAtMs: nowMs + HOUR });
  await scene.agent.close();
  const agent = await scene.open({ clock: { nowMs: () => clock.nowMs, sleep: clock.sleep } });
  clock.nowMs = nowMs + 48 * HOUR;
  expect(await agent.refreshIndicators()).toBe(true);
  expect(isListed(agent.indicators())).toBe(true);
  clock.nowMs += 2 * HOUR;
  expect(isListed(agent.indicators())).toBe(false);
  expect(agent.health().indicators?.count).toBe(0);
});

test('an agent without models classifies by indicators, and other content is unsupported', async () => {
  const { agent } = await sceneWith();
  await agent.refreshIndicators();
  const classify = (text: string) => agent.classify({ type: 'text', text });
  expect(classify('see www.evil.example/a')).toMatchObject({ status: 'completed', verdict: 'block' });
  expect(classify('see you tonight')).toMatchObject({ status: 'unsupported', verdict: 'warn' });
});

test('of two concurrent refreshes the newer bundle wins, even if the older takes longer', async () => {
  const { agent, replies } = await sceneWith();
  const many = Array.from({ length: 20_000 }, (_, at) => ({ ...EVIL, value: `evil-${at}.example` }));
  const [older, newer] = [bundleReply({ indicators: many }), bundleReply({ version: 3, indicators: [] })];
  let asked = 0;
  replies['/indicators/bundle'] = (received) => {
    asked += 1;
    return asked === 1 ? older(received) : newer(received);
  };
  await Promise.all([agent.refreshIndicators(), agent.refreshIndicators()]);
  expect(agent.health().indicators).toMatchObject({ version: 3, count: 0 });
});

test('a 304 without a stored bundle is not accepted', async () => {
  const { agent, replies } = await sceneWith();
  replies['/indicators/bundle'] = [304, undefined];
  expect(await agent.refreshIndicators()).toBe(false);
});

test('a bundle may exceed the size limit of other answers', async () => {
  const indicators = Array.from({ length: 1200 }, (_, at): Indicator => {
    return { ...EVIL, type: 'url', value: `evil.example/${at}/${'a'.repeat(4000)}` };
  });
  const { agent } = await sceneWith({ indicators });
  expect(await agent.refreshIndicators()).toBe(true);
  expect(agent.indicators().size).toBe(1200);
});

test('invalid keys are not trusted', async () => {
  const { agent, replies, asked } = await sceneWith();
  for (const keys of [
    [],
    [{}],
    [null],
    [{ public_key_b64: 'AAAA' }],
    'keys',
    Array(17).fill({ public_key_b64: spkiOf(service.publicKey) }),
  ]) {
    replies['/indicators/keys'] = [200, { keys }];
    expect(await agent.refreshIndicators()).toBe(false);
  }
  expect(asked()).not.toContain('/indicators/bundle');
});

test('an autonomous agent fetches indicators in the background', async () => {
  const { agent, open } = await sceneWith();
  await agent.close();
  const working = await open({ autonomous: true });
  await expect.poll(() => isListed(working.indicators())).toBe(true);
});

/** A service that names this tag as current, and an agent that polls it every few milliseconds. */
async function pollWith(etag: string, parts: Partial<IndicatorBundle> = {}) {
  const nowMs = Date.now();
  const scene = await sceneWith({ expiresAtMs: nowMs + HOUR, ...parts });
  const { service, agent } = scene;
  await agent.refreshIndicators();
  await agent.refreshPolicies();
  await agent.close();
  service.state.updatesReply = [200, { policies: null, indicators: etag }];
  const time = { passedMs: 0 };
  service.clock.nowMs = () => Date.now() + time.passedMs;
  const clock = {
    nowMs: () => Date.now() + time.passedMs,
    sleep: (_: number, signal: AbortSignal) => systemClock.sleep(5, signal),
  };
  const working = await scene.open({ autonomous: true, clock });
  const known = service.received.length;
  /** The requests for the bundle since the agent polls, each with its tag. */
  const bundles = () =>
    service.received.slice(known).flatMap(({ path, ifNoneMatch }) => {
      return path === '/indicators/bundle' ? [ifNoneMatch] : [];
    });
  const polls = () => service.received.slice(known).filter(({ path }) => path.endsWith('/updates')).length;
  return { ...scene, working, time, bundles, polls };
}

test('the current tag of the service confirms the bundle in force, also as a weak tag', async () => {
  const { working, polls, bundles, time } = await pollWith('W/"2"');
  const before = working.health().indicators?.confirmedAt ?? '';
  time.passedMs = 60_000;
  await expect.poll(polls).toBeGreaterThan(5);
  expect(working.health().indicators).toMatchObject({ count: 1, version: 2, refused: undefined });
  expect((working.health().indicators?.confirmedAt ?? '') > before).toBe(true);
  expect(bundles()).toEqual([]);
});

test('the current tag of the service does not extend a bundle that has expired', async () => {
  const { working, time, bundles, polls } = await pollWith('"2"');
  await expect.poll(polls).toBeGreaterThan(1);
  time.passedMs = 2 * HOUR;
  // It is fetched whole, and rejected again.
  await expect.poll(() => bundles().length).toBeGreaterThan(1);
  expect(new Set(bundles())).toEqual(new Set([undefined]));
  expect(isListed(working.indicators())).toBe(false);
  expect(working.health().indicators).toMatchObject({ count: 0, refused: 'expired' });
});

test('another tag makes the agent fetch the bundle, which it accepts by the same rules', async () => {
  const { working, replies, bundles, notices } = await pollWith('"3"');
  replies['/indicators/bundle'] = bundleReply({ version: 3, indicators: [] }, stranger.privateKey);
  await expect.poll(() => working.health().indicators?.refused).toBe('not_signed');
  await expect.poll(() => bundles().length).toBeGreaterThan(2);
  expect(new Set(bundles())).toEqual(new Set(['"2"']));
  expect(isListed(working.indicators())).toBe(true);
  expect(notices.filter(({ kind }) => kind === 'indicators_refused')).toHaveLength(1);
  replies['/indicators/bundle'] = bundleReply({ version: 3, indicators: [] });
  await expect.poll(() => working.health().indicators?.version).toBe(3);
});
