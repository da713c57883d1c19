import { expect, test } from 'vitest';
import { normalizeText } from '../../normalize/normalize-text.ts';
import { findCues } from '../find-cues.ts';
import { LATE_NEGATIONS, NEGATIONS } from '../negation.ts';
import { readWords } from '../read-words.ts';
import type { TacticWords } from '../tactic-words.ts';
import { TACTICS } from '../tactics.ts';
import { TOPICS } from '../topics.ts';
import { LANGUAGES } from './languages.ts';

const cuesOf = (text: string) => findCues(readWords(normalizeText(text).text));
const tacticsOf = (text: string) => [...cuesOf(text).tactics];

test.each([
  ['Indonesian', 'Tolong kirimkan kode OTP yang masuk'],
  ['Turkish', 'Sana gelen onay kodunu bana gönder'],
  ['Polish', 'Wyślij mi kod, który dostałeś'],
  ['Swedish', 'Kan du skicka koden du fick'],
  ['Vietnamese', 'Bạn gửi giúp mình mã xác nhận vừa nhận được nhé'],
  ['Tagalog', 'Pakibigay ang OTP na natanggap mo'],
  ['Russian', 'Продиктуйте, пожалуйста, код из СМС'],
  ['Hindi', 'आपके फोन पर आया ओटीपी बताइए'],
  ['Hindi in Latin letters', 'Jo OTP aaya hai wo mujhe batao'],
  ['Arabic', 'أرسل لي رمز التحقق الذي وصلك'],
  ['Thai', 'ช่วยส่งรหัสยืนยันที่ได้รับให้หน่อย'],
  ['Chinese', '麻烦把收到的验证码发给我'],
  ['traditional Chinese', '請把收到的驗證碼告訴我'],
  ['Japanese', '届いた認証コードを教えてください'],
  ['Korean', '문자로 받은 인증번호를 알려 주세요'],
])('a request for a one-time code is found in %s', (_, text) => {
  expect(tacticsOf(text)).toContain('one_time_code');
});

test.each([
  ['Indonesian', 'Jangan kirimkan kode OTP kepada siapa pun'],
  ['Turkish', 'Onay kodunu kimseye göndermeyin'],
  ['Polish', 'Nie podawaj i nigdy nie wyślij nikomu kodu, kod jest tajny'],
  ['Swedish', 'Skicka aldrig koden till någon'],
  ['Vietnamese', 'Đừng gửi cho tôi mã xác nhận'],
  ['Tagalog', 'Huwag ibigay ang OTP kahit kanino'],
  ['Russian', 'Никому не сообщайте код из СМС, никогда не отправьте код'],
  ['Hindi', 'अपना ओटीपी किसी को न बताएं'],
  ['Hindi in Latin letters', 'OTP kisi ko mat batao'],
  ['Arabic', 'لا ترسل رمز التحقق ولا شارك الكود'],
  ['Thai', 'ห้ามบอกรหัส OTP แก่ผู้อื่น'],
  ['Chinese', '请勿把验证码发给我们以外的人'],
  ['traditional Chinese', '請不要把驗證碼告訴我或別人'],
  ['Japanese', '認証コードを他人に教えてはいけません'],
  ['Korean', '인증번호를 타인에게 보내주지 마세요. 인증번호는 알려주시면 안 됩니다'],
])('a denied request for a one-time code is not found in %s', (_, text) => {
  expect(tacticsOf(text)).not.toContain('one_time_code');
});

test.each([
  ['Indonesian', 'Akun Anda akan diblokir'],
  ['Turkish', 'Hesabınız askıya alınmıştır'],
  ['Polish', 'Twoje konto zostało zablokowane'],
  ['Swedish', 'Ditt konto har spärrats'],
  ['Vietnamese', 'Tài khoản của bạn đã bị khóa'],
  ['Tagalog', 'Ma-deactivate ang account mo bukas'],
  ['Russian', 'Ваша карта заблокирована'],
  ['Hindi', 'आपका खाता आज बंद हो जाएगा'],
  ['Hindi in Latin letters', 'Aapka account aaj block ho jayega'],
  ['Arabic', 'تم إيقاف بطاقتك'],
  ['Thai', 'บัญชีของท่านถูกระงับ'],
  ['Chinese', '您的账户已被冻结'],
  ['traditional Chinese', '您的帳戶已凍結'],
  ['Japanese', 'お客様の口座が一時的に制限されました'],
  ['Korean', '고객님 계좌가 정지되었습니다'],
])('the claim that an account is blocked is found in %s', (_, text) => {
  expect(tacticsOf(text)).toContain('blocked');
});

