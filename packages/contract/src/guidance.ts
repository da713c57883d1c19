import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, Severity, stringEnum, ThreatCategory } from './schema/values.ts';

export const AUDIENCES = ['user', 'analyst', 'admin'] as const;
export const Audience = stringEnum(AUDIENCES, 'Who it is written for.');
export type Audience = Static<typeof Audience>;

export const LOCALES = ['en', 'de'] as const;
export const Locale = stringEnum(LOCALES, 'Language, as in BCP 47.');
export type Locale = Static<typeof Locale>;

export const GUIDANCE_STEP_KINDS = ['do', 'dont', 'verify', 'contact'] as const;

/** What to do about one kind of threat. */
export const GuidanceCard = closed(
  {
    guidance_id: idOf('guidance', 'Stable: `gui_<category>-<audience>-<locale>`.'),
    title: Type.String(),
    summary: Type.String({ description: 'The situation in a few sentences.' }),
    threat_category: ThreatCategory,
    severity_min: Severity,
    audience: Audience,
    locale: Locale,
    steps: Type.Array(
      closed({
        order: Type.Integer({ minimum: 1, description: 'Counts from 1 through all steps of the card.' }),
        kind: stringEnum(GUIDANCE_STEP_KINDS, 'What kind of step it is.'),
        text: Type.String(),
      }),
    ),
    references: Type.Array(closed({ title: Type.String(), url: Type.String({ format: 'uri' }) })),
    version: Type.Integer({ minimum: 1, description: 'Rises with each revision of the text.' }),
  },
  {
    $id: 'GuidanceCard',
    description: 'What to do about one kind of threat, for one audience, in one language.',
  },
);
export type GuidanceCard = Static<typeof GuidanceCard>;
