/** One page of the console to take a picture of. */
export interface Shot {
  /** Begins the name of the file. */
  readonly name: string;
  /** Below the tenant. */
  readonly path: string;
  /** Opens the first row of the list: `page` on its own page, `flyout` beside the list. */
  readonly opens?: 'page' | 'flyout';
}

export const SHOTS: readonly Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'events', path: '/events' },
  { name: 'event', path: '/events', opens: 'page' },
  { name: 'devices', path: '/devices' },
  { name: 'device', path: '/devices', opens: 'page' },
  { name: 'incidents', path: '/incidents' },
  { name: 'incident-beside-list', path: '/incidents', opens: 'flyout' },
  { name: 'incident', path: '/incidents', opens: 'page' },
  { name: 'alerts', path: '/alerts' },
  { name: 'threats', path: '/threats' },
  { name: 'jobs', path: '/jobs' },
  { name: 'job', path: '/jobs', opens: 'page' },
  { name: 'policies', path: '/policies' },
  { name: 'indicators', path: '/indicators' },
  { name: 'scan', path: '/scan' },
  { name: 'guidance', path: '/guidance' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook', path: '/webhooks', opens: 'page' },
  { name: 'dead-letters', path: '/webhooks/dead-letters' },
  { name: 'keys', path: '/keys' },
  { name: 'key', path: '/keys', opens: 'page' },
  { name: 'oauth-clients', path: '/oauth-clients' },
  { name: 'api-reference', path: '/api-reference' },
  { name: 'members', path: '/members' },
  { name: 'sign-on', path: '/sign-on' },
  { name: 'audit', path: '/audit' },
  { name: 'settings', path: '/settings' },
];
