/**
 * Something that keeps the service from running, or a `warning` about something that soon will. It contains no
 * secret.
 */
export interface Problem {
  readonly part: 'configuration' | 'tls' | 'webhooks' | 'accounts' | 'store' | 'secrets' | 'disk';
  readonly level: 'error' | 'warning';
  readonly message: string;
}
