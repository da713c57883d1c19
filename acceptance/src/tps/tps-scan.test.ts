import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { createTpsUser, type TpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

async function loggedIn(): Promise<TpsUser> {
  const user = createTpsUser();
  const { code, stderr } = await user.run(['login', service.baseUrl], { input: tenant.credential });
  if (code !== 0) throw new Error(stderr);
  return user;
}

test('messages, links, files and apps are scanned from an argument, a file or stdin', async () => {
  const user = await loggedIn();
  const scans = await Promise.all([
    user.run(['scan', 'text', 'hello', '--channel', 'sms', '--json']),
    user.run(['scan', 'text', '--json'], { input: 'hello' }),
    user.run(['scan', 'url', 'https://example.com', '--json']),
    user.run(['scan', 'url', '-', '--json'], { input: 'https://example.com\n' }),
    user.run(['scan', 'file', '-', '--filename', 'a.txt', '--json'], { input: 'hello' }),
    user.run(['scan', 'media', '-', '--filename', 'a.jpg', '--json'], { input: 'hello' }),
    user.run(['scan', 'app', 'com.example.bank', '--permission', 'READ_SMS', '--json']),
  ]);
  for (const { stdout, stderr, code } of scans) {
    expect(JSON.parse(stdout), stderr).toMatchObject({ scan_id: expect.stringMatching(/^scn_/) });
    expect(code).toBe(0);
  }
});

test('scan text and scan url read the standard input for a hyphen', async () => {
  const user = await loggedIn();
  const scam =
    'Royal Mail: your parcel is held, pay the fee of 1.99: https://royalmail-redelivery-fee.top/pay';
  const [said, piped] = await Promise.all([
    user.run(['scan', 'text', scam]),
    user.run(['scan', 'text', '-'], { input: `${scam}\n` }),
  ]);
  const withoutId = (output: string) => output.replace(/scn_\w+/, '');
  expect(piped.stdout).toMatch(/^verdict +(?:block|warn)$/m);
  expect(withoutId(piped.stdout)).toBe(withoutId(said.stdout));

  const link = await user.run(['scan', 'url', '-'], { input: 'https://paypal-secure-login.top/verify\n' });
  expect(link.stdout).toMatch(/^finding +url_model: /m);
  const both = await user.run(['scan', 'text', '-', '--file', 'a.txt'], { input: 'hello' });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') });
});

test('scan without content reports it, and an explanation of content is printed', async () => {
  const user = await loggedIn();
  const nothing = await Promise.all([
    user.run(['scan', 'text', ' ']),
    user.run(['scan', 'text'], { input: '\n' }),
    user.run(['scan', 'url'], { input: '' }),
    user.run(['scan', 'file', '-'], { input: '' }),
  ]);
  for (const { stderr, code } of nothing) {
    expect(stderr).toMatch(/^tps: (?:The content|The standard input) is empty\./);
    expect(code).toBe(2);
  }
  const { stdout } = await user.run(['scan', 'url', 'https://paypal-secure-login.top/verify']);
  expect(stdout).toMatch(/^confidence {2}0\.\d{1,3}$/m);
  expect(stdout).toMatch(/^finding {5}url_model: credential_phishing \(0\.\d{1,3}\) /m);
});

test('a message is scanned in its conversation, and explained in a language', async () => {
  const user = await loggedIn();
  const message = ['scan', 'text', 'Can you write to me on WhatsApp?', '--no-known-sender'];
  const conversation = [...message, '--previous', 'Hello', '--previous', 'how are you today?'];
  const [alone, inContext, german, wrong] = await Promise.all([
    user.run(message),
    user.run(conversation),
    user.run([...conversation, '--language', 'de-CH']),
    user.run([...conversation, '--language', 'de_CH.UTF-8']),
  ]);
  expect(alone.stdout).toMatch(/^verdict +allow$/m);
  expect(inContext.stdout).toMatch(/^verdict +warn$/m);
  expect(inContext.stdout).toMatch(/^model +\S+$/m);
  expect(german.stdout).toMatch(/^details +Diese Nachricht wurde so eingestuft: /m);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('such as de or pt-BR') });
});
