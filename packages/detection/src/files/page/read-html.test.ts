import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { analyzeSample, hasKeyOf, modelsAsked, processorMs, signsOf } from '../testing/analyze-sample.ts';
import { buildMail, WORDS } from '../testing/samples.ts';

const BAIT = 'login.example.com';
const FORM = `<form action="https://${BAIT}/p"><input type="password"></form>`;
const PASSWORD = 'a page sent as a file that asks for a password and sends it elsewhere';
const SMUGGLED = 'a page that assembles a file by script and offers it as a download';
const UNREAD = 'the scripts of the page are not analyzed';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('a drawing', () => {
  const draw = (inner: string) =>
    analyzeSample(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`, 'a.svg');

  it.each([
    ['an icon', '<path d="M0 0h24v24H0z"/>'],
    ['shapes', '<g fill="red"><circle cx="5" cy="5" r="4"/><rect width="9" height="9"/></g>'],
    [
      'a gradient',
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)"/>',
    ],
    ['a title', '<title>Menu</title><path d="M0 0"/>'],
    ['styles', '<style>.a{fill:red}</style><path class="a" d="M0 0"/>'],
    ['symbols', '<symbol id="x"><path d="M0 0"/></symbol><use href="#x"/>'],
  ])('with %s alone is cleared', async (_, inner) => {
    expect(await draw(inner)).toMatchObject({ score: 0, findings: [] });
    expect((await draw(inner)).unsupported).toBeUndefined();
  });

  it.each([
    ['a script', '<script>location="x"</script>'],
    ['an event', '<path onclick="go()" d="M0 0"/>'],
    ['a picture in it', '<image href="data:image/png;base64,iVBORw0KGgo="/>'],
    ['a page in it', '<foreignObject><p></p></foreignObject>'],
  ])('with %s is not', async (_, inner) => {
    expect((await draw(inner)).unsupported).toBeDefined();
  });
});

describe('content of a page beside its words', () => {
  it.each([
    ['a page in a frame', `<iframe srcdoc="${FORM.replaceAll('"', '&quot;')}"></iframe>`],
    ['a page in an address', `<iframe src="data:text/html;base64,${base64(FORM)}"></iframe>`],
    ['a page in an escaped address', `<object data="data:text/html,${encodeURIComponent(FORM)}"></object>`],
    ['a field that is only named so', `<form action="https://${BAIT}/p"><input name="passwd"></form>`],
    [
      'a button that sends a form elsewhere',
      `<form><input type="password"><button formaction="https://${BAIT}/p"></button></form>`,
    ],
  ])('is read: %s', async (_, html) => {
    const analysis = await analyzeSample(`<html><p>${WORDS}</p>${html}`, 'a.html');
    expect(signsOf(analysis)).toContain(PASSWORD);
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
  });

  it.each([
    ['a script', `<script>window.location="https://${BAIT}/x"</script>`],
    ['an escaped string', `<script>top.location="\\x68ttps:\\/\\/${BAIT}/x"</script>`],
    ['a packed string', `<script>location=atob("${base64(`https://${BAIT}/x`)}")</script>`],
    ['an event', `<body onload="location='https://${BAIT}/x'">`],
    ['an address that is a script', `<a href="javascript:location='https://${BAIT}/x'">x</a>`],
    ['an escaped address', `<a href="javascript:location=%22https://${BAIT}/x%22">x</a>`],
    ['a script of another site', `<script src="https://${BAIT}/x.js"></script>`],
  ])('is looked up, and reported as unread: %s', async (_, html) => {
    const analysis = await analyzeSample(`<html><p>${WORDS}</p>${html}`, 'a.html');
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(analysis.unsupported).toBe(UNREAD);
  });

  it.each([
    ['a line in an address', `<a href="ht\ntps://${BAIT}/x">`],
    ['slashes the other way', `<a href="https:\\\\${BAIT}/x">`],
    ['no slashes', `<a href="https:${BAIT}/x">`],
    ['a control character before it', `<a href="\x01https://${BAIT}/x">`],
    ['a redirection in quotes', `<meta http-equiv="Refresh " content="0;URL='https://${BAIT}/x'">`],
    ['a redirection without a word', `<meta http-equiv="refresh" content="0; https://${BAIT}/x">`],
    ['what only looks like a comment', `<![CDATA[ > see https://${BAIT}/x ]]>`],
    ['a template that is shown', `<template shadowrootmode="open">see https://${BAIT}/x</template>`],
    ['what is shown without scripts', `<noscript>see https://${BAIT}/x</noscript>`],
    ['a button', `<input type="button" value="see https://${BAIT}/x">`],
  ])('is read like in browsers: %s', async (_, html) => {
    const analysis = await analyzeSample(`<html><p>${WORDS}</p>${html}`, 'a.html');
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
  });

  it.each([
    ['a page', `<html><p>${WORDS}</p><img src="https://${BAIT}/x.png">`, 'a.html'],
    ['a mail', buildMail(['Content-Type: text/html'], `<p>${WORDS}</p><img src="//${BAIT}/x.png">`), 'a.eml'],
  ])('is looked up but not scored: a picture of %s', async (_, text, name) => {
    const analysis = await analyzeSample(text, name);
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(modelsAsked(analysis)).toEqual(['text_model']);
  });

  it.each(['java\tscript:x()', '\x01javascript:x()'])('is a script in a URL: %j', async (address) => {
    const page = `<html><p>${WORDS}</p><a href="${address}">x</a>`;
    expect((await analyzeSample(page, 'a.html')).unsupported).toBe(UNREAD);
  });

  it('runs its scripts when it is stored as a mail', async () => {
    const page = `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>${WORDS}<script>x()</script>`;
    expect((await analyzeSample(page, 'a.mht')).unsupported).toBe(UNREAD);
  });

  it('is a drawing with links and scripts', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="https://${BAIT}/x"><text>${WORDS}`;
    const analysis = await analyzeSample(drawing, 'a.svg');
    expect(hasKeyOf(analysis, 'domain', BAIT)).toBe(true);
    expect(analysis.unsupported).toBeUndefined();
    const withScript = await analyzeSample(`${drawing}<script href="data:text/javascript,x"/>`, 'a.svg');
    expect(withScript.unsupported).toBe(UNREAD);
  });

  it.each([
    ['data', `<script type="application/ld+json">{"url":"https://${BAIT}/x"}</script>`],
    ['an empty script', '<script> </script>'],
  ])('is not a script that runs: %s', async (_, html) => {
    expect((await analyzeSample(`<html><p>${WORDS}</p>${html}`, 'a.html')).unsupported).toBeUndefined();
  });

  it('does not run in a mail, where a script is not suspicious', async () => {
    const mail = buildMail(['Content-Type: text/html'], `<html><p>${WORDS}<script>var a = 1</script>`);
    const analysis = await analyzeSample(mail, 'a.eml');
    expect(analysis.unsupported).toBeUndefined();
    expect(modelsAsked(analysis)).toEqual(['text_model']);
  });

  it.each([
    ['in pieces', `"${Array.from({ length: 80 }, () => 'TVqQ'.repeat(9)).join('" +\n"')}"`],
    ['in numbers', `[${'77, 90, 144, 0, '.repeat(150)}0]`],
    ['in escapes', `"${'\\x4d\\x5a'.repeat(300)}"`],
  ])('is a file assembled by script: %s', async (_, file) => {
    const page = `<html><script>var f=${file};var u=URL.createObjectURL(new Blob([f]))</script>`;
    expect(signsOf(await analyzeSample(page, 'a.html'))).toEqual([SMUGGLED]);
  });

  it.each([
    [
      'XHTML',
      `<?xml version="1.0"?><html><body><p>${WORDS}</p><a href="&#104;ttps://login&#46;example.com">`,
    ],
    [
      'a piece of a page',
      `<!-- a --><!-- b --><center>${WORDS}<a href="&#104;ttps://login&#46;example.com">`,
    ],
  ])('is recognized as a page regardless of its name: %s', async (_, page) => {
    expect(hasKeyOf(await analyzeSample(page, 'a.xml'), 'domain', BAIT)).toBe(true);
  });

  it('is reported as unread if it is too long', async () => {
    const frames = '<iframe srcdoc="<p>x"></iframe>'.repeat(60);
    const analysis = await analyzeSample(`<html><p>${WORDS}</p>${frames}`, 'a.html');
    expect(analysis.unsupported).toBeDefined();
    const longHead = `<iframe src="data:text/html;${'x=y;'.repeat(400)},x"></iframe>`;
    expect((await analyzeSample(`<html><p>${WORDS}</p>${longHead}`, 'a.html')).unsupported).toBeDefined();
  });

  it.each([
    ['nearly hidden files', `<script>${`${'\\x41'.repeat(499)} ${'A'.repeat(1999)} `.repeat(300)}`],
    ['events', `<p onclick="${'\\x41'.repeat(499)} ${`${'A'.repeat(1999)} `.repeat(600)}">`],
    ['blanks', `<a href="${' '.repeat(500_000)}x">`],
    ['slashes', `<a href="${'/'.repeat(500_000)}">`],
    ['delays', `<meta http-equiv="refresh" content="${'0 '.repeat(300_000)}">`],
    ['quotes', `<script>${'"+ '.repeat(400_000)}`],
  ])('is read quickly: %s', async (_, html) => {
    const page = strToU8(`<html>${html}`);
    expect(await processorMs(() => analyzeSample(page, 'a.html'))).toBeLessThan(1000);
  });
});
