import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import {
  Action,
  Confidence,
  closed,
  nullable,
  stringEnum,
  ThreatCategory,
  Timestamp,
} from '../schema/values.ts';

export const SCAN_TYPES = ['text', 'url', 'file', 'app', 'media'] as const;
export const ScanType = stringEnum(SCAN_TYPES, 'Type of the submitted content.');
export type ScanType = Static<typeof ScanType>;

const Sha256 = Type.String({ pattern: '^[0-9a-fA-F]{64}$', maxLength: 64, description: 'SHA-256 in hex.' });

export const App = closed({
  package_name: Type.String({ minLength: 1, maxLength: 255, description: 'Such as `com.example.app`.' }),
  sha256: Type.Optional(Sha256),
  certificate_sha256: Type.Optional(Sha256),
  permissions: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 500, uniqueItems: true }),
  ),
});

/** Body of POST /scan. `type` determines which of `content`, `content_b64` and `app` is required. */
export const NewScan = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    type: ScanType,
    content: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100_000,
        description: 'For `text`: the message or transcript; for `url`: the URL.',
      }),
    ),
    content_b64: Type.Optional(
      Type.String({ minLength: 1, description: 'For `file` and `media`: the bytes in Base64.' }),
    ),
    app: Type.Optional(App),
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    context: Type.Optional(
      closed({
        channel: Type.Optional(
          stringEnum(['sms', 'email', 'call', 'chat', 'web'], 'Channel on which the content arrived.'),
        ),
        sender: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
        known_sender: Type.Optional(
          Type.Boolean({
            description:
              'Whether the person knows the sender: a contact, or someone with whom they have written before. Read for `text`.',
          }),
        ),
        previous: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
            maxItems: 20,
            description:
              'Earlier messages of the same conversation, the oldest first. Read for `text` only: their words, without links, up to the newest 10,000 characters. They are not stored.',
          }),
        ),
      }),
    ),
  },
  {
    $id: 'NewScan',
    description:
      'Content to analyze. `text` and `url` require `content`, `file` and `media` require `content_b64`, `app` requires `app`; no other combination is allowed. The content is never stored.',
  },
);
export type NewScan = Static<typeof NewScan>;

export const ScanFinding = closed({
  detector: Type.String({ description: 'Name of the detector.' }),
  threat_type: Type.String(),
  confidence: Confidence,
  evidence: Type.String({ description: 'Reason for the finding, without the content itself.' }),
});
export type ScanFinding = Static<typeof ScanFinding>;

export const ScanResult = closed(
  {
    scan_id: idOf('scan'),
    status: stringEnum(
      ['completed', 'unsupported'],
      '`unsupported`: no detector can analyze this content. It does not mean that the content is safe.',
    ),
    threat_detected: Type.Boolean(),
    threat_type: Type.String({ description: 'Kind of threat within the category, or `none`.' }),
    confidence: Confidence,
    details: Type.String({ description: 'Explanation in one sentence, in `language`.' }),
    language: Type.Optional(
      Type.String({
        maxLength: 35,
        description:
          'Language of `details`, chosen by `Accept-Language`. The evidence of findings is in English.',
      }),
    ),
    threat_category: nullable(ThreatCategory),
    verdict: {
      ...Action,
      description:
        'What a device should do. `warn` when no detector can analyze the content: the person decides. `allow` for such a text only if the model knows none of its words and it has no link, number, code, handle or name of a messenger.',
    } as typeof Action,
    findings: Type.Array(ScanFinding),
    model_version: Type.Optional(
      Type.String({ maxLength: 64, description: 'Version of the model. Absent when no model was loaded.' }),
    ),
    scanned_at: Timestamp,
  },
  { $id: 'ScanResult', description: 'Result of the analysis of submitted content.' },
);
export type ScanResult = Static<typeof ScanResult>;
