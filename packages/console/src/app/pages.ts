import { IconGauge, IconKey } from '@tabler/icons-react';
import { statusQuery } from '../features/overview/overview-queries.ts';
import type { Page } from '../kit/index.ts';

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    title: 'Overview',
    scope: 'status:read',
    load: () =>
      import('../features/overview/overview-page.tsx').then(({ OverviewPage }) => ({ Page: OverviewPage })),
    prefetch: (client, queries) => void queries.prefetchQuery(statusQuery(client)),
    navigation: { group: 'Watch', icon: IconGauge },
  },
  {
    path: '/keys',
    title: 'Keys',
    scope: 'tokens:read',
    load: () => import('../features/credentials/key-list.tsx').then(({ KeysPage }) => ({ Page: KeysPage })),
    navigation: { group: 'Integrate', icon: IconKey },
  },
  {
    path: '/keys/$id',
    title: 'Key',
    scope: 'tokens:read',
    load: () => import('../features/credentials/key-detail.tsx').then(({ KeyPage }) => ({ Page: KeyPage })),
  },
];
