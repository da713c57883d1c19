import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import {
  Action,
  Confidence,
  closed,
  nullable,
  stringEnum,
  ThreatCategory,
  Timestamp,
} from './schema/values.ts';

export const SCAN_TYPES = ['text', 'url', 'file', 'app', 'media'] as const;
export const ScanType = stringEnum(SCAN_TYPES, 'What is submitted.');
export type ScanType = Static<typeof ScanType>;

const Sha256 = Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'SHA-256 in hex.' });

export const App = closed({
  package_name: Type.String({ minLength: 1, maxLength: 255, description: 'Such as `com.example.app`.' }),
  sha256: Type.Optional(Sha256),
  certificate_sha256: Type.Optional(Sha256),
  permissions: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 500, uniqueItems: true }),
  ),
});

/** Body of POST /scan. Which of `content`, `content_b64` and `app` is needed follows from `type`. */
export const NewScan = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    type: ScanType,
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100_000,
        description: 'Of `text`: the message or transcript; of `url`: the URL.',
      }),
    ),
    content_b64: Type.Optional(
      Type.String({ minLength: 1, description: 'Of `file` and `media`: the bytes in Base64.' }),
    ),
    app: Type.Optional(App),
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    context: Type.Optional(
      closed({
        channel: stringEnum(['sms', 'email', 'call', 'chat', 'web'], 'How it reached the person.'),
        sender: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
      }),
    ),
  },
  { $id: 'NewScan', description: 'Content to judge. It is analysed in memory and never stored.' },
);
export type NewScan = Static<typeof NewScan>;

export const ScanFinding = closed({
  detector: Type.String({ description: 'What found it.' }),
  threat_type: Type.String(),
  confidence: Confidence,
  evidence: Type.String({ description: 'What it rests on, without repeating the content.' }),
});
export type ScanFinding = Static<typeof ScanFinding>;

export const ScanResult = closed(
  {
    scan_id: idOf('scan'),
    status: stringEnum(
      ['completed', 'unsupported'],
      '`unsupported`: nothing here can judge this content. That is no all-clear.',
    ),
    threat_detected: Type.Boolean(),
    threat_type: Type.String({ description: 'The finer kind of threat, or `none`.' }),
    confidence: Confidence,
    details: Type.String({ description: 'What was found and why, in one sentence.' }),
    threat_category: nullable(ThreatCategory),
    verdict: {
      ...Action,
      description: 'What a device should do. `warn` for what nothing here can judge: the person decides.',
    } as typeof Action,
    findings: Type.Array(ScanFinding),
    scanned_at: Timestamp,
  },
  { $id: 'ScanResult', description: 'What was found in submitted content, and why.' },
);
export type ScanResult = Static<typeof ScanResult>;
