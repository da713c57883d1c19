import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery } from '../schema/page.ts';
import { Severity, ThreatCategory } from '../schema/values.ts';
import { Audience, GuidanceCard, Locale } from './schema.ts';

const card = {
  guidance_id: 'gui_phishing-user-en',
  title: 'A message wants your password',
  summary: 'Someone pretends to be a company you know and wants you to sign in on their page.',
  threat_category: 'phishing',
  severity_min: 'low',
  audience: 'user',
  locale: 'en',
  steps: [
    { order: 1, kind: 'dont', text: 'Do not open the link, and do not answer the message.' },
    { order: 2, kind: 'verify', text: 'Open the site from your own bookmark and look there.' },
  ],
  references: [
    {
      title: 'FTC: How to recognize and avoid phishing scams',
      url: 'https://consumer.ftc.gov/articles/how-recognize-avoid-phishing-scams',
    },
  ],
  version: 1,
};

export const listGuidance = operation({
  operationId: 'listGuidance',
  method: 'GET',
  path: '/guidance',
  tag: 'guidance',
  summary: 'List guidance cards',
  description:
    'The cards are the same for all tenants. `severity` returns the cards whose `severity_min` is at most that severity.',
  scope: 'status:read',
  openTo: ['device'],
  query: pageQuery({
    threat_category: Type.Optional(ThreatCategory),
    severity: Type.Optional(
      // A card applies to its severity and those above it, so this filter is not an equality.
      { ...Severity, description: 'Only cards that apply to a threat of this severity.' } as typeof Severity,
    ),
    audience: Type.Optional(Audience),
    locale: Type.Optional(Locale),
  }),
  responses: {
    200: {
      description: 'A page of cards.',
      schema: pageOf('GuidancePage', GuidanceCard, {}),
      example: { data: [card], has_more: false, next_cursor: null },
    },
  },
});

export const guidanceOperations = [listGuidance] as const;
