import { describe, expect, test } from 'vitest';
import { PublicPaths } from './public-paths.ts';

const OWN = ['/events', '/events/{id}', '/auth'];

describe('with a prefix', () => {
  const paths = new PublicPaths('/tps', OWN);

  test('a path that leaves the service has the prefix', () => {
    expect(paths.toPublic('/events/1')).toBe('/tps/events/1');
  });

  test.each([
    ['/tps/events?limit=1', '/events?limit=1'],
    ['/events?limit=1', '/events?limit=1'],
    ['/tps', '/'],
    ['/tps?x=1', '/?x=1'],
    ['/tpsx', '/tpsx'],
    ['/tps/tps/events', '/tps/events'],
  ])('%s arrives as %s', (url, own) => {
    expect(paths.toOwn(url)).toBe(own);
  });
});

test.each(['/events', '/auth', ''])(
  'the prefix "%s" is not removed: it is a path of the service',
  (prefix) => {
    const paths = new PublicPaths(prefix, OWN);
    expect(paths.toOwn('/events/1')).toBe('/events/1');
    expect(paths.toOwn('/auth/login')).toBe('/auth/login');
  },
);
