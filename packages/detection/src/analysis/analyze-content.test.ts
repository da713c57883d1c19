import { expect, test } from 'vitest';
import { evenModels } from '../files/testing/analyze-sample.ts';
import { classify } from '../verdict/classify.ts';
import { analyzeContent } from './analyze-content.ts';

const model = { version: 'test', thresholds: { warn: 0.5, block: 0.9 } };

function judge(text: string) {
  return classify(analyzeContent({ type: 'text', text }, evenModels(0.01)), { matches: [], model });
}

test.each([
  ['a language it never learned', 'Ο λογαριασμός σας έχει ανασταλεί https://www.example.com/news'],
  ['a script without blanks', 'ບັນຊີຂອງທ່ານຖືກລະງັບ https://www.example.com/news'],
  ['more links than are read', `you and me ${'https://www.example.com/news '.repeat(250)}`],
  [
    'links that lead to more addresses than are read',
    `you and me ${'https://www.example.com/?a=http%3A%2F%2Fa.example.org&b=http%3A%2F%2Fb.example.org '.repeat(100)}`,
  ],
  ['more text than is read', `you and me ${'and you '.repeat(13_000)}`],
  ['more words than are read', `you and me ${'1a'.repeat(30_000)}`],
  ['signs that grow beyond what is read', `you and me ${'\u33af '.repeat(20_000)}`],
])('a message in %s is not cleared by its benign rest', (_, text) => {
  expect(judge(text)).toMatchObject({ status: 'unsupported', verdict: 'warn', threatDetected: false });
});

test.each([
  ['Greek', 'Αύριο το βράδυ τρώμε στη γιαγιά'],
  ['Hebrew', 'מחר בערב ניפגש אצל סבתא'],
  ['Tamil', 'நாளை மாலை பாட்டி வீட்டில் சந்திப்போம்'],
  ['Bengali', 'আগামীকাল সন্ধ্যায় দাদির বাড়িতে দেখা হবে'],
  ['Georgian', 'ხვალ საღამოს ბებიასთან შევხვდებით'],
  ['Armenian', 'Վաղը երեկոյան հանդիպում ենք տատիկի մոտ'],
  ['Amharic', 'ነገ ማታ በአያታችን ቤት እንገናኝ'],
  ['Lao', 'ມື້ອື່ນພົບກັນຢູ່ເຮືອນແມ່ຕູ້'],
  ['Burmese', 'မနက်ဖြန်ညနေ အဖွားအိမ်မှာ တွေ့မယ်'],
  ['Finnish', 'Huomenna illalla kaikki lapset ajavat yhdessä koulubussilla kotiin vanhempien luokse syömään'],
  ['Hungarian', 'Holnap minden gyerek együtt utazik haza iskolabusszal, aztán vacsorázunk nagymamánál'],
  ['Ukrainian', 'Завтра ввечері всі діти разом поїдуть додому шкільним автобусом, потім вечеряємо бабусі'],
])('a text in %s is shown without a warning only if it names no way to reach someone', (_, text) => {
  const unread = { status: 'unsupported', threatDetected: false, threatType: 'none' };
  const quiet = judge(text);
  expect(quiet).toMatchObject({ ...unread, verdict: 'allow' });
  expect(quiet.details).toContain('could not be analyzed');
  for (const more of [
    'https://www.example.com/news',
    'example.com',
    '+49 30 901820',
    '694 123 4567',
    '(212) 555-0134',
    '٠١٠١٢٣٤٥٦٧٨',
    '@anna',
    'WhatsApp',
    'банк.рф',
    '中国银行.中国',
    'телеграм',
    '微信',
    'واتساب',
    '一三八零零一三八零零零',
  ]) {
    expect(judge(`${text} ${more}`), more).toMatchObject({ ...unread, verdict: 'warn' });
  }
  for (const more of ['8', '18:30', '4711', '٤٧١١', 'K7X9Q', '12.11.', '24/12/2026 19:00', '12345678', '5€'])
    expect(judge(`${text} ${more}`), more).toMatchObject({ ...unread, verdict: 'allow' });
});

test.each([
  '18:30?',
  '42',
  '5€',
  '12.11.',
  '12.11. 18:30',
  '1.000,00 €',
  '❤️ 8',
  '10-4',
  '731904',
  '48.2082, 16.3738',
  '+1',
  '7:45!!',
  '99 %',
  '2026-11-27 18:30',
  '24/12',
  '3×4=12',
  '½',
])('a message of nothing but %s is shown without a warning', (text) => {
  expect(judge(text)).toMatchObject({ status: 'unsupported', verdict: 'allow', threatDetected: false });
});

