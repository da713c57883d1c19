import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, modelsAsked, processorMs, sha256 } from '../testing/analyze-sample.ts';
import { PROGRAM, WORDS } from '../testing/samples.ts';

const BAIT = 'login.example.com';

function invitation(...lines: readonly string[]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1@example.org',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

function card(...lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:3.0', 'FN:Anna Beispiel', ...lines, 'END:VCARD', ''].join('\r\n');
}

describe('invitations and contact cards', () => {
  it.each([
    ['a folded line', invitation(`DESCRIPTION:${WORDS} https://lo`, ` gin.example.com/x`)],
    [
      'a line folded within a character of an address',
      invitation('URL;VALUE=URI:https:', ' //login.example.com/x'),
    ],
    ['an escaped line', invitation(`DESCRIPTION:${WORDS}\\nhttps://login.example.com/x\\, soon`)],
    [
      'a page',
      invitation('X-ALT-DESC;FMTTYPE=text/html:<html><a href="https&#58;//login&#46;example.com/">x</a>'),
    ],
    ['a property that programs ignore', invitation('X-MEETING-PLACE:https://login.example.com/x')],
    ['quoted letters', card('NOTE;ENCODING=QUOTED-PRINTABLE:see https://lo=', 'gin=2Eexample.com/x')],
  ])('have the link found in %s', async (_, text) => {
    expect(hasKeyOf(await analyzeSample(text, 'a.ics'), 'domain', BAIT)).toBe(true);
  });

  it('have only their words analyzed', async () => {
    const analysis = await analyzeSample(invitation(`SUMMARY:${WORDS}`, 'SEQUENCE:0'), 'a.ics');
    expect(modelsAsked(analysis)).toEqual(['text_model']);
    expect(analysis.unsupported).toBeUndefined();
  });

  it('have their files opened, except the picture of the person', async () => {
    const file = `ATTACH;ENCODING=BASE64;VALUE=BINARY;FILENAME=a.exe:${Buffer.from(PROGRAM).toString('base64')}`;
    const analysis = await analyzeSample(invitation(`SUMMARY:${WORDS}`, file), 'a.ics');
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
    const photo = await analyzeSample(card(`NOTE:${WORDS}`, 'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ'), 'a.vcf');
    expect(photo.unsupported).toBeUndefined();
  });

  it('that are too long are reported as unread quickly', async () => {
    const long = invitation(
      `SUMMARY:${WORDS}`,
      ...Array.from({ length: 60_000 }, () => 'COMMENT;X="a":x'),
      '";'.repeat(99_999),
    );
    const busyMs = await processorMs(async () => {
      expect((await analyzeSample(long, 'a.ics')).unsupported).toContain('more than is read');
    });
    expect(busyMs).toBeLessThan(1500);
  });
});
