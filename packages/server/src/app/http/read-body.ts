import { type JsonBounds, jsonBoundsOf, type Operation } from '@tps/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { findMember } from '../../platform/http/json-scan.ts';
import { parseLargeMemberBody } from '../../platform/http/large-member-body.ts';
import { parseListMemberBody } from '../../platform/http/list-member-body.ts';

const NOTHING: JsonBounds = { structure: 0, bytes: 0, text: 0 };
/** Longer than the longest tenant id. */
const MAX_TENANT_ID_BYTES = 512;

/** How the bodies of an operation are parsed. */
export interface BodyReader {
  /** Whether the body is parsed only when its signature is verified: parsing costs more than verifying. */
  readonly isLate: boolean;
  parse(body: Buffer): ParsedBody;
}

export interface ParsedBody {
  readonly value: unknown;
  /** The bytes of the operation's `largeMember`. */
  readonly rawMember?: Buffer | undefined;
  /** The bytes of the items of the operation's `listMember`. */
  readonly rawItems?: readonly Buffer[] | undefined;
}

/** Creates the reader of an operation's bodies. What they may contain follows from its schema. */
export function createBodyReader(operation: Operation): BodyReader {
  const { body: schema, envelope = schema, largeMember, listMember, bodyOptional, signature } = operation;
  const { structure: maxStructure, text: maxText } = envelope ? jsonBoundsOf(envelope) : NOTHING;
  const parse = (body: Buffer) => parseJsonBody(body, { maxStructure, maxText });
  return {
    isLate: signature === 'tps-event' || listMember !== undefined,
    parse(body) {
      if (body.length === 0 && bodyOptional) return { value: {} };
      if (largeMember !== undefined) return parseLargeMemberBody(body, { member: largeMember, parse });
      if (listMember === undefined) return { value: parse(body) };
      return parseListMemberBody(body, { member: listMember, maxItems: maxItemsOf(operation), parse });
    },
  };
}

function maxItemsOf({ body, listMember = '' }: Operation): number {
  const { properties } = body as unknown as { properties: Record<string, { maxItems?: number }> };
  return properties[listMember]?.maxItems ?? 0;
}

/** Parses JSON bodies strictly and keeps their bytes, which devices sign. Other media types are rejected. */
export function readJsonBodies(app: FastifyInstance, turns: FairTurns): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  app.addContentTypeParser('application/json', options, async (request: FastifyRequest, body: Buffer) => {
    request.rawBody = body;
    const { reader } = request.routeOptions.config;
    if (!reader) return undefined;
    const tenantId = request.caller?.tenantId ?? '';
    if (reader.isLate) return turns.run(tenantId, () => peekMembers(body));
    const parsed = await turns.run(tenantId, () => reader.parse(body));
    request.rawMember = parsed.rawMember;
    return parsed.value;
  });
}

/** Reads what is needed of a body before its signature is verified: `tenant_id`, if it is there and readable. */
function peekMembers(body: Buffer): { tenant_id?: unknown } {
  const span = findMember(body, 'tenant_id');
  if (!span || span.end - span.start > MAX_TENANT_ID_BYTES) return {};
  try {
    return { tenant_id: JSON.parse(body.toString('utf8', span.start, span.end)) };
  } catch {
    return {};
  }
}
