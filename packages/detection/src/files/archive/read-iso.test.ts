import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, sha256, signsOf } from '../testing/analyze-sample.ts';
import { buildShortcut, PROGRAM } from '../testing/samples.ts';

const SECTOR = 2048;

interface Item {
  readonly name: Buffer;
  readonly sector: number;
  readonly size: number;
  readonly isFolder?: boolean;
}

function record({ name, sector, size, isFolder = false }: Item): Buffer {
  const bytes = Buffer.alloc(33 + name.length + (name.length % 2 === 0 ? 1 : 0));
  bytes.writeUInt8(bytes.length);
  bytes.writeUInt32LE(sector, 2);
  bytes.writeUInt32LE(size, 10);
  bytes.writeUInt8(isFolder ? 2 : 0, 25);
  bytes.writeUInt8(name.length, 32);
  name.copy(bytes, 33);
  return bytes;
}

function descriptor(type: number, root: number): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes.writeUInt8(type);
  bytes.write('CD001', 1);
  if (type === 2) bytes.write('%/E', 88);
  record({ name: Buffer.from([0]), sector: root, size: SECTOR, isFolder: true }).copy(bytes, 156);
  return bytes;
}

function sector(...records: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  Buffer.concat(records).copy(bytes);
  return bytes;
}

function wide(name: string): Buffer {
  return Buffer.from(name, 'utf16le').swap16();
}

/** A disc with a folder that holds one file, under a short and a long name. */
function buildIso(file: Uint8Array, long: string): Buffer {
  const at = { sector: 22, size: file.length };
  const itself = { sector: 19, size: SECTOR, isFolder: true };
  return Buffer.concat([
    Buffer.alloc(16 * SECTOR),
    descriptor(1, 19),
    descriptor(2, 20),
    descriptor(255, 0),
    sector(record({ name: Buffer.from([1]), ...itself }), record({ name: Buffer.from('A.TXT;1'), ...at })),
    sector(record({ name: wide('folder'), sector: 21, size: SECTOR, isFolder: true })),
    sector(
      record({ name: wide('up'), sector: 20, size: SECTOR, isFolder: true }),
      record({ name: wide(`${long};1`), ...at }),
    ),
    file,
  ] as Uint8Array[]);
}

describe('disc images', () => {
  it('are opened, with the long names of their files', async () => {
    const analysis = await analyzeSample(buildIso(PROGRAM, 'invoice.pdf.exe'), 'a.iso');
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
    expect(signsOf(analysis)).toEqual(['a name with the extension of a document before that of a program']);
    const shortcut = await analyzeSample(buildIso(buildShortcut('cmd.exe /c x'), 'a.lnk'), 'a.iso');
    expect(signsOf(shortcut)).toEqual(['a shortcut that runs a command']);
  });

  it('are never cleared, since they may hold another file system', async () => {
    const analysis = await analyzeSample(buildIso(Buffer.from('Minutes of the meeting'), 'a.txt'), 'a.iso');
    expect(analysis.unsupported).toContain('a disc image (ISO)');
  });

  it('whose files share bytes are read up to the limit', async () => {
    const iso = buildIso(PROGRAM, 'a.bin');
    const shared = [90, 91].map((size) => record({ name: wide('a'), sector: 22, size }));
    sector(...shared).copy(iso, 20 * SECTOR);
    const analysis = await analyzeSample(iso, 'a.iso', { limits: { outputBytes: 90 } });
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM.subarray(0, 90)))).toBe(true);
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM.subarray(0, 91)))).toBe(false);
  });
});

describe('formats that are not supported', () => {
  it.each([
    ['a 7z archive', '377abcaf271c0004'],
    ['a RAR archive', '526172211a070100'],
    ['a CAB archive', '4d53434600000000'],
    ['a disc image (VHDX)', '7668647866696c6500'],
    ['a OneNote document', 'e4525c7b8cd8a74daeb15378d02996d3'],
    ['a mail of Outlook (winmail.dat)', '789f3e220100'],
  ])('are named: %s', async (name, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect((await analyzeSample(bytes, 'a.bin')).unsupported).toBe(
      `it is ${name}, which is an unsupported format`,
    );
    const within = await analyzeSample(zipSync({ 'a.bin': bytes }), 'a.zip');
    expect(within.unsupported).toBe(`a file in it is ${name}, which is an unsupported format`);
  });

  it('says of a file in an archive that its format is unknown', async () => {
    const bytes = Buffer.from('0102030405060708', 'hex');
    expect((await analyzeSample(bytes, 'a.bin')).unsupported).toBe('its format is unknown');
    const within = await analyzeSample(zipSync({ 'a.bin': bytes }), 'a.zip');
    expect(within.unsupported).toBe('the format of a file in it is unknown');
  });
});
