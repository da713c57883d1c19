import { operation } from '../openapi/operation.ts';
import { NewScan, ScanResult } from './schema.ts';

export const scanContent = operation({
  operationId: 'scanContent',
  method: 'POST',
  path: '/scan',
  tag: 'scan',
  summary: 'Analyze content',
  description:
    'Analyzes the content in memory and never stores it. The result is stored, so that a job can refer to it.',
  scope: 'scan:write',
  body: NewScan,
  bodySize: 'scan',
  largeMember: 'content_b64',
  bodyExample: {
    type: 'url',
    content: 'https://parcel-desk.example/pay',
    context: { channel: 'sms' },
  },
  headers: ['Accept-Language', 'Idempotency-Key'],
  responses: {
    200: {
      description: 'The result of the analysis.',
      schema: ScanResult,
      headers: ['Content-Language', 'Vary'],
      example: {
        scan_id: 'scn_06ays3w8jrv2k7d1m5q9x4t0zn',
        status: 'completed',
        threat_detected: true,
        threat_type: 'delivery_scam',
        confidence: 0.987,
        details:
          'This link was classified as a parcel or delivery scam: a URL listed by parcel-scams; this alone is enough to block it.',
        language: 'en',
        threat_category: 'phishing',
        verdict: 'block',
        findings: [
          {
            detector: 'indicators',
            threat_type: 'delivery_scam',
            confidence: 0.95,
            evidence: 'a URL listed by parcel-scams',
          },
          {
            detector: 'url_model',
            threat_type: 'phishing_link',
            confidence: 0.74,
            evidence: 'its URL resembles those of known phishing pages',
          },
        ],
        model_version: '2025-08-redistributable-f885093c',
        scanned_at: '2026-03-02T09:31:12.204Z',
      },
    },
  },
  errors: ['idempotency_conflict'],
});

export const scanOperations = [scanContent] as const;
