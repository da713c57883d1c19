import type { Classification, TextContent } from '@tps/detection';
import { redactEvent } from '@tps/detection';
import { expect, test } from 'vitest';
import { checkDetection } from './check-detection.ts';
import { toDetection } from './to-detection.ts';

const content: TextContent = {
  type: 'text',
  text: 'Pay the fee at https://parcel-desk.example/pay?id=77, jane@example.com',
  context: { channel: 'sms', sender: 'boss@board-mail.example' },
};
const judgement: Classification = {
  status: 'completed',
  verdict: 'block',
  threatDetected: true,
  threatType: 'delivery_scam',
  category: 'phishing',
  confidence: 0.97,
  details: 'This message was classified as a parcel or delivery scam.',
  language: 'en',
  findings: Array.from({ length: 9 }, () => ({
    detector: 'text_model' as const,
    threatType: 'delivery_scam' as const,
    category: 'phishing' as const,
    confidence: 0.912345,
    evidence: 'its words resemble those of known scams',
  })),
  modelVersion: '2026-05.abc',
};

test('classified content becomes a detection with the reasons and nothing of the content', () => {
  const detection = checkDetection(toDetection(content, judgement));
  expect(detection).toMatchObject({
    threatCategory: 'phishing',
    confidence: 0.97,
    description: judgement.details,
    modelVersion: '2026-05.abc',
    metadata: { threat_type: 'delivery_scam', verdict: 'block', channel: 'sms', content_type: 'text' },
  });
  expect(detection.indicators).toEqual([
    expect.stringMatching(/^url:sha256:[0-9a-f]{64}$/),
    'sender-domain:board-mail.example',
  ]);
  expect(detection.metadata).toHaveProperty('findings.length', 5);
  expect(JSON.stringify(detection)).not.toMatch(/parcel-desk|jane|Pay the fee/);
  const { description, indicators, metadata } = detection;
  const event = { description: description ?? '', indicators: indicators ?? [], metadata: metadata ?? {} };
  expect(redactEvent(event)).toEqual(event);
});

test('content that is not a threat cannot become a detection', () => {
  const harmless = { ...judgement, threatDetected: false, category: null, threatType: 'none' } as const;
  expect(() => toDetection(content, harmless)).toThrow('not a threat');
});
