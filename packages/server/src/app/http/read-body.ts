import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { parseLargeMemberBody } from '../../platform/http/large-member-body.ts';
import { refuseExposedCredential } from './access/request-credential.ts';

/** Parses JSON bodies strictly and keeps their bytes, which devices sign. Other media types are rejected. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  app.addContentTypeParser('application/json', options, async (request: FastifyRequest, body: Buffer) => {
    request.rawBody = body;
    if (body.length === 0 && request.routeOptions.config.operation?.bodyOptional) return {};
    const { largeMember } = request.routeOptions.config.operation ?? {};
    if (largeMember === undefined) return parseChecked(body);
    const { value, rawMember } = parseLargeMemberBody(body, { member: largeMember, parse: parseChecked });
    request.rawMember = rawMember;
    return value;
  });
}

function parseChecked(body: Buffer): unknown {
  // The search is some hundred times faster than the pattern, and for nearly every body it is enough.
  if (body.includes('svc_')) refuseExposedCredential(body.toString('utf8'));
  return parseJsonBody(body);
}
