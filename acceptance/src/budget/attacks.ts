import { hash } from 'node:crypto';
import { BATCH_LIMIT, BULK_LIMIT, IMPORT_LIMIT } from '@tps/contract';
import type { RawRequest } from '../scan/raw-post.ts';
import { type Attacker, manyIndicators, type RequestParts, richMembers, withNote } from './attacker.ts';

/** Requests that are sent at the same time. */
export interface Attack {
  readonly name: string;
  readonly make: (attacker: Attacker, operationId: string) => Promise<RawRequest[]>;
  /** False when every answer is 401. */
  readonly isGenuine: boolean;
  /** Resolves when the work that the requests started is done. */
  readonly settled?: (attacker: Attacker) => Promise<void>;
}

export const MIB = 1_048_576;
const KIB = 1024;

type AttackOptions = Partial<Pick<Attack, 'isGenuine' | 'settled'>> & { readonly count?: number };

/** The operation's own request, with parts replaced, so many times at once. */
export function many(count: number, parts: RequestParts = {}, name = `${count} requests at once`): Attack {
  const make: Attack['make'] = (attacker, operationId) =>
    Promise.all(Array.from({ length: count }, () => attacker.request(operationId, parts)));
  return { name, make, isGenuine: true };
}

/** The operation's own request with another body. */
export function withBody(
  name: string,
  makeBody: (attacker: Attacker) => Buffer | object,
  { count = 1, isGenuine = true, ...others }: AttackOptions = {},
): Attack {
  const times = count > 1 ? `, ${count} at once` : '';
  return {
    name: `${name}${times}${isGenuine ? '' : ', with a wrong signature'}`,
    isGenuine,
    ...others,
    make: (attacker, operationId) => {
      const request = () => {
        const made = makeBody(attacker);
        const body = Buffer.isBuffer(made) ? made : Buffer.from(JSON.stringify(made));
        return attacker.request(operationId, { body, isGenuine });
      };
      return Promise.all(Array.from({ length: count }, request));
    },
  };
}

const fill = (bytes: number, part: string) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));

/** A body of members with different names. */
function manyMembers(bytes: number): Buffer {
  const parts: string[] = [];
  for (let length = 0, at = 0; length < bytes - 20; at += 1) {
    const member = `"${at.toString(36)}":1,`;
    parts.push(member);
    length += member.length;
  }
  return Buffer.from(`{${parts.join('')}"end":1}`);
}

const BODIES = new Map<string, Buffer>();

/** Makes a large body once. */
function once(key: string, make: () => Buffer): () => Buffer {
  return () => {
    const body = BODIES.get(key) ?? make();
    BODIES.set(key, body);
    return body;
  };
}

export function wideBody(bytes: number, options: AttackOptions = {}): Attack {
  return withBody(
    'a body of members',
    once(`members ${bytes}`, () => manyMembers(bytes - 100)),
    options,
  );
}

const HOSTILE_BODIES: readonly [name: string, make: (bytes: number) => string][] = [
  ['numbers', (bytes) => `{"a":[${fill(bytes, '1,')}1]}`],
  ['one repeated member', (bytes) => `{${fill(bytes, '"a":1,')}"a":1}`],
  ['brackets', (bytes) => fill(bytes, '[')],
  ['escapes', (bytes) => `{"a":"${fill(bytes, '\\u0041')}"}`],
  ['escaped quotes', (bytes) => `{"a":"${fill(bytes, '\\"')}"}`],
  ['credentials', (bytes) => `{"a":"${fill(bytes, 'svc_live_')}"}`],
];

export function hostileBodies(bytes: number): Attack[] {
  return [
    wideBody(bytes),
    ...HOSTILE_BODIES.map(([name, make]) =>
      withBody(
        `a body of ${name}`,
        once(`${name} ${bytes}`, () => Buffer.from(make(bytes - 100))),
      ),
    ),
  ];
}

