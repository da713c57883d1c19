import { expect, test } from 'vitest';
import type { ContentContext } from '../content.ts';
import { createDetector } from '../detector.ts';
import { processorMs } from '../files/testing/analyze-sample.ts';
import { createIndicatorIndex } from '../indicators/indicator-index.ts';
import { loadShippedModels } from '../node.ts';

const index = createIndicatorIndex([
  {
    type: 'domain',
    value: 'known.example.org',
    source: 'list',
    category: 'phishing',
    threatType: 'credential_phishing',
    confidence: 0.9,
  },
]);
const detector = createDetector({ models: loadShippedModels(), indicators: () => index });
const judge = (text: string, context: ContentContext = {}) =>
  detector.classify({ type: 'text', text, context: { channel: 'chat', ...context } });

const MOVE = 'Can you write to me on WhatsApp?';
const SMALL_TALK = 'Hello, how are you?';

test('a stranger who makes small talk and moves on is warned of, with the reason', () => {
  const warned = judge(MOVE, { knownSender: false, previous: [SMALL_TALK] });
  expect(warned).toMatchObject({ verdict: 'warn', threatType: 'romance_scam' });
  expect(warned.findings[0]?.detector).toBe('conversation');
  expect(warned.details).toContain(
    'an unknown sender makes small talk and wants to continue on another messenger or number; this alone is enough to warn of it',
  );
});

test.each<[string, ContentContext]>([
  ['without small talk', { knownSender: false }],
  ['from a known sender', { knownSender: true, previous: [SMALL_TALK] }],
  ['from a sender of whom nothing is known', { previous: [SMALL_TALK] }],
])('the same wish is not warned of %s', (_, context) => {
  expect(judge(MOVE, context).verdict).toBe('allow');
});

test.each([
  'Hi mum, this is my new number',
  'Hallo Mama, das ist meine neue Nummer',
  'Coucou maman, c\u2019est mon nouveau numéro',
  'Hola mamá, este es mi nuevo número',
  'Ciao mamma, questo è il mio nuovo numero',
  'Hoi mam, dit is mijn nieuwe nummer',
  'Oi mãe, esse é meu novo número',
])('a relative with a new number is warned of without any context: %s', (text) => {
  expect(judge(text)).toMatchObject({ threatDetected: true });
  expect(judge(text, { knownSender: true }).findings.map(({ detector }) => detector)).not.toContain(
    'conversation',
  );
});

test.each([
  'Coucou maman, j\u2019ai cassé mon téléphone, voici mon nouveau numéro',
  'Bonjour maman, j\u2019ai changé de numéro, supprime l\u2019ancien',
  'Maman j ai change de numero', // Without accents, as phones write.
  'Oi mãe, mudei de número, salva esse aí. O antigo pode apagar',
  'Hola papá, he cambiado de número, escríbeme aquí',
  'Ciao nonna, ho cambiato numero, cancella il vecchio',
  'Mama ich hab eine neue Nummer, schreib mir hier',
  'Anne telefonum bozuldu, yeni numaram bu, whatsapptan yaz',
  'Baba selam, telefonum kırıldı bu benim yeni numaram',
  'Мама, привет, телефон сломался, это мой новый номер, напиши в ватсап',
  'Мамо, розбила телефон, це мій новий номер',
  'Mamo, cześć, rozbiłem telefon, zapisz mój nowy numer',
  'Hej mamma, telefonen gick sönder, det här är mitt nya nummer',
  'Ma, hp rusak, ini nomor baruku, simpan ya',
  'Mẹ ơi, điện thoại con hỏng, đây là số mới của con',
  'Mama, nasira phone ko, eto na bago kong number',
  'मम्मी, फोन खराब हो गया, ये मेरा नया नंबर है',
  'ماما، جوالي انكسر، هذا رقمي الجديد',
  'お母さん、携帯壊れた。これが新しい番号だよ',
  '妈妈，我手机坏了，我换号码了',
  '엄마, 나 폰 고장났어. 이게 새 번호야',
  'แม่ โทรศัพท์พัง นี่เบอร์ใหม่นะ',
])('a relative with a new number is warned of in every learned language: %s', (text) => {
  const result = judge(text);
  expect(result).toMatchObject({ status: 'completed', threatDetected: true });
  expect(result.verdict).not.toBe('allow');
});

test.each([
  'Hallo zusammen, ich habe eine neue Nummer, Lena aus dem Chor',
  'Bonjour à tous, j’ai changé de numéro. Marc du club',
  'Arkadaşlar merhaba, yeni numaram bu, ben Mehmet',
  'Коллеги, добрый день, это мой новый номер, Анна из офиса',
  'Maman a acheté un nouveau téléphone hier',
  'Anne, akşam yemeğe geliyor musun?',
  '妈妈，晚上回来吃饭吗',
  'お母さん、今日は遅くなるよ',
])('an honest new number, or an honest word to a relative, is not warned of by this rule: %s', (text) => {
  expect(judge(text).findings.map(({ detector }) => detector)).not.toContain('conversation');
});

test('a relative who is greeted in one message and has a new number in the next is warned of', () => {
  expect(judge('I broke my phone, this is my new number', { previous: ['Hi mum'] }).verdict).toBe('warn');
});

test.each([
  'Hi John, this is my new number, dad says hello',
  'Mum got a new phone, this is her new number. See you on Sunday',
])('a relative who is only mentioned is not warned of: %s', (text) => {
  expect(judge(text).verdict).toBe('allow');
});

test.each([
  'Good morning, this is Dr Smith surgery. You can also reach us on WhatsApp.',
  'Guten Morgen, Ihr Tisch ist reserviert. Bei Fragen WhatsApp.',
])('a greeting of a business that names a messenger is not warned of: %s', (text) => {
  expect(judge(text, { knownSender: false }).verdict).toBe('allow');
});

test('a scam that is split over messages is judged with those before it', () => {
  const previous = [
    'We have stopped a suspicious payment on your account',
    'This is the security team of your bank',
  ];
  const last = 'Please tell me the code when it arrives';
  expect(judge(last).verdict).toBe('allow');
  expect(judge(last, { previous })).toMatchObject({ verdict: 'warn' });
  expect(judge(last, { previous }).details).toContain('together with the messages before it');
});

test('a known sender hides neither an indicator nor a block', () => {
  const listed = 'Look at these photos: https://known.example.org/a';
  const blocked =
    'Royal Mail: your parcel is held, pay the fee of 1.99: https://royalmail-redelivery-fee.top/pay';
  for (const text of [listed, blocked]) {
    expect(judge(text).verdict).toBe('block');
    expect(judge(text, { knownSender: true })).toEqual(judge(text));
  }
});

test('a link in an earlier message is not looked up, and its words do not appear in the result', () => {
  const result = judge('See you tonight', { previous: ['Photos: https://known.example.org/canary'] });
  expect(result).toMatchObject({ verdict: 'allow' });
  expect(JSON.stringify(result)).not.toMatch(/known\.example|canary/);
});

test('a device reads only the newest messages, in bounded time', async () => {
  const previous = [SMALL_TALK, ...Array.from({ length: 20 }, () => 'See you there')];
  expect(judge(MOVE, { knownSender: false, previous }).verdict).toBe('allow');
  expect(judge(MOVE, { knownSender: false, previous: previous.slice(0, 20) }).verdict).toBe('warn');
  const grown = Array.from({ length: 5_000 }, () => '\ufdfa'.repeat(5_000));
  const read = () => processorMs(() => judge(MOVE, { knownSender: false, previous: grown }));
  await read();
  expect(Math.min(await read(), await read())).toBeLessThan(250);
});
