import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import type { ScanResult } from '@tps/contract';
import { useTestService } from '@tps/testing/service';
import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw, toRawPost } from './raw-post.ts';
import { longestTurnMs } from './thread-time.ts';

const MIB = 1024 * 1024;
const CANARY = 'canary-in-a-coal-mine';
/** The longest time for an answer, and for other requests meanwhile. */
const ANSWER_MS = 2_000;
const TURN_MS = 50;
/** Slow or blocking code shows in each attempt. Other work of this process and this machine varies. */
const ATTEMPTS = 4;

const service = useTestService();

beforeAll(async () => {
  // Starts the threads and compiles the code.
  await scan({ type: 'file', content_b64: 'QUJD' });
  await scan({ type: 'text', content: 'hello' });
});

function toRequest(body: Buffer, credential = service.tenant.credential): Buffer {
  return toRawPost({ baseUrl: service.baseUrl, credential }, { path: '/scan', body });
}

async function scan(body: object): Promise<ScanResult> {
  const answer = await sendRaw(service.baseUrl, toRequest(Buffer.from(JSON.stringify(body))));
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as ScanResult;
}

const fileBody = (bytes: Buffer, filename: string) =>
  Buffer.from(JSON.stringify({ type: 'file', content_b64: bytes.toString('base64'), filename }));
const textBody = (content: string) => Buffer.from(JSON.stringify({ type: 'text', content }));

/** A ZIP archive with one entry, which declares its true length. */
function zipOf(name: string, bytes: Buffer, times = 1): Buffer {
  const packed = deflateRawSync(bytes);
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (let index = 0; index < times; index += 1) {
    const entry = Buffer.from(`${index}-${name}`);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(entry.length, 22);
    locals.push(Buffer.concat([Buffer.from('PK\x03\x04'), common, entry, packed]));
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, entry]));
    offset += locals[index]?.length ?? 0;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(times, 8);
  end.writeUInt16LE(times, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

function nestedMail(depth: number): string {
  const opening = Array.from(
    { length: depth },
    (_, level) =>
      `From: a@example.com\r\nSubject: ${level}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\nContent-Type: message/rfc822\r\n\r\n`,
  );
  return opening.join('');
}

/** Declares 400 MiB, in half a megabyte. */
const BOMB = zipOf('zeros.bin', Buffer.alloc(20 * MIB), 20);
const HOSTILE: readonly [name: string, make: () => Buffer][] = [
  ['a zip bomb', () => fileBody(BOMB, 'photos.zip')],
  ['a zip bomb in a zip in a zip', () => fileBody(zipOf('b.zip', zipOf('a.zip', BOMB)), 'photos.zip')],
  ['an archive of 60,000 empty files', () => fileBody(zipOf('x.txt', Buffer.alloc(0), 60_000), 'many.zip')],
  ['mail in mail in mail, 2,000 deep', () => fileBody(Buffer.from(nestedMail(2_000)), 'message.eml')],
  ['a mail with 100,000 parts', () => fileBody(manyParts(100_000), 'message.eml')],
  ['a page of 200,000 nested elements', () => fileBody(Buffer.from('<b>'.repeat(200_000)), 'page.html')],
  ['a page of unclosed quotes', () => fileBody(Buffer.from('<a href="'.repeat(400_000)), 'page.html')],
  [
    'a PDF of nothing but openings',
    () => fileBody(Buffer.from(`%PDF-1.7\n${'<<'.repeat(900_000)}`), 'a.pdf'),
  ],
  ['16 MiB of noise', () => fileBody(randomBytes(12_582_000), 'noise')],
  [
    'noise that is called a picture',
    () => mediaBody(Buffer.concat([Buffer.from([0xff, 0xd8]), randomBytes(4 * MIB)])),
  ],
  ['bytes that are not UTF-8', () => fileBody(Buffer.alloc(3 * MIB, 0xfe), 'text.txt')],
  ['a text of one word', () => textBody('a'.repeat(100_000))],
  ['a text of dots', () => textBody('a.'.repeat(50_000))],
  ['a text of half addresses', () => textBody('http://'.repeat(14_000))],
  ['a text of at signs', () => textBody('a@a.'.repeat(25_000))],
  ['a text of brackets', () => textBody('[.]('.repeat(25_000))],
  ['a text of digits', () => textBody('+1 (555) 0'.repeat(10_000))],
  ['a text of spaced letters', () => textBody('p a y '.repeat(16_000))],
  ['a text with one huge cluster', () => textBody(`e${'\u0301'.repeat(99_000)}`)],
  ['a text of joined emoji', () => textBody('👩\u200d'.repeat(33_000))],
  ['a text of letters that grow', () => textBody('\ufdfa'.repeat(99_000))],
  ['a short text of letters that grow', () => textBody('\ufdfa'.repeat(4_000))],
  ['a text of invisible characters', () => textBody('\u200b'.repeat(99_000))],
  [
    'a link without end',
    () => Buffer.from(JSON.stringify({ type: 'url', content: `https://${'a.'.repeat(49_000)}` })),
  ],
  [
    'a link of percent signs',
    () => Buffer.from(JSON.stringify({ type: 'url', content: `https://a.example/${'%25'.repeat(33_000)}` })),
  ],
  [
    '16 MiB of escaped quotes',
    () => Buffer.from(`{"type":"file","content_b64":"${'\\"'.repeat(8 * MIB - 100)}"}`),
  ],
  ['16 MiB of members', () => Buffer.from(`{"type":"file",${'"a":1,'.repeat(2_700_000)}"content_b64":""}`)],
  ['16 MiB of brackets', () => Buffer.from('['.repeat(16 * MIB - 10))],
  [
    '16 MiB of a thing like a credential',
    () => Buffer.from(`{"type":"file","content_b64":"${'svc_live_'.repeat(1_860_000)}"}`),
  ],
  [
    'a body that is not UTF-8',
    () =>
      Buffer.concat([
        Buffer.from('{"type":"text","content":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ]),
  ],
];

function manyParts(count: number): Buffer {
  return Buffer.from(
    `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(count)}--b--`,
  );
}

function mediaBody(bytes: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ type: 'media', content_b64: bytes.toString('base64') }));
}

describe('hostile content is answered in time, and does not delay other requests', () => {
  test.each(HOSTILE)('%s', async (_, make) => {
    const request = toRequest(make());
    let [turnMs, answerMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (turnMs < TURN_MS && answerMs < ANSWER_MS) break;
      turnMs = await longestTurnMs(async () => {
        const answer: RawAnswer = await sendRaw(service.baseUrl, request);
        expect([200, 400, 413, 503], answer.body).toContain(answer.status);
        answerMs = answer.tookMs;
      });
    }
    expect(answerMs).toBeLessThan(ANSWER_MS);
    expect(turnMs).toBeLessThan(TURN_MS);
  });
});

describe('content that takes longer than the deadline', () => {
  const SLOW = Buffer.from('<a href="https://x.example/">hello there</a>'.repeat(80_000));
  // The deadline is too short to read megabytes.
  const busy = useTestService({ env: { SERVICE_SCAN_WORKERS: '1', SERVICE_SCAN_DEADLINE_MS: '150' } });
  let heavy: Buffer;
  beforeAll(() => {
    heavy = toBusy(busy.tenant.credential, fileBody(SLOW, 'page.html'));
  });

  const toBusy = (credential: string, body: Buffer) =>
    toRawPost({ baseUrl: busy.baseUrl, credential }, { path: '/scan', body });
  const smallFile = (credential: string) => toBusy(credential, fileBody(Buffer.from('hi'), 'a.txt'));

  test('is reported as unsupported, and its thread is replaced', async () => {
    const { body, status } = await sendRaw(busy.baseUrl, heavy);
    expect(status, body).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ status: 'unsupported', verdict: 'warn' });
    expect(body).toContain('it could not be read within 0.15 s. This is not an all-clear.');
    await expect
      .poll(async () => (await sendRaw(busy.baseUrl, smallFile(busy.tenant.credential))).body)
      .not.toContain('could not be read');
  });
});