const LONG_QUERY = Array.from({ length: 1_400 }, (_, at) => `p${at.toString(36)}=1`).join('&');
export const LONG_CURSOR = `cursor=${'A'.repeat(512)}`;

/** What any operation gets. */
export const ANY_OPERATION: readonly Attack[] = [
  many(10, { query: LONG_QUERY }, '10 huge queries'),
  many(10, { headers: { 'x-long': fill(12 * KIB, 'a,') } }, '10 huge headers'),
];

export const read = [many(30)];
export const list = [
  many(30, { query: 'limit=100' }, '30 full pages'),
  many(30, { query: LONG_CURSOR }, '30 long cursors'),
];
export const filtered = (filters: string) => [
  many(30, { query: `limit=100&${filters}` }, '30 filtered pages'),
];
export const counted = (filters: string) => [
  many(30, { query: 'interval=minute' }, '30 counts by the minute'),
  many(30, { query: filters }, '30 filtered counts'),
];
export const change = (count = 30): Attack[] => [many(count), wideBody(MIB)];

const HOSTILE_TEXTS: readonly [name: string, part: string][] = [
  ['digits', '1 '],
  ['capitals', 'Ab Cd '],
  ['brackets', '[('],
  ['colons', 'a:1:'],
  ['at signs', 'a@a.'],
];

/** Its redaction changes in each pass, so that it takes several times as long. */
const UNSETTLED_TEXT = '\ufe0f٣)٣-&0\n';

export const times = <Item>(length: number, make: (index: number) => Item) =>
  Array.from({ length }, (_, index) => make(index));

/** As many events as fit, or fewer, each with much of one text. */
function batchOf(part: string, count = BATCH_LIMIT): (attacker: Attacker) => object {
  return ({ device }) => ({
    events: times(count, () =>
      device.event({
        description: fill(3_500, part),
        indicators: times(8, () => fill(500, part)),
        metadata: withNote(fill(900, part)),
      }),
    ),
  });
}

const batch = (event: (attacker: Attacker, index: number) => object) => (attacker: Attacker) => ({
  events: times(BATCH_LIMIT, (index) => event(attacker, index)),
});

export const submitEvents: Attack[] = [
  ...HOSTILE_TEXTS.map(([name, part]) => withBody(`500 events of ${name}`, batchOf(part))),
  withBody('50 events of unsettled texts', batchOf(UNSETTLED_TEXT, 50)),
  withBody(
    '500 events with 64 indicators',
    batch(({ device }, index) => device.event({ indicators: times(64, (at) => `sig:${index}-${at}`) })),
  ),
  withBody(
    '500 events with wide metadata',
    batch(({ device }) => ({
      ...device.event(),
      metadata: Object.fromEntries(times(400, (at) => [`k${at}`, 1])),
    })),
  ),
  withBody(
    'a full batch',
    batch(({ device }, index) => device.event(richMembers(`${Date.now()}`, index))),
    { count: 4 },
  ),
  withBody(
    '500 corrections',
    batch(({ device, ids }) => device.event({ corrects_event_id: ids.event, action_taken: 'allow' })),
  ),
  withBody('one event of 5 MB', ({ device }) => ({
    events: [device.event({ description: fill(5 * MIB - 2_000, 'x') })],
  })),
  withBody(
    'a million items',
    once('items', () => Buffer.from(`{"events":[${fill(5 * MIB, '1,')}1]}`.slice(-5 * MIB))),
  ),
  wideBody(5 * MIB, { isGenuine: false }),
  withBody('500 events of digits', batchOf('1 '), { count: 4, isGenuine: false }),
  ...hostileBodies(5 * MIB),
];

const RANDOM_PARTS = [
  '1',
  ' ',
  'A',
  'a',
  '[',
  '(',
  '.',
  ':',
  '@',
  '%',
  '+',
  '-',
  '/',
  '\u0301',
  '\u200d',
  'é',
  '"',
  '\\',
];

