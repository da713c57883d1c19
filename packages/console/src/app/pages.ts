import { IconGauge } from '@tabler/icons-react';
import type { Page } from '../kit/index.ts';

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    title: 'Overview',
    scope: 'status:read',
    load: () =>
      import('../features/overview/overview-page.tsx').then(({ OverviewPage }) => ({ Page: OverviewPage })),
    navigation: { group: 'Watch', icon: IconGauge },
  },
];
