import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  analyzeSample,
  hasKeyOf,
  modelsAsked,
  processorMs,
  signsOf,
  toBytes,
} from '../testing/analyze-sample.ts';
import { WORDS } from '../testing/samples.ts';

const BOOKMARK = '[InternetShortcut]\r\nURL=https://www.example.com/\r\n';
const ELSEWHERE = 'a shortcut or settings file that opens something on another computer';
const DDE = 'a document that makes another program run a command (DDE or an action)';

describe('texts that act when opened', () => {
  it.each([
    ['a.py', 'import os'],
    ['a.wsc', '<?xml version="1.0"?><component>'],
    ['a.msc', '<?xml version="1.0"?><MMC_ConsoleFile>'],
    ['a.inf', '[DefaultInstall]'],
    ['a.js.', 'new ActiveXObject("x")'],
    ['a.bat ', 'echo'],
    ['a.vbs::$DATA', 'MsgBox 1'],
  ])('are scripts by their names: %s', async (name, text) => {
    const analysis = await analyzeSample(
      zipSync({ [name]: toBytes(`${text} ${WORDS}`), 'b.txt': toBytes('x') }),
    );
    expect(signsOf(analysis)).toEqual(['a script that runs when opened']);
    expect(analysis.unsupported).toBeDefined();
  });

  it.each(['a.rdp', 'a.mobileconfig', 'a.settingcontent-ms', 'a.appinstaller', 'a.iqy'])(
    'are said to be unread where they set something up: %s',
    async (name) => {
      const analysis = await analyzeSample(`${WORDS} https://login.example.com/x`, name);
      expect(hasKeyOf(analysis, 'domain', 'login.example.com')).toBe(true);
      expect(analysis.unsupported).toContain('changes settings');
    },
  );

  it('that are bookmarks are analyzed by their link, unless they lead elsewhere', async () => {
    const benign = await analyzeSample(BOOKMARK, 'a.url');
    expect(modelsAsked(benign)).toEqual(['url_model']);
    expect(benign.unsupported).toBeUndefined();
    const other = await analyzeSample(`${BOOKMARK}URL=ms-something:x\r\n`, 'a.url');
    expect(other.unsupported).toBeDefined();
  });

  it.each([
    ['a.url', '[InternetShortcut]\r\nURL=file://192.0.2.1@80/share/x.lnk'],
    ['a.url', `${BOOKMARK}IconFile=\\\\192.0.2.1\\share\\x.ico`],
    ['desktop.ini', 'IconResource=\\\\192.0.2.1\\x.ico'],
    ['a.library-ms', '<url>\\\\files.example.org\\DavWWWRoot</url>'],
  ])('that open something on another computer lead to a warning: %s', async (name, text) => {
    expect(signsOf(await analyzeSample(text, name))).toEqual([ELSEWHERE]);
  });

  it('that stay on this computer do not', async () => {
    const text = `${BOOKMARK}IconFile=C:\\\\Windows\\\\x.ico\r\nBase=file:///C:/x`;
    expect(signsOf(await analyzeSample(text, 'a.url'))).toEqual([]);
  });

  it.each([
    ['a.csv', `${WORDS},"=cmd|' /C calc'!A0"`, [DDE]],
    ['a.tsv', `a\t@SUM(1+1)*cmd|' /C calc'!A0`, [DDE]],
    ['a.csv', `total,=A1+B2!,-12|3\n+44 7700 900123, ${WORDS}`, []],
  ])('are tables whose cells start a program, or do not: %s %s', async (name, text, signs) => {
    expect(signsOf(await analyzeSample(text, name))).toEqual(signs);
  });

  it('of endless cells are read quickly', async () => {
    const cells = `,=${'a'.repeat(60)}|`.repeat(50_000);
    expect(await processorMs(() => analyzeSample(cells, 'a.csv'))).toBeLessThan(1000);
  });
});
