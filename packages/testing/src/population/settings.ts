import { hash } from 'node:crypto';
import type { Client, NewPolicy } from '@tps/client';
import type { Dice } from './random.ts';
import type { PopulationReceivers } from './receivers.ts';
import { HOSTILE_TEXTS } from './texts.ts';

const POLICIES: readonly NewPolicy[] = [
  policy('pol_phishing-block', 'Block phishing', ['phishing'], 'block', 0.8),
  policy('pol_phishing-warn', 'Warn of possible phishing', ['phishing'], 'warn', 0.5),
  policy('pol_calls', 'Warn of scam calls', ['phone_scam', 'social_engineering'], 'warn', 0.6),
  policy(
    'pol_apps',
    'Block malicious apps and remote control',
    ['malicious_app', 'remote_control'],
    'block',
    0.7,
  ),
  { ...policy('pol_deepfake', 'Deepfakes, trial', ['deepfake'], 'block', 0.9), enabled: false },
  policy('pol_visitors', HOSTILE_TEXTS[0].slice(0, 100), ['remote_control'], 'warn', 0.4),
  policy('pol_2024', 'Rules of 2024', ['phishing', 'phone_scam'], 'warn', 0.7),
];

function policy(
  policy_id: string,
  name: string,
  threat_categories: NewPolicy['threat_categories'],
  action: NewPolicy['action'],
  confidence_threshold: number,
): NewPolicy {
  return { policy_id, name, threat_categories, action, confidence_threshold };
}

/** Creates policies, one of them archived and one changed twice. */
export async function addPolicies({ policies }: Client): Promise<void> {
  for (const one of POLICIES) await policies.create(one);
  await policies.update('pol_phishing-block', { confidence_threshold: 0.85 });
  await policies.update('pol_phishing-block', { confidence_threshold: 0.8 });
  await policies.archive('pol_2024');
}

/** Imports indicators of four sources: valid, expired, not yet valid, and of tools with legitimate uses. */
export async function addIndicators({ indicators }: Client, dice: Dice, nowMs: number): Promise<void> {
  const inDays = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
  const link = { type: 'url', category: 'phishing', threat_type: 'credential_phishing' } as const;
  const host = { type: 'domain', category: 'phishing', threat_type: 'phishing_link' } as const;
  await indicators.import({
    source: 'own-list',
    indicators: [
      { ...link, value: 'https://nordwind-portal.example/login', confidence: 0.97, label: 'Portal copy' },
      { ...host, value: 'parcel-desk.example', confidence: 0.9, valid_until: inDays(20) },
      { ...host, value: 'invoice-center.example', confidence: 0.8, valid_until: inDays(-3) },
      {
        ...host,
        value: 'winter-bonus.example',
        confidence: 0.7,
        valid_from: inDays(10),
        valid_until: inDays(40),
      },
      { ...host, value: 'xn--pypal-4ve.example', confidence: 0.95, label: HOSTILE_TEXTS[0].slice(0, 100) },
    ],
  });
  await indicators.import({
    source: 'phishing-feed.example',
    indicators: Array.from({ length: 900 }, (_, index) => ({
      ...(index % 4 === 0 ? link : host),
      value: `${dice.pick(WORDS)}-${dice.pick(WORDS)}-${index}.example${index % 4 === 0 ? '/account/verify' : ''}`,
      confidence: 0.6 + dice.whole(35) / 100,
      valid_until: inDays(dice.whole(30) - 5),
    })),
  });
  await indicators.import({
    source: 'stalkerware-indicators',
    indicators: WORDS.map((word) => ({
      type: 'package',
      value: `com.${word}.monitor`,
      category: 'malicious_app',
      threat_type: 'stalkerware',
      confidence: 0.98,
      label: `${word} monitor`,
    })),
  });
  await indicators.import({
    source: 'remote-tools',
    indicators: WORDS.map((word) => ({
      type: 'sha256',
      value: hash('sha256', word, 'hex'),
      category: 'remote_control',
      threat_type: 'remote_access_tool',
      confidence: 0.75,
      dual_use: true,
      label: `${word} remote desk`,
    })),
  });
}