test('the answer to any body is described in the contract', async () => {
  const type = fc.constantFrom('text', 'url', 'file', 'app', 'media', 'smell', 7);
  const content = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.webUrl(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.constantFrom('UEsDBAoAAAAA', 'JVBERi0xLjc=', '/9j/4AAQ', 'H4sIAAAAAAAA', ''),
  );
  const members = fc.record(
    { type, content, content_b64: content, filename: content, app: fc.record({ package_name: content }) },
    { requiredKeys: ['type'] },
  );
  const body = fc.oneof(
    members.map((value) => Buffer.from(JSON.stringify(value))),
    fc.tuple(members, fc.nat(120), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = Buffer.from(JSON.stringify(value));
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      const answer = await sendRaw(service.baseUrl, toRequest(bytes));
      expect([200, 400], answer.body).toContain(answer.status);
    }),
    { numRuns: repetitions({ short: 50, soak: 300 }) },
  );
});

test('no part of a file, its name or its sender is stored or logged, for any outcome', async () => {
  const page = Buffer.from(`<p>${CANARY}</p><a href="https://${CANARY}.example/${CANARY}">${CANARY}</a>`);
  const context = { channel: 'email', sender: `${CANARY}@${CANARY}.example` };
  const body = { context, filename: `${CANARY}.html` };
  const files = [
    page,
    zipOf(CANARY, page),
    Buffer.concat([Buffer.from('%PDF-1.7\n'), page]),
    Buffer.from(`Subject: ${CANARY}\r\nContent-Type: text/html\r\n\r\n${page}`),
  ];
  for (const bytes of files) {
    for (const type of ['file', 'media']) {
      await sendRaw(
        service.baseUrl,
        toRequest(Buffer.from(JSON.stringify({ ...body, type, content_b64: bytes.toString('base64') }))),
      );
    }
  }
  for (const bad of [{ content_b64: CANARY }, { content: CANARY }, { [CANARY]: CANARY }]) {
    await sendRaw(service.baseUrl, toRequest(Buffer.from(JSON.stringify({ ...body, type: 'file', ...bad }))));
  }
  const scans = await service.service.database.read.db.selectFrom('scans').selectAll().execute();
  expect(scans.length).toBeGreaterThan(files.length);
  expect(JSON.stringify(scans)).not.toContain(CANARY);
  expect(service.log()).not.toContain(CANARY);
});
