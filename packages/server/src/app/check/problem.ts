/** Something that keeps the service from running, or a `warning` of what soon will. It shows no secret. */
export interface Problem {
  readonly part: 'configuration' | 'tls' | 'store' | 'secrets' | 'disk';
  readonly level: 'error' | 'warning';
  readonly message: string;
}
