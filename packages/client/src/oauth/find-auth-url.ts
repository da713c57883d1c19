import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { toBaseUrl } from '../http/base-url.ts';
import { exchange, type Fetch } from '../http/exchange.ts';
import { parseObject } from './token-endpoint.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 65_536;

/**
 * Asks a service for the address of its authorization server (RFC 8414): the `authUrl` of the other functions.
 *
 * @throws UnexpectedAnswerError when the service does not offer OAuth
 */
export async function findAuthUrl(options: {
  /** URL of the service. https, or http for this machine only. */
  readonly baseUrl: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  readonly allowInsecure?: boolean;
}): Promise<string> {
  const baseUrl = toBaseUrl(options.baseUrl, options);
  const answer = await exchange({
    url: `${baseUrl}/.well-known/oauth-authorization-server`,
    method: 'GET',
    headers: new Headers({ accept: 'application/json' }),
    fetch: options.fetch ?? ((address, init) => fetch(address, init)),
    timeoutMs: TIMEOUT_MS,
    limitBytes: ANSWER_LIMIT_BYTES,
    signals: [],
  });
  const { issuer } = answer.status === 200 ? parseObject(answer.text) : {};
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) {
    throw new UnexpectedAnswerError('answer_not_understood', 'The service does not offer OAuth.');
  }
  return toBaseUrl(issuer, options);
}
