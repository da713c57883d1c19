import { describe, expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

describe('e-mail addresses', () => {
  it.each([
    ['jane@example.com', '[email]'],
    ['Write to jane.doe@example.com.', 'Write to [email].'],
    ['jane.doe+spam@mail.example.co.uk, bob_smith@x.io', '[email], [email]'],
    ['Jane <jane@example.com> wrote', 'Jane <[email]> wrote'],
    ['"jane doe"@example.com', '[email]'],
    ['"very.\\"odd\\".name"@example.com', '[email]'],
    ["o'brien@example.ie", '[email]'],
    ["'jane@example.com'", "'[email]'"],
    ['jürgen@müller.de', '[email]'],
    ['用户@例え.jp', '[email]'],
    ['иван@почта.рф', '[email]'],
    ['jane@xn--mller-kva.de', '[email]'],
    ['jane@xn--e1afmkfd.xn--p1ai', '[email]'],
    ['请联系jane@example.com谢谢', '请联系[email]谢谢'],
    ['mailto:jane@example.com?cc=bob@example.org', 'mailto:[email]?cc=[email]'],
    ['user=jane@example.com;role=admin', 'user=[email];role=admin'],
    ['jane@[192.0.2.1]', '[email]'],
    ['jane@[IPv6:2001:db8::1]', '[email]'],
    ['jane@corp.internal', '[email]'],
    ['JANE@EXAMPLE.COM', '[email]'],
    ['jane%40example.com', '[email]'],
    ['jane[at]example[.]com', '[email]'],
    ['jane(at)example(dot)com', '[email]'],
    ['write to jane [at] example [dot] com', 'write to [email]'],
    ['jane [at] example.com', '[email]'],
    ['jane (at) example.com', '[email]'],
    ['jane_doe [at] mail.example.org', '[email]'],
    ['jane{at}example.com', '[email]'],
    ['jane <at> example <dot> com', '[email]'],
    ['Kontakt: jane.x [ät] example [punkt] de', 'Kontakt: [email]'],
    ['jane [arroba] example [punto] es', '[email]'],
    ['jane[@]example[.]com', '[email]'],
    ['jane@example[.com', '[email]'],
    ['jane＠example．com', '[email]'],
    ['ja\u200bne@exam\u200dple.com', '[email]'],
    ['𝒿𝒶𝓃𝑒@𝑒𝓍.𝒸𝑜𝓂', '[email]'],
    ['jos\u0065\u0301@example.com', '[email]'],
    ['1234567890@example.com', '[email]'],
    ['a@b.co,c@d.co', '[email],[email]'],
    ['(jane@example.com)', '([email])'],
    ['git@github.com:org/repo.git', '[email]:org/repo.git'],
  ])('%s becomes %s', (written, expected) => {
    expect(redactText(written)).toBe(expected);
  });

  it.each([
    'Shape@3x.png',
    'logo@2x.webp',
    'icon@1.5x.png',
    'a/b/tab@2x.svg',
    'Launch@3x.jpg',
    'meet (at) five',
    '@jane',
    'jane@',
    'lodash@4.17.21',
    '@scope/package',
    'meet @ 5',
    'a@b',
    'x@.com',
    '@@@',
    'user@host..name',
  ])('%s is not an address and stays', (written) => {
    expect(redactText(written)).toBe(written);
  });
});
