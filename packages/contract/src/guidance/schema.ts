import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, Severity, stringEnum, ThreatCategory } from '../schema/values.ts';

export const AUDIENCES = ['user', 'analyst', 'admin'] as const;
export const Audience = stringEnum(AUDIENCES, 'Audience of the card.');
export type Audience = Static<typeof Audience>;

export const LOCALES = ['en', 'de'] as const;
export const Locale = stringEnum(LOCALES, 'Language as a BCP 47 tag.');
export type Locale = Static<typeof Locale>;

export const GUIDANCE_STEP_KINDS = ['do', 'dont', 'verify', 'contact'] as const;

/** Advice on one kind of threat. */
export const GuidanceCard = closed(
  {
    guidance_id: idOf('guidance', 'Stable ID, `gui_<category>-<audience>-<locale>`.'),
    title: Type.String(),
    summary: Type.String({ description: 'The situation in a few sentences.' }),
    threat_category: ThreatCategory,
    severity_min: Severity,
    audience: Audience,
    locale: Locale,
    steps: Type.Array(
      closed({
        order: Type.Integer({ minimum: 1, description: 'Position of the step, from 1.' }),
        kind: stringEnum(GUIDANCE_STEP_KINDS, 'Kind of step.'),
        text: Type.String(),
      }),
    ),
    references: Type.Array(closed({ title: Type.String(), url: Type.String({ format: 'uri' }) })),
    version: Type.Integer({ minimum: 1, description: 'Increases with each revision of the text.' }),
  },
  {
    $id: 'GuidanceCard',
    description: 'Advice on one kind of threat, for one audience, in one language.',
  },
);
export type GuidanceCard = Static<typeof GuidanceCard>;
