import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type Router,
} from '@tanstack/react-router';
import type { Session } from '../session/index.ts';
import { tenantPath } from '../session/index.ts';
import { PAGES } from './pages.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell/shell.tsx';
import { CrashedPage, ForbiddenPage, UnknownPage } from './special-pages.tsx';

/** Creates the router of one tenant. A page's code is loaded when it is opened, or when the pointer rests on a link to it. */
export function createConsoleRouter({ tenant, scopes }: Session) {
  const root = createRootRoute({ component: Shell, notFoundComponent: UnknownPage });
  const routes = PAGES.map(({ path, load, scope }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: scopes.includes(scope)
        ? lazyRouteComponent(load, 'Page')
        : () => <ForbiddenPage scope={scope} />,
      errorComponent: CrashedPage,
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: tenantPath(tenant.id),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
  }) as unknown as Router<typeof root>;
}
