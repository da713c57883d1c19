import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../schema/errors.ts';
import type { IdNoun } from '../schema/identifiers.ts';
import type { Scope } from '../schema/scopes.ts';

/** Groups of operations, one per noun of the API, with a description of each. */
export const TAGS = {
  devices: 'Phones and computers whose agents sign events.',
  events: 'The append-only feed of detection decisions.',
  threats: 'Related events of one device, merged.',
  alerts: 'Decisions that need attention.',
  incidents: 'Related alerts that a person has to handle.',
  policies: 'Rules on how devices respond to threats.',
  indicators: 'Indicators of compromise by source, and the signed bundle of them for devices.',
  jobs: 'Automatic triage of incidents, ending in a recommendation that a person reviews.',
  scan: 'Analysis of submitted content.',
  guidance: 'Advice on each kind of threat, for users, analysts and administrators.',
  webhooks: 'Signed push of warn and block events, with retries, dead letters and replay.',
  notices: 'Messages by mail, Slack or webhook when an incident is opened or protection is degraded.',
  enrolments: 'Secrets with which devices register themselves.',
  tokens: 'Credentials and their audit trail.',
  'oauth clients': 'Programs that get access tokens by OAuth2.',
  members: 'People of a tenant, invitations and single sign-on.',
  audit: 'Privileged changes, and rejected attempts at them, with their actors.',
  settings: 'What is in effect for a tenant, and its deletion.',
  'data requests': 'Export and deletion of what is kept about a device or a person.',
  views: 'Named states of pages, kept for one person or shared.',
  status: 'Protection status and statistics of a tenant.',
  service: 'Health and documentation of the service itself. Public.',
} as const;
export type Tag = keyof typeof TAGS;

/** The `tag` parameter of the request signature that an operation requires (RFC 9421 section 2.3). */
export type SignatureTag = 'tps-event' | 'tps-register' | 'tps-rotate' | 'tps-renew';

/**
 * A credential that is bound to one purpose. `device`: the credential of one device, which reaches that device only.
 * `enrolment`: an enrolment secret.
 */
export type BoundCredential = 'device' | 'enrolment';

/** Callers should stop using an operation. docs/versioning.md promises how long it still works. */
export interface Deprecation {
  /** The day of the release that announces it: `2027-01-31`. */
  readonly since: string;
  /** The day from which it may be removed. Absent while this is open. */
  readonly sunset?: string;
  /** What to use instead, as a sentence for callers. */
  readonly instead: string;
}

export interface ResponseSpec {
  readonly description: string;
  /** Absent when the response has no body. */
  readonly schema?: TSchema;
  readonly example?: unknown;
  readonly headers?: readonly (
    | 'Content-Language'
    | 'Vary'
    | 'Location'
    | 'ETag'
    | 'Deprecation'
    | 'Sunset'
  )[];
  /** Default: `application/json`. */
  readonly mediaType?: string;
}

/** One method on one path, with everything that validation, routing, the OpenAPI document and the tests need. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template below `{base_url}`. The only parameter is `{id}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: Deprecation;
  /** Scope that the credential must hold; `null` for a public operation. */
  readonly scope: Scope | null;
  /** Scope that older credentials hold in place of `scope`; also accepted. */
  readonly legacyScope?: Scope;
  /** The bound credentials that may call the operation. They may call no other operation. */
  readonly openTo?: readonly BoundCredential[];
  /**
   * A token of the service's own clients may call the operation only within 10 minutes of its person's proof of who they are:
   * it changes who has access.
   */
  readonly recentSignIn?: boolean;
  /** Tag of the device's signature; absent when the request is not signed. */
  readonly signature?: SignatureTag;
  /** The noun that `{id}` identifies. */
  readonly id?: IdNoun;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Validates the body as a whole when the items of its `listMember` are validated one by one later. Defaults to `body`. */
  readonly envelope?: TSchema;
  /** An empty body means `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyExample?: unknown;
  /** Selects another size limit for the body: larger, or smaller for a body that is read before its signature is verified. */
  readonly bodySize?: 'batch' | 'scan' | 'key';
  /** A string member, megabytes of Base64 for instance, that is better read apart from the rest of the body. */
  readonly largeMember?: string;
  /** An array member whose items are parsed and validated one by one, so that many of them do not delay other requests. */
  readonly listMember?: string;
  readonly headers?: readonly (
    | 'Accept-Language'
    | 'Idempotency-Key'
    | 'If-Match'
    | 'If-None-Match'
    | 'Last-Event-ID'
  )[];
  /** The successful response has no end: it is a stream of messages (server-sent events) until one side closes it. */
  readonly streams?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Error codes in addition to those of every operation of its kind. */
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the literal type of an operation, so that handlers know its body and query. */
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
