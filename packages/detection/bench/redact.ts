import { redactEvent, redactText } from '../src/index.ts';

/**
 * Prints what redaction costs per description of 200 characters, per event with such a description, and per character of
 * hostile texts: `node --conditions=source packages/detection/bench/redact.ts`. All figures are CPU time of the thread, so
 * that other processes disturb them little.
 */
const LENGTH = 200;
const WARM_UP = 2_000;
const RUNS = 5_000;

const CLEAN = [
  'The app requested the accessibility permission and drew an overlay above the banking screen while a call with an unknown party was active. The Session was stopped and the user was warned at once. Score 0.97.',
  'Trojan Dropper found in com.example.flashlight version 10.0.19045.3; signature YARA_Android_Banker_2024 matched twice, severity High. Microsoft Support was impersonated on 2024-05-17T09:30:00Z by a caller.',
  'Text message announces a parcel and asks for a small customs fee. The Link leads to a page registered three days ago; the page copies a well known Courier Service and asks for the card number and the PIN code.',
  'Remote control session started by AnyDesk during a voice call. The Screen showed an online banking form. Amount 1,250.00 EUR entered by the remote side. Action: block, confidence 0.93, model 2.4.1, retries 0.',
];
const TOUCHED = [
  'Caller on +49 151 12345678 claimed to be from the bank and asked the user to install a tool. ',
  'Message from jane.doe@example.com with the link https://secure-login.example.com/verify?id=1 was blocked. ',
  'This is Peter Miller from Technical Support, call 020 7946 0958 said the voice. ',
  'Connection to 203.0.113.77 and 2001:db8:1:2::77 after the app had started. ',
];
const DENSE =
  'Jane Doe <jane@example.com> +1 202-555-0123 10.2.3.4 2001:db8::1 https://a.example/x 0151 12345678 Mr. Smith ' +
  'www.b.example bob@c.example (202) 555-0188 192.0.2.9 Max Mustermann Tel. 612 345 678 evil.com/p';

const clean = CLEAN.map((text) => text.padEnd(LENGTH, '.').slice(0, LENGTH));
const touched = TOUCHED.map((text, index) => (text + clean[index]).slice(0, LENGTH));
const mixes = {
  clean,
  'realistic (1 in 5)': touched.flatMap((text) => [...clean, text]),
  touched,
  dense: [DENSE.padEnd(LENGTH, ' x').slice(0, LENGTH)],
};

const HOSTILE = [
  '::1 ',
  '1 1 ',
  '(1)',
  '1.1 ',
  'É ',
  'a.co/ ',
  '1.2.3.4/',
  'Tel. 1234567 ',
  '00123 ',
  'Mr. Xyz ',
  'a@b.co ',
];
const HOSTILE_LENGTH = 100_000;
const HOSTILE_RUNS = 30;

for (const [name, texts] of Object.entries(mixes)) {
  print(name, `${microsPerRun(texts, redactText).toFixed(1)} µs`);
}
const events = mixes['realistic (1 in 5)'].map((description) => ({
  description,
  indicators: [`sha256:${'0a1b2c3d'.repeat(8)}`],
  metadata: { agent_version: '2.4.1', model_version: 'm-2026.02', device_platform: 'android' },
}));
print('event, realistic', `${microsPerRun(events, redactEvent).toFixed(1)} µs`);
for (const unit of HOSTILE) {
  const text = unit.repeat(HOSTILE_LENGTH / unit.length);
  const micros = microsOf(HOSTILE_RUNS, () => redactText(text)) / HOSTILE_RUNS;
  print(JSON.stringify(unit), `${(micros / text.length).toFixed(3)} µs per character`);
}

function microsPerRun<T>(inputs: readonly T[], redact: (input: T) => unknown): number {
  const redactAll = (runs: number): void => {
    for (let run = 0; run < runs; run += 1) for (const input of inputs) redact(input);
  };
  redactAll(WARM_UP);
  return microsOf(1, () => redactAll(RUNS)) / (RUNS * inputs.length);
}

function microsOf(runs: number, work: () => void): number {
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function print(name: string, figure: string): void {
  process.stdout.write(`${name.padEnd(20)} ${figure}\n`);
}