test.each([
  ['Indonesian', 'Paket Anda gagal dikirim'],
  ['Turkish', 'Kargonuz teslim edilemedi'],
  ['Polish', 'Twoja paczka czeka w magazynie'],
  ['Swedish', 'Ditt paket har stoppats'],
  ['Vietnamese', 'Bưu kiện của bạn đang chờ'],
  ['Tagalog', 'Ang parcel mo ay nasa warehouse'],
  ['Russian', 'Ваша посылка задержана'],
  ['Hindi', 'आपका पार्सल रुका हुआ है'],
  ['Hindi in Latin letters', 'Aapka parcel hold pe hai'],
  ['Arabic', 'شحنتك محتجزة'],
  ['Thai', 'พัสดุของคุณถูกตีกลับ'],
  ['Chinese', '您的包裹已到达'],
  ['traditional Chinese', '您的包裹已送達'],
  ['Japanese', 'お荷物をお預かりしています'],
  ['Korean', '고객님의 택배가 도착했습니다'],
])('the topic of a parcel is found in %s', (_, text) => {
  expect(cuesOf(text).topics.get('delivery_scam')).toBeGreaterThanOrEqual(3);
});

test.each([
  ['English', 'Have a nice day https://example.com/a'],
  ['English', 'Please confirm so the team can plan, and bring milk at 5 pm, WhatsApp me'],
  ['English', 'Send the load to the moms, see the hub: 555-123-4567'],
  ['English', 'Open doc 5 with code 1234'],
  ['English', 'Zelle transfer of $1,240.00 pending'],
  ['English', 'I confirm the insurance, I send the code 1234 tomorrow'],
  ['English', 'I update you https://example.com/a, I text 555-123-4567'],
  ['German', 'Die Firma ging in Konkurs, der Rider kommt'],
  ['Spanish', 'Necesito ayuda: hay mucha demanda'],
  ['Spanish', 'Revisa las condiciones y el código de la alarma'],
  ['Spanish', 'Para comprar, pulsa aquí'],
  ['Italian', 'Ho rotto il tubo'],
  ['French', 'Le mandat du président'],
  ['Dutch', 'Mijn zus komt, geef me een blik bonen'],
  ['Turkish', 'Bugün bir kahve içelim'],
  ['Korean', '온라인으로 만나요'],
  ['Korean', '고소한 맛, 자연체험, 내 친구인 민수, 교통관리'],
  ['Japanese', '株式会社の田中です。明けましておめでとうございます'],
  ['Japanese', '世界遺産をドローンで撮影した100メガバイトをご返送ください'],
  ['Chinese', '比赛今日结束，明日入住，9月入学，请确保本次信息正确'],
  ['Chinese', '会议中心在二楼，满100免费送货，提前付清'],
  ['Chinese', '明天下午3点见 https://example.com/a'],
  ['Thai', 'รถติดบนทางด่วน ใบสั่งซื้อ แพทย์ที่รักษาคุณ'],
])('cues are not found in everyday words of %s: %s', (_, text) => {
  const { tactics, topics } = cuesOf(text);
  expect([...tactics]).toEqual([]);
  expect([...topics].filter(([, points]) => points >= 3)).toEqual([]);
});

test.each([
  ['German', 'Neu bei uns: bitte nie den Code senden'],
  ['Dutch', 'Om fraude te voorkomen nooit uw code doorgeven'],
])('a denial in %s is read as one, also behind a condition of another language', (_, text) => {
  expect(tacticsOf(text)).not.toContain('one_time_code');
});

test.each([
  ['Swedish', 'Om du inte beställt detta, skicka koden till oss'],
  ['Vietnamese', 'Nếu không phải bạn, vui lòng gửi mã OTP'],
])('a denied condition in %s denies no request', (_, text) => {
  expect(tacticsOf(text)).toContain('one_time_code');
});

test('every phrase is written as it is in a normalized text, so that it can be found', () => {
  const phrases = [
    ...[TACTICS, ...LANGUAGES.map(({ tactics }) => tactics)].flatMap((tactics) =>
      Object.values<TacticWords>(tactics).flatMap(
        ({ phrases = [], verbs = [], finalVerbs = [], nouns = [] }) => [
          ...phrases,
          ...verbs,
          ...finalVerbs,
          ...nouns,
        ],
      ),
    ),
    ...Object.values(TOPICS).flatMap(({ strong, weak }) => [...strong, ...weak]),
    ...LANGUAGES.flatMap(({ topics }) => Object.values(topics).flat()),
    ...NEGATIONS,
    ...LATE_NEGATIONS,
  ].filter((phrase) => !phrase.includes('<'));
  const read = (text: string) => readWords(text).words.join(' ');
  expect(phrases.filter((phrase) => read(normalizeText(phrase).text) !== read(phrase))).toEqual([]);
  // Phrases contain no sign that ends a word, such as an apostrophe.
  expect(phrases.filter((phrase) => !/^[\p{L}\p{M}\p{N} ]+$/u.test(phrase))).toEqual([]);
});
