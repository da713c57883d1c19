import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unpackPreviousVersion } from '../previous-version.ts';
import { ANNOUNCED_CHANGES } from './announced-changes.ts';
import { type ContractDocument, findBreakingChanges } from './find-breaking-changes.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const EXAMPLE = {
  paths: {
    '/cards/{id}': {
      patch: {
        'x-required-scope': 'cards:write',
        'x-open-to': ['device'],
        'x-signature-tag': 'tps-card',
        parameters: [
          { name: 'colour', in: 'query', required: false, schema: { type: 'string', enum: ['red', 'blue'] } },
          { name: 'If-Match', in: 'header', required: false, schema: { type: 'string', maxLength: 100 } },
        ],
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['title'],
                properties: {
                  title: { type: 'string', minLength: 1, maxLength: 80 },
                  rank: { anyOf: [{ type: 'number', minimum: 0, maximum: 10 }, { type: 'null' }] },
                  card_id: { type: 'string', pattern: '^(?:crd|old)_[a-z]{1,20}$' },
                  tags: { type: 'array', maxItems: 5, items: { type: 'string' } },
                },
              },
            },
          },
        },
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Card' } } } },
          '409': { $ref: '#/components/responses/409' },
        },
      },
    },
  },
  webhooks: {
    cardMoved: {
      post: {
        parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Card' } } } },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Card: {
        type: 'object',
        required: ['title', 'colour'],
        properties: {
          title: { type: 'string' },
          colour: { type: 'string', enum: ['red', 'blue'] },
          rank: { type: 'integer' },
          parent: { $ref: '#/components/schemas/Card' },
        },
      },
    },
    responses: {
      '409': { content: { 'application/json': { examples: { card_taken: {}, card_gone: {} } } } },
    },
  },
};
type Example = typeof EXAMPLE;
// biome-ignore lint/suspicious/noExplicitAny: a document that is changed in ways that its type excludes
type ChangedDocument = any;

const patchOf = (document: Example) => document.paths['/cards/{id}'].patch;
const bodyOf = (document: ChangedDocument) =>
  patchOf(document).requestBody.content['application/json'].schema as ChangedDocument;
const cardOf = (document: ChangedDocument) => document.components.schemas.Card;

/** Returns what is found when the example changes like this. */
function find(change: (document: ChangedDocument) => void): string[] {
  const after = structuredClone(EXAMPLE);
  change(after);
  return findBreakingChanges(EXAMPLE as ContractDocument, after as ContractDocument).map((one) =>
    one.replace('PATCH /cards/{id}: ', ''),
  );
}

