import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { isTransient, jitterMs, toRetryAfterMs } from '../http/retry.ts';
import { wait } from '../http/wait.ts';
import { OAuthError } from './oauth-error.ts';
import { type OAuthClientOptions, type OAuthTokens, postForm, requestTokens } from './token-endpoint.ts';

export interface DeviceAuthorizationOptions extends OAuthClientOptions {
  /** Scopes of the token (default: all that the client is registered for). */
  readonly scopes?: readonly string[];
}

/** What a person needs to approve on another device. */
export interface DeviceAuthorization {
  /** The code to enter at `verificationUri`. */
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same page with the code filled in. */
  readonly verificationUriComplete: string | undefined;
  /** When the code ends, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /**
   * Resolves when the person has approved.
   *
   * @throws OAuthError `access_denied` when the person refuses, `expired_token` when the code has ended
   */
  tokens(call?: { signal?: AbortSignal }): Promise<OAuthTokens>;
}

/** RFC 8628, section 3.2: the pause between two polls when the server does not state one. */
const DEFAULT_INTERVAL_S = 5;
/** RFC 8628, section 3.5: `slow_down` adds this to the pause, for good. */
const SLOW_DOWN_S = 5;
const MAX_INTERVAL_S = 60;
const MAX_LIFETIME_S = 3600;

/** Begins the device grant (RFC 8628): for programs without a browser, such as command lines. */
export async function deviceAuthorization(options: DeviceAuthorizationOptions): Promise<DeviceAuthorization> {
  const { scopes = [] } = options;
  const form: Record<string, string> = scopes.length > 0 ? { scope: scopes.join(' ') } : {};
  const answer = await postForm(options, { path: '/device/code', form }, { retryOn: 'any-failure' });
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri } = answer;
  if (
    typeof deviceCode !== 'string' ||
    typeof userCode !== 'string' ||
    typeof verificationUri !== 'string' ||
    !/^https?:\/\//.test(verificationUri)
  ) {
    throw new UnexpectedAnswerError('token_not_understood', 'The answer is not one of the device grant.');
  }
  const { verification_uri_complete: complete } = answer;
  const lifetimeS = within(answer.expires_in, { fallback: MAX_LIFETIME_S, max: MAX_LIFETIME_S });
  const intervalS = within(answer.interval, { fallback: DEFAULT_INTERVAL_S, max: MAX_INTERVAL_S });
  const expiresAtMs = Date.now() + lifetimeS * 1000;
  return {
    userCode,
    verificationUri,
    verificationUriComplete: typeof complete === 'string' ? complete : undefined,
    expiresAtMs,
    tokens: ({ signal } = {}) =>
      poll(options, { deviceCode, expiresAtMs, intervalS, signals: signal ? [signal] : [] }),
  };
}

interface PollRequest {
  readonly deviceCode: string;
  readonly expiresAtMs: number;
  readonly intervalS: number;
  readonly signals: readonly AbortSignal[];
}

async function poll(options: OAuthClientOptions, polling: PollRequest): Promise<OAuthTokens> {
  const { deviceCode, expiresAtMs, signals } = polling;
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode };
  let { intervalS } = polling;
  for (let failures = 0; ; ) {
    try {
      return await requestTokens(options, form, { retryOn: 'nothing', signals });
    } catch (error) {
      if (!canPollAgain(error)) throw error;
      if (isOAuthError(error, 'slow_down')) intervalS += SLOW_DOWN_S;
      failures = isTransient(error) ? failures + 1 : 0;
      const pauseMs = intervalS * 1000 + extraPauseMs(error, failures, options);
      if (Date.now() + pauseMs >= expiresAtMs) throw new OAuthError('expired_token', 400);
      await wait(pauseMs, signals);
    }
  }
}

function canPollAgain(error: unknown): boolean {
  return (
    isOAuthError(error, 'authorization_pending') || isOAuthError(error, 'slow_down') || isTransient(error)
  );
}

/** RFC 8628, section 3.5: back off while the server does not respond. */
function extraPauseMs(error: unknown, failures: number, { retry = {} }: OAuthClientOptions): number {
  return failures === 0 ? 0 : Math.max(toRetryAfterMs(error), jitterMs(failures, retry));
}

function isOAuthError(error: unknown, code: string): boolean {
  return error instanceof OAuthError && error.code === code;
}

function within(value: unknown, { fallback, max }: { fallback: number; max: number }): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, max) : fallback;
}
