import {
  IconApps,
  IconGauge,
  IconHistory,
  IconKey,
  IconLifebuoy,
  IconLogin2,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
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
    path: '/guidance',
    title: 'Guidance',
    scope: 'status:read',
    load: () =>
      import('../features/guidance/guidance-page.tsx').then(({ GuidancePage }) => ({ Page: GuidancePage })),
    navigation: { group: 'Protect', icon: IconLifebuoy },
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
  {
    path: '/oauth-clients',
    title: 'OAuth clients',
    scope: 'tokens:read',
    load: () =>
      import('../features/credentials/client-list.tsx').then(({ ClientsPage }) => ({ Page: ClientsPage })),
    navigation: { group: 'Integrate', icon: IconApps },
  },
  {
    path: '/oauth-clients/$id',
    title: 'OAuth client',
    scope: 'tokens:read',
    load: () =>
      import('../features/credentials/client-detail.tsx').then(({ ClientPage }) => ({ Page: ClientPage })),
  },
  {
    path: '/members',
    title: 'Members',
    scope: 'members:read',
    load: () =>
      import('../features/people/member-list.tsx').then(({ MembersPage }) => ({ Page: MembersPage })),
    navigation: { group: 'Administer', icon: IconUsers },
  },
  {
    path: '/members/$id',
    title: 'Member',
    scope: 'members:read',
    load: () =>
      import('../features/people/member-detail.tsx').then(({ MemberPage }) => ({ Page: MemberPage })),
  },
  {
    path: '/sign-on',
    title: 'Sign-on',
    scope: 'members:read',
    load: () =>
      import('../features/sign-on/sign-on-page.tsx').then(({ SignOnPage }) => ({ Page: SignOnPage })),
    navigation: { group: 'Administer', icon: IconLogin2 },
  },
  {
    path: '/audit',
    title: 'Audit',
    scope: 'audit:read',
    load: () => import('../features/audit/audit-page.tsx').then(({ AuditPage }) => ({ Page: AuditPage })),
    navigation: { group: 'Administer', icon: IconHistory },
  },
  {
    path: '/settings',
    title: 'Settings',
    scope: 'status:read',
    load: () =>
      import('../features/settings/settings-page.tsx').then(({ SettingsPage }) => ({ Page: SettingsPage })),
    navigation: { group: 'Administer', icon: IconSettings },
  },
];