test.each([
  ['Indonesian', 'Besok sore kita makan di rumah nenek, jangan lupa bawa kue ya'],
  ['Turkish', 'Yarın akşam anneannemde yemek var, pastayı sen getir'],
  ['Polish', 'Jutro wieczorem kolacja u babci, weź ciasto i nie spóźnij się'],
  ['Swedish', 'Middag hos mormor i morgon kväll, ta med kakan och kom inte sent'],
  ['Vietnamese', 'Tối mai ăn cơm ở nhà bà, anh nhớ mang bánh cho cả nhà'],
  ['Tagalog', 'Bukas ng gabi kakain tayo sa bahay ng lola, dalhin mo ang keyk'],
  ['Russian', 'Завтра вечером встречаемся у бабушки, возьмите с собой пирог'],
  ['Hindi', 'कल शाम को हम दादी के घर मिलते हैं'],
  ['Arabic', 'نلتقي غدا مساء في بيت الجدة'],
  ['Thai', 'พรุ่งนี้เจอกันที่บ้านคุณยาย'],
  ['Chinese', '明天晚上我们在奶奶家见面'],
  ['Japanese', '明日の夜、おばあちゃんの家で会いましょう'],
  ['Korean', '내일 저녁에 할머니 댁에서 만나요'],
])('a text in %s is scored, with and without a link', (_, text) => {
  for (const written of [text, `${text} https://www.example.com/news`])
    expect(judge(written)).toMatchObject({ status: 'completed', verdict: 'allow' });
});

test.each([
  ['a link alone', 'https://www.example.com/news'],
  ['a link with known words', 'have a look at this https://www.example.com/news'],
])('%s is analyzed', (_, text) => {
  expect(judge(text)).toMatchObject({ status: 'completed', verdict: 'allow' });
});

test.each([
  'file://198.51.100.7/s/a.exe',
  'file:////198.51.100.7/s/a.exe',
  'file:\\\\198.51.100.7\\s\\a.exe',
  '\\\\198.51.100.7@80\\s\\a.exe',
  '\\\\files.example.org\\share',
  'search-ms:query=invoice&crumb=location:\\\\198.51.100.7\\s',
  'ms-msdt:/id PCWDiagnostic',
])('a link that opens something on another computer is warned of: %s', (url) => {
  const judged = classify(analyzeContent({ type: 'url', url }, evenModels(0.01)), { matches: [], model });
  expect(judged).toMatchObject({ status: 'completed', verdict: 'warn', threatType: 'malware' });
});

test.each(['file:///C:/Users/a.txt', 'file:///home/a.txt', 'https://example.com/file://a'])(
  'a link to a file of the device or a page does not open another computer: %s',
  (url) => {
    const judged = classify(analyzeContent({ type: 'url', url }, evenModels(0.01)), { matches: [], model });
    expect(judged.threatType).toBe('none');
  },
);

test.each([
  'http://pay\npal-check.example.com/x',
  'http://paypal-\r\ncheck.example.com/x',
  'ht\ttps://paypal-check.example.com/x',
])('a line break or tab in a link is removed, as browsers do: %j', (url) => {
  const { keys } = analyzeContent({ type: 'url', url }, evenModels(0.75));
  expect(keys).toEqual(
    analyzeContent({ type: 'url', url: url.replace(/[\r\n\t]/g, '') }, evenModels(0.75)).keys,
  );
  expect(keys.length).toBeGreaterThan(0);
});

test.each([
  ['https://paket-zoll.example/pay', 'names that end in .example are reserved for documentation'],
  ['http://a.test', 'names that end in .test are reserved for tests'],
  ['http://a.invalid', 'names that end in .invalid are reserved'],
  ['http://localhost:3000/x', 'the link leads to the device itself'],
  ['http://app.localhost/x', 'the link leads to the device itself'],
  ['http://127.0.0.1/x', 'the network of the device'],
  ['http://printer.local', 'names that end in .local exist only in a local network'],
  ['http://db.corp.internal/x', 'names that end in .internal exist only in a local network'],
  ['http://router.home.arpa', 'names that end in .home.arpa exist only in a local network'],
  ['http://192.168.1.1/admin', 'the network of the device'],
  ['http://[fe80::1]/admin', 'the network of the device'],
  ['http://intranet/login', 'a host name without a dot exists only in a local network'],
  ['http://abcdefghij234567.onion/', 'the Tor network'],
  ['http://shop.unknowntld/', 'ends in no public suffix'],
  ['mailto:jane@a.com', 'it does not open a web page'],
  ['ftp://files.a.com/x', 'it does not open a web page'],
  ['hello', 'a host name without a dot'],
  ['', 'it is not the URL of a web page'],
])('a link that the model cannot judge is not cleared, and the reason is stated: %s', (url, reason) => {
  const judged = classify(analyzeContent({ type: 'url', url }, evenModels(0.01)), { matches: [], model });
  expect(judged).toMatchObject({ status: 'unsupported', verdict: 'warn', threatDetected: false });
  expect(judged.details).toContain(reason);
});
