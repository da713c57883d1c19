import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, stringEnum, Timestamp } from './schema/values.ts';

export const ARTIFACT_KINDS = ['triage_report', 'timeline', 'evidence', 'recommendation'] as const;
export const ArtifactKind = stringEnum(
  ARTIFACT_KINDS,
  'The report is Markdown for people; the others are JSON for programs.',
);
export type ArtifactKind = Static<typeof ArtifactKind>;

/** What a run has published. Never changes. */
export const Artifact = closed(
  {
    artifact_id: idOf('artifact'),
    tenant_id: idOf('tenant'),
    job_id: idOf('job'),
    trace_id: idOf('trace'),
    step_id: idOf('step'),
    kind: ArtifactKind,
    media_type: stringEnum(['text/markdown', 'application/json'], 'How to read the content.'),
    size_bytes: Type.Integer({ minimum: 0, description: 'Of the content in UTF-8.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content in UTF-8.' }),
    created_at: Timestamp,
    content: Type.String({ description: 'The text itself. The same inputs give the same bytes.' }),
  },
  { $id: 'Artifact', description: 'A document that a run has published. Immutable.' },
);
export type Artifact = Static<typeof Artifact>;