const WORDS = [
  'parcel',
  'bank',
  'invoice',
  'tax',
  'toll',
  'secure',
  'login',
  'bonus',
  'refund',
  'wallet',
] as const;

const signingSecretOf = (name: string) => hash('sha256', `secret of ${name}`, 'base64');

/** Registers a webhook that works, and one that a person switched off. */
export async function addWebhooks({ webhooks }: Client, { healthyUrl }: PopulationReceivers): Promise<void> {
  await webhooks.create({ url: healthyUrl, secret: signingSecretOf('soc') });
  const paused = await webhooks.create({
    url: `${healthyUrl}?archive=1`,
    secret: signingSecretOf('archive'),
  });
  await webhooks.update(paused.webhook_id, { status: 'disabled' });
}

/** Registers a webhook that always fails. */
export async function addFailingWebhook({ webhooks }: Client, { failingUrl }: PopulationReceivers) {
  const severities = ['high', 'critical'] as const;
  await webhooks.create({
    url: failingUrl,
    secret: signingSecretOf('siem'),
    severity_filter: [...severities],
  });
}

/** Creates keys: those that are made long ago come first. Returns one that reads, for requests of another program. */
export async function addKeys(
  { tokens, oauthClients, enrolments }: Client,
  stage: 'old' | 'recent',
): Promise<string> {
  if (stage === 'old') {
    const exporter = await tokens.create({
      name: 'SIEM export',
      scopes: ['events:read', 'alerts:read', 'status:read'],
    });
    await tokens.create({ name: 'Old dashboard, unused', scopes: ['status:read'] });
    const { token_id } = await tokens.create({
      name: 'Laptop of a former colleague',
      scopes: ['events:read'],
    });
    await tokens.revoke(token_id);
    return secretOf(exporter);
  }
  const reader = await tokens.create({
    name: 'Grafana',
    scopes: ['status:read'],
    expires_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  });
  await tokens.create({ name: HOSTILE_TEXTS[0].slice(0, 100), scopes: ['scan:write'] });
  await oauthClients.create({
    name: 'Ticket system',
    grant_types: ['client_credentials'],
    scopes: ['incidents:read', 'incidents:write'],
  });
  await oauthClients.create({
    name: 'Night shift app',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://night.example/callback'],
    scopes: ['incidents:read', 'alerts:read'],
  });
  await enrolments.create({ name: 'New phones, Berlin', max_uses: 50 });
  return secretOf(reader);
}

function secretOf({ token }: { token?: string | undefined }): string {
  if (token === undefined) throw new Error('the key was created before');
  return token;
}

/** Invites two people who have not answered. */
export async function addInvitations({ invitations }: Client): Promise<void> {
  await invitations.create({ email: 'new.analyst@nordwind.example', role: 'analyst' });
  await invitations.create({ role: 'viewer', expires_in_s: 86_400 });
}

/** Scans content of each kind. */
export async function addScans(client: Client): Promise<void> {
  const texts = [
    'Your parcel is held. Pay 1.99 EUR here: https://parcel-desk.example/pay',
    'Hi, are we still meeting at eight?',
    'URGENT: your account was locked. Confirm your password at https://nordwind-portal.example/login',
    HOSTILE_TEXTS[4],
  ];
  for (const content of texts)
    await client.scan.content({ type: 'text', content, context: { channel: 'sms' } });
  await client.scan.content({ type: 'url', content: 'https://bank-login-0.example/account/verify' });
  await client.scan.content({ type: 'app', app: { package_name: 'com.wallet.monitor' } });
  await client.scan.content({
    type: 'file',
    filename: 'invoice.pdf.exe',
    content_b64: Buffer.from('MZ not really a program').toString('base64'),
  });
}
