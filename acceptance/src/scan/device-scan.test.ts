import { join } from 'node:path';
import { enrolDevice, openNodeAgent } from '@tps/agent';
import type { Event } from '@tps/contract';
import { loadShippedModels } from '@tps/detection/node';
import { newFolder } from '@tps/testing/fixture';
import { startTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';
import { readList } from '../service/read-api.ts';
import { HONEST_MESSAGES, MESSAGES } from './examples/messages.ts';

const CONVERSATIONS = [
  { text: 'Can you write to me on WhatsApp?', knownSender: false, previous: ['Hello, how are you?'] },
  { text: 'Can you write to me on WhatsApp?', knownSender: true, previous: ['Hello, how are you?'] },
  { text: 'See you at eight', knownSender: true, previous: ['Are you coming tonight?'] },
  {
    text: 'Please tell me the code when it arrives',
    knownSender: false,
    previous: [
      'We have stopped a suspicious payment on your account',
      'This is the security team of your bank',
    ],
  },
  { text: '\u660e\u5929\u665a\u4e0a\u89c1', knownSender: false, previous: [] },
];

test('a device classifies by models and indicators of its tenant, as the service does', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const { baseUrl } = service;
  const tenant = await service.createTenant();
  const { credential, tenantId } = tenant;
  const directory = join(newFolder(), 'agent');
  await enrolDevice({ directory, baseUrl, tenantId, enrolmentCredential: credential, platform: 'linux' });
  const models = loadShippedModels();
  const agent = await openNodeAgent({
    directory,
    credential,
    models,
    autonomous: false,
    statusEveryHours: 0,
  });
  onTestFinished(() => agent.close());
  await agent.refreshPolicies();

  const link = { type: 'url', url: 'https://garden-club.example.org/members' } as const;
  expect(agent.classify(link)).toMatchObject({ verdict: 'allow' });
  const imported = await service.client.send('POST', '/indicators', {
    credential,
    body: {
      source: 'own-list',
      indicators: [
        {
          type: 'domain',
          value: 'garden-club.example.org',
          category: 'phishing',
          threat_type: 'credential_phishing',
          confidence: 0.97,
        },
      ],
    },
  });
  expect(imported.status, imported.text).toBe(200);
  expect(await agent.refreshIndicators()).toBe(true);
  const scanned = await agent.scan(link);
  expect(scanned.classification).toMatchObject({ verdict: 'block', threatType: 'credential_phishing' });
  expect(scanned.classification.findings[0]).toMatchObject({ detector: 'indicators' });
  expect(scanned.recorded?.decision.action).toBe('block');

  for (const { scan } of [...MESSAGES, ...HONEST_MESSAGES]) {
    const { content: text = '', context } = scan;
    const here = agent.classify({ type: 'text', text, ...(context ? { context } : {}) });
    const there = await service.client.send('POST', '/scan', { credential, body: scan });
    expect(there.body, text).toMatchObject({
      verdict: here.verdict,
      threat_type: here.threatType,
      confidence: here.confidence,
      details: here.details,
    });
  }

  for (const { text, knownSender, previous } of CONVERSATIONS) {
    const here = agent.classify(
      { type: 'text', text, context: { channel: 'chat', knownSender, previous } },
      undefined,
      { language: 'it' },
    );
    const there = await service.client.send('POST', '/scan', {
      credential,
      headers: { 'accept-language': 'it' },
      body: {
        type: 'text',
        content: text,
        context: { channel: 'chat', known_sender: knownSender, previous },
      },
    });
    expect(there.body, text).toMatchObject({
      status: here.status,
      verdict: here.verdict,
      threat_type: here.threatType,
      confidence: here.confidence,
      details: here.details,
      language: 'it',
      model_version: here.modelVersion,
    });
  }

  const [harmless] = HONEST_MESSAGES;
  const { recorded } = await agent.scan({ type: 'text', text: harmless?.scan.content ?? '' });
  expect(recorded).toBeUndefined();
  expect(await agent.flush()).toBe(true);
  const { items } = await readList<Event>(baseUrl, '/events', { credential, limit: 100 });
  expect(items).toMatchObject([
    {
      event_id: scanned.recorded?.eventId,
      action_taken: 'block',
      threat_category: 'phishing',
      confidence: scanned.classification.confidence,
      description: scanned.classification.details,
      indicators: [expect.stringMatching(/^url:sha256:[0-9a-f]{64}$/)],
      metadata: {
        threat_type: 'credential_phishing',
        model_version: models.version,
      },
    },
  ]);
  expect(items[0]).toHaveProperty('metadata.findings.0.evidence', 'a domain listed by own-list');
  expect(JSON.stringify(items)).not.toContain('garden-club');
});
