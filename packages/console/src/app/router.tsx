import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  type Router,
} from '@tanstack/react-router';
import type { Page } from '../kit/index.ts';
import type { Session } from '../session/index.ts';
import { tenantPath } from '../session/index.ts';
import { loadPage } from './load-page.ts';
import { PageRoute } from './page-route.tsx';
import { PAGES } from './pages.ts';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell/shell.tsx';
import { CrashedPage, ForbiddenPage, UnknownPage } from './special-pages.tsx';

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

/** Whether the reader went back or forward to the page that is shown. */
let isReturn = false;

/** Creates the router of one tenant. A page's code is loaded when it is opened, unless that was done while nothing else was to do. */
export function createConsoleRouter({ tenant, scopes }: Session) {
  const root = createRootRoute({ component: Shell, notFoundComponent: UnknownPage });
  const routes = PAGES.map((page) =>
    createRoute({
      getParentRoute: () => root,
      path: page.path,
      component: scopes.includes(page.scope) ? toComponent(page) : () => <ForbiddenPage scope={page.scope} />,
      errorComponent: CrashedPage,
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren(routes),
    basepath: tenantPath(tenant.id),
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
  });
  router.history.subscribe(({ action }) => {
    isReturn = action.type !== 'PUSH' && action.type !== 'REPLACE';
  });
  return router as unknown as Router<typeof root>;
}

function toComponent(page: Page): RouteComponent {
  const Content = lazyRouteComponent(() => loadPage(page), 'Page') as RouteComponent;
  const { preload = async () => {} } = Content;
  const component = () => <PageRoute title={page.title} Content={Content} isReturn={isReturn} />;
  return Object.assign(component, { preload }) as unknown as RouteComponent;
}