/** A batch of events whose texts repeat a random pattern. The same seed gives the same pattern. */
export function randomAttack(seed: number): Attack {
  const pick = (at: number) => hash('sha256', `${seed} ${at}`, 'buffer').readUInt32LE() % RANDOM_PARTS.length;
  const part = times(2 + (seed % 6), (at) => RANDOM_PARTS[pick(at)]).join('');
  return withBody(`events of ${JSON.stringify(part)}`, batchOf(part));
}

export const submitEvent: Attack[] = [
  many(100),
  withBody('an event', ({ device }) => device.event(), { count: 100, isGenuine: false }),
  ...[...HOSTILE_TEXTS, ['unsettled texts', UNSETTLED_TEXT] as const].map(([name, part]) =>
    withBody(
      `an event of ${name}`,
      ({ device }) =>
        device.event({
          description: fill(4_000, part),
          indicators: times(64, () => fill(500, part)),
          correction_reason: fill(1_000, part),
        }),
      { count: 10 },
    ),
  ),
  ...hostileBodies(MIB),
];

const base64 = (part: string) => Buffer.from(fill(12 * MIB - 1_000, part)).toString('base64');
const megabytes = (part: string) => fill(16 * MIB - 1_000, part);
const scan = (name: string, body: () => object, options: AttackOptions = {}) =>
  withBody(
    name,
    once(`scan ${name}`, () => Buffer.from(JSON.stringify(body()))),
    options,
  );

export const scanContent: Attack[] = [
  scan('16 MiB of a page', () => ({
    type: 'file',
    filename: 'page.html',
    content_b64: base64('<a href="https://x.example/">hello</a>'),
  })),
  scan('16 MiB called a picture', () => ({ type: 'media', content_b64: base64('\u00ff\u00d8') })),
  scan('16 MiB of text', () => ({ type: 'text', content: megabytes('a ') })),
  scan('16 MiB of a link', () => ({ type: 'url', content: megabytes('https://x.example/a') })),
  scan('16 MiB of a name', () => ({ type: 'app', app: { package_name: megabytes('a.') } })),
  scan('500 permissions', () => ({
    type: 'app',
    app: { package_name: 'com.example.app', permissions: times(500, (at) => `${at}`.padEnd(255, 'p')) },
  })),
  scan('a text of letters that grow', () => ({ type: 'text', content: fill(4_000, '\ufdfa') }), { count: 8 }),
  scan(
    'a conversation of letters that grow',
    () => ({
      type: 'text',
      content: fill(4_000, '\ufdfa'),
      context: { known_sender: false, previous: times(20, () => fill(2_000, '\ufdfa')) },
    }),
    { count: 8 },
  ),
  scan('a long text', () => ({ type: 'text', content: fill(90_000, 'Pay now https://x.example/ ') }), {
    count: 8,
  }),
  ...hostileBodies(16 * MIB),
];

export const importIndicators: Attack[] = [
  withBody('a full import', () => ({ source: 'full', indicators: manyIndicators(IMPORT_LIMIT) })),
  withBody(
    'a full import of long URLs',
    () => ({
      source: 'long',
      indicators: manyIndicators(IMPORT_LIMIT).map((one, at) => ({
        ...one,
        value: `https://h${at}.example/${fill(4_000, 'p%20')}`,
      })),
    }),
    { count: 3 },
  ),
  withBody(
    'a full import that replaces',
    () => ({ source: 'many', replace: true, indicators: manyIndicators(IMPORT_LIMIT) }),
    { count: 4 },
  ),
  ...hostileBodies(5 * MIB),
];

export const checkIndicators: Attack[] = [
  withBody('a full list of long values', () => ({
    indicators: times(IMPORT_LIMIT, (at) => ({ value: `https://h${at}.example/${fill(4_000, 'p%20')}` })),
  })),
  ...hostileBodies(5 * MIB),
];

/** A bulk change of as many items as a request may name. They do not exist: each is looked up, with its locks. */
export const bulkOf = (prefix: string, wanted: object) => () => ({
  ids: times(BULK_LIMIT, (at) => `${prefix}_${at}`),
  change: wanted,
});
