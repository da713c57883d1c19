import { ClientError } from '../errors/client-error.ts';

/**
 * The authorization server refused the client, or the person did. `code` is one of RFC 6749, section 5.2, or RFC 8628,
 * section 3.5, such as `invalid_client`, `invalid_grant` or `access_denied`.
 */
export class OAuthError extends ClientError {
  override readonly name: string = 'OAuthError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number) {
    super(`The token endpoint refused the client: ${code}.`);
    this.code = code;
    this.status = status;
  }
}
