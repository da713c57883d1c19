import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, stringEnum, Timestamp } from '../schema/values.ts';

export const ARTIFACT_KINDS = ['triage_report', 'timeline', 'evidence', 'recommendation'] as const;
export const ArtifactKind = stringEnum(
  ARTIFACT_KINDS,
  'The report is Markdown for people; the other artifacts are JSON.',
);
export type ArtifactKind = Static<typeof ArtifactKind>;

/** The content of a `timeline`, as JSON: what happened, oldest first. Long lists are cut, and `cut_to` names the limit. */
export const TimelineDocument = closed({
  moments: Type.Array(
    closed({
      at: Timestamp,
      kind: stringEnum(
        ['event', 'correction', 'related_event', 'seen_elsewhere', 'incident_opened', 'scan'],
        'What happened.',
      ),
      id: Type.String({ description: 'ID of the event, incident, scan or threat.' }),
      device_id: Type.Union([Type.String(), Type.Null()]),
      sentence: Type.String({ description: 'Written by the service.' }),
      said: Type.Union([Type.String(), Type.Null()], { description: 'Text from the device.' }),
    }),
  ),
  cut_to: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type TimelineDocument = Static<typeof TimelineDocument>;

/** A document published by a run. Immutable. */
export const Artifact = closed(
  {
    artifact_id: idOf('artifact'),
    tenant_id: idOf('tenant'),
    job_id: idOf('job'),
    trace_id: idOf('trace'),
    step_id: idOf('step'),
    kind: ArtifactKind,
    media_type: stringEnum(['text/markdown', 'application/json'], 'Media type of the content.'),
    size_bytes: Type.Integer({ minimum: 0, description: 'Size of the content in UTF-8.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content in UTF-8.' }),
    created_at: Timestamp,
    content: Type.String({ description: 'Text of the artifact. The same inputs produce the same bytes.' }),
  },
  { $id: 'Artifact', description: 'A document published by a run. Immutable.' },
);
export type Artifact = Static<typeof Artifact>;
