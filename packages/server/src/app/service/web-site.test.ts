import { expect, test } from 'vitest';
import { PublicPaths } from '../../platform/http/public-paths.ts';
import { listOwnPaths } from './web-site.ts';

test.each(['/docs', '/healthz', '/readyz', '/openapi.json', '/.well-known', '/events', '/auth', '/console'])(
  'the prefix "%s" is not removed: it is a path of the service',
  (prefix) => {
    const paths = new PublicPaths(prefix, listOwnPaths({ mountPath: '/auth' }));
    expect(paths.toOwn(prefix)).toBe(prefix);
    expect(paths.toOwn(`${prefix}/x`)).toBe(`${prefix}/x`);
  },
);
