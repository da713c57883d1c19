import { operation } from './operation.ts';
import { NewScan, ScanResult } from './scan.ts';

export const scanContent = operation({
  operationId: 'scanContent',
  method: 'POST',
  path: '/scan',
  tag: 'scan',
  summary: 'Submit content for analysis',
  description:
    'The content is analysed in memory and never stored; the result is kept, so that a job can refer to it.',
  scope: 'scan:write',
  body: NewScan,
  bodySize: 'scan',
  bulkyMember: 'content_b64',
  bodyExample: {
    type: 'url',
    content: 'https://parcel-desk.example/pay',
    context: { channel: 'sms' },
  },
  headers: ['Idempotency-Key'],
  answers: {
    200: {
      description: 'What was found.',
      schema: ScanResult,
      example: {
        scan_id: 'scn_06ays3w8jrv2k7d1m5q9x4t0zn',
        status: 'completed',
        threat_detected: true,
        threat_type: 'known_indicator',
        confidence: 0.93,
        details:
          'This URL is an indicator of thr_06ays3w8jrv2k7d1m5q9x4t0zc, phishing that 2 devices of this tenant reported.',
        threat_category: 'phishing',
        verdict: 'block',
        findings: [
          {
            detector: 'tenant_indicators',
            threat_type: 'known_indicator',
            confidence: 0.93,
            evidence: 'thr_06ays3w8jrv2k7d1m5q9x4t0zc, severity high, last seen 2026-03-02T09:15:04.000Z',
          },
        ],
        scanned_at: '2026-03-02T09:31:12.204Z',
      },
    },
  },
  errors: ['idempotency_conflict'],
});

export const scanOperations = [scanContent] as const;
