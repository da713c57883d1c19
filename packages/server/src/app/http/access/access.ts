import type { Operation } from '@tps/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenAuthenticator } from '../../../features/tokens/index.ts';
import { refuseCredentialInQuery } from '../../../platform/http/exposed-credential.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { peerOf } from '../../../platform/rate-limit/peer-key.ts';
import type { Admission, RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts';
import { isDeviceEvent } from '../../../platform/rate-limit/tenant-limits.ts';
import { invalidCredentials, notFound, ServiceError } from '../../../platform/service-error.ts';
import { hasScopeOf } from './operation-scope.ts';
import { type ProofParts, requirePossession } from './proof-of-possession.ts';
import { readCredential } from './request-credential.ts';
import type { RequestLimits } from './request-limits.ts';

/** Requests per minute to each open route from one address: enough for health checks by several proxies. */
const OPEN_PER_MINUTE = 600;

/** For how long a sign-in counts as recent: `max_age` of the challenge. */
const SIGN_IN_COUNTS_MS = 600_000;

export interface AccessControl {
  /**
   * Admits a request before its body is read: credential, rate limit, scope. Every path sets the rate limit
   * headers. Returns the caller; undefined on open routes.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined>;
  /**
   * Reviews a refusal before it is sent. A request that was admitted from memory and whose credential has ended gets the
   * response of an unknown credential. A refused enrolment is counted like a failed authentication, because
   * a caller with an enrolment secret can try device ids.
   * @throws ServiceError `invalid_credentials`, `rate_limited` in place of the refusal
   */
  reviewRefusal(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<void>;
}

export function createAccessControl(parts: {
  authenticator: TokenAuthenticator;
  limiter: RateLimiter;
  requests: RequestLimits;
  perMinute: number;
  trustProxy: boolean;
  proofs: ProofParts;
}): AccessControl {
  const { authenticator, limiter, requests, perMinute, trustProxy, proofs } = parts;

  const count = async (reply: FastifyReply, admitting: Promise<Admission>) => {
    const admission = await admitting;
    setRateLimitHeaders(reply, admission);
    if (admission.allowed) return;
    throw new ServiceError(
      'rate_limited',
      `The limit of ${admission.limit} requests in 60 seconds is exceeded`,
      {
        retryAfterSeconds: admission.retryAfterSeconds,
      },
    );
  };

  const authenticate = async (request: FastifyRequest) => {
    refuseCredentialInQuery(queryOf(request.url));
    const presented = readCredential(request.raw);
    const found = await authenticator.authenticate(presented.credential);
    if (!found) throw invalidCredentials();
    await requirePossession(proofs, request, { caller: found.caller, presented });
    return found;
  };
  // Counted separately: guessing is slowed down, but a valid credential behind the same address is not.
  const authenticateOrCount = (request: FastifyRequest, reply: FastifyReply) =>
    authenticate(request).catch(async (error: unknown) => {
      if (isRefusal(error))
        await count(reply, limiter.admit(`failed ${peerOf(request.raw, trustProxy)}`, perMinute));
      throw error;
    });
  const recall = (request: FastifyRequest, operation: Operation) => {
    if (!isDeviceEvent(operation) || request.url.includes('?')) return undefined;
    const credential = readableCredential(request);
    const known = credential === undefined ? undefined : authenticator.recall(credential);
    // Each request with a token that is bound to a key is checked in full.
    const recalled = known?.caller.issued?.keyThumbprint ? undefined : known;
    request.isRecalled = recalled !== undefined;
    return recalled;
  };

  return {
    async admit(request, reply) {
      const operation = request.routeOptions.config.operation;
      if (!operation || operation.scope === null) {
        const key = `open ${operation?.path ?? 'unknown'} ${peerOf(request.raw, trustProxy)}`;
        await count(reply, limiter.admit(key, OPEN_PER_MINUTE));
        return undefined;
      }
      // The transaction that stores events confirms the credential. Reading it here took 12 of 180 µs per event.
      const found = recall(request, operation) ?? (await authenticateOrCount(request, reply));
      request.authenticated = found.caller;
      await count(reply, requests.admit(found, operation));
      requireScope(found.caller, operation);
      requireOpenTo(found.caller, operation, request);
      requireRecentSignIn(found.caller, operation, proofs.clock.now());
      return found.caller;
    },
    async reviewRefusal(request, reply, error) {
      if (request.isRecalled) await authenticateOrCount(request, reply);
      if (request.caller?.boundTo !== 'enrolment' || !isRefusal(error)) return;
      await count(reply, limiter.admit(`failed ${peerOf(request.raw, trustProxy)}`, perMinute));
    },
  };
}

/** Returns undefined for an unreadable credential: the authentication rejects and counts it. */
function readableCredential({ raw }: FastifyRequest): string | undefined {
  try {
    const { credential, scheme } = readCredential(raw);
    return scheme === 'Bearer' ? credential : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function requireScope(caller: Caller, operation: Operation): void {
  if (hasScopeOf(caller, operation)) return;
  throw new ServiceError('insufficient_scope', `The credential lacks the scope ${operation.scope}`);
}

/** A person's token of our own clients changes who has access only soon after they have proved who they are. */
function requireRecentSignIn({ issued }: Caller, { recentSignIn }: Operation, nowMs: number): void {
  const provedAtMs = issued?.authenticatedAtMs ?? null;
  if (recentSignIn !== true || provedAtMs === null || nowMs - provedAtMs <= SIGN_IN_COUNTS_MS) return;
  throw new ServiceError(
    'reauthentication_required',
    'Sign in again: the last sign-in is over 10 minutes ago',
  );
}

/** A bound credential calls only what the contract opens to it. Another device does not exist for a device. */
function requireOpenTo(
  { boundTo, deviceId }: Caller,
  operation: Operation,
  { params }: FastifyRequest,
): void {
  if (boundTo === undefined) return;
  if (!operation.openTo?.includes(boundTo)) {
    const kind = boundTo === 'device' ? 'The credential of a device' : 'An enrolment secret';
    throw new ServiceError(
      'insufficient_scope',
      `${kind} cannot call this operation; use a token of the tenant`,
    );
  }
  const { id } = params as { id?: string };
  if (boundTo === 'device' && operation.id === 'device' && id !== deviceId) throw notFound('device');
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code !== 'unavailable';
}

function setRateLimitHeaders(reply: FastifyReply, { limit, remaining, resetAt }: Admission): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', resetAt);
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