const BREAKING: readonly [string, (document: ChangedDocument) => void, string][] = [
  ['an operation', (d) => delete d.paths['/cards/{id}'].patch, 'PATCH /cards/{id} is removed'],
  [
    'another scope',
    (d) => Object.assign(patchOf(d), { 'x-required-scope': 'cards:admin' }),
    'requires the scope cards:admin',
  ],
  [
    'access of devices',
    (d) => Object.assign(patchOf(d) as ChangedDocument, { 'x-open-to': [] }),
    'is closed to device credentials',
  ],
  [
    'a sign-in',
    (d) => Object.assign(patchOf(d) as ChangedDocument, { 'x-recent-sign-in': true }),
    'requires a recent sign-in',
  ],
  [
    'a signature',
    (d) => Object.assign(patchOf(d), { 'x-signature-tag': 'tps-x' }),
    'is signed in another way',
  ],
  ['a parameter', (d) => void patchOf(d).parameters.pop(), 'header If-Match is removed'],
  [
    'a value of a parameter',
    (d) => void (patchOf(d).parameters[0] as ChangedDocument).schema.enum.pop(),
    'query colour must not be "blue" any more',
  ],
  [
    'a parameter that is required',
    (d) => Object.assign(patchOf(d).parameters[0] as ChangedDocument, { required: true }),
    'query colour is required',
  ],
  [
    'a body that is required',
    (d) => Object.assign(patchOf(d).requestBody, { required: true }),
    'body is required',
  ],
  ['a member of the body', (d) => delete bodyOf(d).properties.rank, 'body.rank is removed'],
  ['a member that is required', (d) => void bodyOf(d).required.push('rank'), 'body.rank is required'],
  [
    'an upper bound',
    (d) => Object.assign(bodyOf(d).properties.title, { maxLength: 79 }),
    'body.title has maxLength 79',
  ],
  [
    'a lower bound',
    (d) => Object.assign(bodyOf(d).properties.tags, { minItems: 1 }),
    'body.tags has minItems 1',
  ],
  [
    'a bound of an alternative',
    (d) => Object.assign(bodyOf(d).properties.rank.anyOf[0], { maximum: 9 }),
    'body.rank has maximum 9',
  ],
  ['null', (d) => void bodyOf(d).properties.rank.anyOf.pop(), 'body.rank must not be null any more'],
  [
    'a pattern',
    (d) => Object.assign(bodyOf(d).properties.title, { pattern: '^a' }),
    'body.title has another pattern',
  ],
  [
    'a length below that of the pattern',
    (d) => Object.assign(bodyOf(d).properties.card_id, { maxLength: 23 }),
    'body.card_id has maxLength 23',
  ],
  [
    'listed values',
    (d) => Object.assign(bodyOf(d).properties.title, { enum: ['a'] }),
    'body.title accepts listed values only',
  ],
  [
    'a type of items',
    (d) => Object.assign(bodyOf(d).properties.tags.items, { type: 'integer' }),
    'body.tags[] must not be string any more',
  ],
  [
    'a status',
    (d) => delete (patchOf(d).responses as ChangedDocument)['200'],
    'does not respond with 200 any more',
  ],
  [
    'a code',
    (d) =>
      delete (d.components.responses['409'].content['application/json'].examples as ChangedDocument)
        .card_gone,
    'does not respond with 409 card_gone any more',
  ],
  ['a returned member', (d) => delete cardOf(d).properties.rank, '200.rank is removed'],
  ['a member that is always returned', (d) => void cardOf(d).required.pop(), '200.colour can be absent'],
  [
    'a returned type',
    (d) => Object.assign(cardOf(d).properties.rank, { type: 'number' }),
    '200.rank can be number',
  ],
  [
    'a returned null',
    (d) => Object.assign(cardOf(d).properties, { title: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    '200.title can be null',
  ],
  [
    'a header of webhooks',
    (d) => void d.webhooks.cardMoved.post.parameters.pop(),
    'webhook cardMoved: header X-Signature is removed',
  ],
  [
    'a member of webhooks',
    (d) => delete cardOf(d).properties.title,
    'webhook cardMoved: body.title is removed',
  ],
];

const ADDITIVE: readonly [string, (document: ChangedDocument) => void][] = [
  ['an operation', (d) => Object.assign(d.paths, { '/new': { get: { responses: {} } } })],
  [
    'an optional parameter',
    (d) =>
      void patchOf(d).parameters.push({
        name: 'x',
        in: 'query',
        required: false,
        schema: {},
      } as ChangedDocument),
  ],
  [
    'an optional member of the body',
    (d) => Object.assign(bodyOf(d).properties, { more: { type: 'string' } }),
  ],
  [
    'a value of a parameter',
    (d) => void (patchOf(d).parameters[0] as ChangedDocument).schema.enum.push('green'),
  ],
  [
    'a pattern in place of listed values that match it',
    (d) =>
      Object.assign(patchOf(d).parameters[0] as ChangedDocument, {
        schema: {
          type: 'string',
          pattern: '^!?[a-z,]+$',
          maxLength: 100,
        },
      }),
  ],
  ['a wider bound', (d) => Object.assign(bodyOf(d).properties.title, { maxLength: 81 })],
  [
    'the length that the pattern has always had',
    (d) => Object.assign(bodyOf(d).properties.card_id, { maxLength: 24 }),
  ],
  ['a wider type of a request', (d) => Object.assign(bodyOf(d).properties, { title: {} })],
  ['a member that is no longer required', (d) => void bodyOf(d).required.pop()],
  ['a returned member', (d) => Object.assign(cardOf(d).properties, { more: { type: 'string' } })],
  ['a returned value', (d) => void cardOf(d).properties.colour.enum.push('green')],
  [
    'an error code',
    (d) =>
      Object.assign(d.components.responses['409'].content['application/json'].examples as ChangedDocument, {
        card_new: {},
      }),
  ],
  [
    'the old scope as a second one',
    (d) => Object.assign(patchOf(d), { 'x-required-scope': 'cards:admin', 'x-legacy-scope': 'cards:write' }),
  ],
  [
    'a header of webhooks',
    (d) =>
      void d.webhooks.cardMoved.post.parameters.push({
        name: 'X-New',
        in: 'header',
        required: true,
        schema: {},
      } as ChangedDocument),
  ],
];

describe('the comparison of two versions of a contract', () => {
  test.each(BREAKING)('finds the change of %s', (_, change, expected) => {
    expect(find(change)).toContain(expected);
  });

  test.each(ADDITIVE)('allows the addition of %s', (_, change) => {
    expect(find(change)).toEqual([]);
  });
});

test('the contract keeps what the last release promised, except for announced changes', () => {
  const current = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as ContractDocument;
  const released = unpackPreviousVersion().document as ContractDocument;
  expect(findBreakingChanges(released, current).sort()).toEqual(Object.keys(ANNOUNCED_CHANGES).sort());
});

test('docs/upgrade.md names the operations that changed in a breaking way', () => {
  const page = readFileSync(join(ROOT, 'docs/upgrade.md'), 'utf8');
  const breaking = Object.entries(ANNOUNCED_CHANGES).filter(([, reason]) => reason === 'breaking');
  const operations = breaking.map(([change]) => change.split(':')[0]);
  expect(operations.filter((operation) => !page.includes(`\`${operation}\``))).toEqual([]);
});
