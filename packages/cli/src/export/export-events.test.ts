import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '@tps/client';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { type ExportPosition, readPosition, writePosition } from './cursor-file.ts';
import { exportEvents } from './export-events.ts';
import { toFormatter } from './export-format.ts';
import { fileTarget } from './export-target.ts';
import { sampleEvent } from './testing/sample-event.ts';

const PAGES = 5;
const START: ExportPosition = {
  cursor: null,
  outputBytes: 0,
  output: 'events.ndjson',
  events: 0,
  since: null,
};

/** A feed of five pages with two events each, read from a cursor on. */
async function* feed(cursor: string | null) {
  for (let page = Number(cursor ?? 0); page < PAGES; page += 1) {
    const data = [0, 1].map((index) => sampleEvent({ event_id: `evt_${page * 2 + index}` }));
    yield { data, next_cursor: String(page + 1) };
  }
}

async function newDirectory() {
  const directory = newFolder();
  return { output: join(directory, 'events.ndjson'), cursorFile: join(directory, 'cursor') };
}

async function runExport(
  { output, cursorFile }: { output: string; cursorFile: string },
  onProgress?: (events: number) => Promise<void>,
): Promise<number> {
  const known = await readPosition(cursorFile);
  const start = known ?? START;
  const target = await fileTarget(output, known?.outputBytes);
  const save = (position: ExportPosition) => writePosition(cursorFile, position);
  if (!known) await save(start);
  try {
    const format = toFormatter('ndjson');
    return await exportEvents({ pages: feed(start.cursor), format, target, start, save, onProgress });
  } finally {
    await target.close();
  }
}

const idsIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Event).event_id);

const ALL = Array.from({ length: PAGES * 2 }, (_, index) => `evt_${index}`);

test('an export killed at any page continues without gaps and duplicates', async () => {
  for (let killedAt = 1; killedAt <= PAGES; killedAt += 1) {
    const files = await newDirectory();
    const died = runExport(files, async (events) => {
      if (events !== killedAt * 2) return;
      // A page that was half written when the power failed.
      await appendFile(files.output, '{"event_id":"evt_half');
      throw new Error('killed');
    });
    await expect(died).rejects.toThrow('killed');
    expect(await runExport(files)).toBe(ALL.length);
    expect(await idsIn(files.output)).toEqual(ALL);
  }
});

test('an export killed before its first position continues', async () => {
  const files = await newDirectory();
  await writePosition(files.cursorFile, START);
  await writeFile(files.output, '{"event_id":"evt_half');
  expect(await runExport(files)).toBe(ALL.length);
  expect(await idsIn(files.output)).toEqual(ALL);
});

test('a position is recorded only after its events are in the file', async () => {
  const files = await newDirectory();
  await runExport(files, async (events) => {
    const { outputBytes, cursor } = (await readPosition(files.cursorFile)) ?? START;
    expect(cursor).toBe(String(events / 2));
    expect((await readFile(files.output)).byteLength).toBe(outputBytes);
  });
});

test('a page is requested only after the previous one has been written', async () => {
  const log: string[] = [];
  async function* pages() {
    for await (const page of feed(null)) {
      log.push('asked');
      yield page;
    }
  }
  const target = {
    async write() {
      await new Promise((resolve) => setImmediate(resolve));
      log.push('written');
    },
    settle: async () => null,
    close: async () => undefined,
  };
  await exportEvents({ pages: pages(), format: toFormatter('cef'), target, start: START });
  expect(log).toEqual(Array.from({ length: PAGES }, () => ['asked', 'written']).flat());
});

test('a file written by another program is not overwritten', async () => {
  const files = await newDirectory();
  await writeFile(files.output, 'mine');
  await expect(runExport(files)).rejects.toThrow('exists already');
  await writePosition(files.cursorFile, { ...START, cursor: '1', outputBytes: 400, events: 2 });
  await expect(runExport(files)).rejects.toThrow('another program has changed it');
  expect(await readFile(files.output, 'utf8')).toBe('mine');
});

test.each([
  '',
  '{',
  '[]',
  '{"cursor":1,"output_bytes":0,"output":null,"events":0,"since":null}',
  '{"cursor":"a","output_bytes":-1,"output":null,"events":0,"since":null}',
  `{"cursor":"${'a'.repeat(70_000)}","output_bytes":0,"output":null,"events":0,"since":null}`,
])('a cursor file with the content %j is rejected', async (content) => {
  const { cursorFile } = await newDirectory();
  await writeFile(cursorFile, content);
  await expect(readPosition(cursorFile)).rejects.toThrow('is not a cursor file');
});
