import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../schema/errors.ts';
import type { IdNoun } from '../schema/identifiers.ts';
import type { Scope } from '../schema/scopes.ts';

/** Groups of operations, one per noun of the API, with what each is about. */
export const TAGS = {
  devices: 'Phones and computers whose agents sign events.',
  events: 'The append-only feed of detection decisions.',
  threats: 'What related events of one device add up to.',
  alerts: 'Decisions that deserve attention.',
  incidents: 'Alerts that belong together and need a person.',
  policies: 'What devices do about which threats.',
  indicators: 'What gives threats away, by source, and the signed bundle of it for devices.',
  jobs: 'Triage of incidents, step by step, that a person reviews.',
  scan: 'Judgement of content that somebody submits.',
  guidance: 'What to do about a kind of threat, for users, analysts and administrators.',
  webhooks: 'Signed push of warn and block events, with retries, dead letters and replay.',
  tokens: 'Credentials and their audit trail.',
  status: 'How well a tenant is protected.',
  service: 'The process itself. Open to all, holds no data.',
} as const;
export type Tag = keyof typeof TAGS;

/** `tag` parameter of the request signature that an operation asks for (RFC 9421 section 2.3). */
export type SignatureTag = 'tps-event' | 'tps-register' | 'tps-rotate';

export interface Answer {
  readonly description: string;
  /** Left out when the answer has no body. */
  readonly schema?: TSchema;
  readonly example?: unknown;
  readonly headers?: readonly ('Location' | 'ETag')[];
  /** `application/json` unless named. */
  readonly mediaType?: string;
}

/** One method on one path: all that validation, routing, the OpenAPI document and tests need to know of it. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path template below `{base_url}`; its only parameter is `{id}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Scope that the credential must hold; `null` means open to all. */
  readonly scope: Scope | null;
  /** Scope that older credentials hold in place of `scope`; accepted as well. */
  readonly legacyScope?: Scope;
  /** The device signs the request; this is the tag of the signature. */
  readonly signature?: SignatureTag;
  /** Whose id `{id}` is. */
  readonly id?: IdNoun;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Schema that validates the whole body when items are judged one by one later. Defaults to `body`. */
  readonly envelope?: TSchema;
  /** An empty body means `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyExample?: unknown;
  /** Which of the larger limits holds for the body; the usual one when left out. */
  readonly bodySize?: 'batch' | 'scan';
  /** A string member, megabytes of Base64 for instance, that is better read apart from the rest of the body. */
  readonly bulkyMember?: string;
  readonly headers?: readonly ('Idempotency-Key' | 'If-Match' | 'If-None-Match')[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Codes beyond those that every operation of its kind can answer with. */
  readonly errors?: readonly ErrorCode[];
}

/** Types an operation as narrowly as it is written, so that handlers know its body and query. */
export function operation<const Shape extends Operation>(shape: Shape): Shape {
  return shape;
}

export type BodyOf<O extends Operation> = O extends { envelope: infer Schema extends TSchema }
  ? Static<Schema>
  : O extends { body: infer Schema extends TSchema }
    ? Static<Schema>
    : undefined;

export type QueryOf<O extends Operation> = O extends { query: infer Schema extends TSchema }
  ? Static<Schema>
  : object;
