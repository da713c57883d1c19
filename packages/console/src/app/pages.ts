import {
  IconActivity,
  IconApi,
  IconApps,
  IconBell,
  IconClipboardCheck,
  IconDevices,
  IconFileExport,
  IconFlag,
  IconGauge,
  IconHistory,
  IconKey,
  IconLifebuoy,
  IconLogin2,
  IconMailX,
  IconScan,
  IconSettings,
  IconShieldCheck,
  IconSpeakerphone,
  IconTarget,
  IconUsers,
  IconVirus,
  IconWebhook,
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
    path: '/events',
    title: 'Events',
    scope: 'events:read',
    load: () => import('../features/events/events-page.tsx').then(({ EventsPage }) => ({ Page: EventsPage })),
    navigation: { group: 'Watch', icon: IconActivity },
  },
  {
    path: '/events/$id',
    title: 'Event',
    scope: 'events:read',
    load: () => import('../features/events/event-detail.tsx').then(({ EventPage }) => ({ Page: EventPage })),
  },
  {
    path: '/devices',
    title: 'Devices',
    scope: 'devices:read',
    load: () =>
      import('../features/devices/device-list.tsx').then(({ DevicesPage }) => ({ Page: DevicesPage })),
    navigation: { group: 'Watch', icon: IconDevices },
  },
  {
    path: '/devices/$id',
    title: 'Device',
    scope: 'devices:read',
    load: () =>
      import('../features/devices/device-detail.tsx').then(({ DevicePage }) => ({ Page: DevicePage })),
  },
  {
    path: '/incidents',
    title: 'Incidents',
    scope: 'incidents:read',
    load: () =>
      import('../features/incidents/incident-list.tsx').then(({ IncidentsPage }) => ({
        Page: IncidentsPage,
      })),
    navigation: { group: 'Triage', icon: IconFlag },
  },
  {
    path: '/incidents/$id',
    title: 'Incident',
    scope: 'incidents:read',
    load: () =>
      import('../features/incidents/incident-detail.tsx').then(({ IncidentPage }) => ({
        Page: IncidentPage,
      })),
  },
  {
    path: '/alerts',
    title: 'Alerts',
    scope: 'alerts:read',
    load: () => import('../features/alerts/alert-list.tsx').then(({ AlertsPage }) => ({ Page: AlertsPage })),
    navigation: { group: 'Triage', icon: IconBell },
  },
  {
    path: '/alerts/$id',
    title: 'Alert',
    scope: 'alerts:read',
    load: () => import('../features/alerts/alert-detail.tsx').then(({ AlertPage }) => ({ Page: AlertPage })),
  },
  {
    path: '/threats',
    title: 'Threats',
    scope: 'threats:read',
    load: () =>
      import('../features/threats/threat-list.tsx').then(({ ThreatsPage }) => ({ Page: ThreatsPage })),
    navigation: { group: 'Triage', icon: IconVirus },
  },
  {
    path: '/threats/$id',
    title: 'Threat',
    scope: 'threats:read',
    load: () =>
      import('../features/threats/threat-detail.tsx').then(({ ThreatPage }) => ({ Page: ThreatPage })),
  },
  {
    path: '/jobs',
    title: 'Jobs',
    scope: 'jobs:read',
    load: () => import('../features/jobs/job-list.tsx').then(({ JobsPage }) => ({ Page: JobsPage })),
    navigation: { group: 'Triage', icon: IconClipboardCheck },
  },
  {
    path: '/jobs/$id',
    title: 'Job',
    scope: 'jobs:read',
    load: () => import('../features/jobs/job-detail.tsx').then(({ JobPage }) => ({ Page: JobPage })),
  },
  {
    path: '/policies',
    title: 'Policies',
    scope: 'devices:read',
    load: () =>
      import('../features/policies/policy-list.tsx').then(({ PoliciesPage }) => ({ Page: PoliciesPage })),
    navigation: { group: 'Protect', icon: IconShieldCheck },
  },
  {
    path: '/policies/$id',
    title: 'Policy',
    scope: 'devices:read',
    load: () =>
      import('../features/policies/policy-detail.tsx').then(({ PolicyPage }) => ({ Page: PolicyPage })),
  },
  {
    path: '/indicators',
    title: 'Indicators',
    scope: 'devices:read',
    load: () =>
      import('../features/indicators/indicator-list.tsx').then(({ IndicatorsPage }) => ({
        Page: IndicatorsPage,
      })),
    navigation: { group: 'Protect', icon: IconTarget },
  },
  {
    path: '/scan',
    title: 'Scan',
    scope: 'scan:write',
    load: () => import('../features/scan/scan-page.tsx').then(({ ScanPage }) => ({ Page: ScanPage })),
    navigation: { group: 'Protect', icon: IconScan },
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
    path: '/webhooks',
    title: 'Webhooks',
    scope: 'webhooks:read',
    load: () =>
      import('../features/webhooks/webhook-list.tsx').then(({ WebhooksPage }) => ({ Page: WebhooksPage })),
    navigation: { group: 'Integrate', icon: IconWebhook },
  },
  {
    path: '/webhooks/dead-letters',
    title: 'Dead letters',
    scope: 'webhooks:read',
    load: () =>
      import('../features/webhooks/dead-letter-list.tsx').then(({ DeadLettersPage }) => ({
        Page: DeadLettersPage,
      })),
    navigation: { group: 'Integrate', icon: IconMailX },
  },
  {
    path: '/webhooks/$id',
    title: 'Webhook',
    scope: 'webhooks:read',
    load: () =>
      import('../features/webhooks/webhook-detail.tsx').then(({ WebhookPage }) => ({ Page: WebhookPage })),
  },
  {
    path: '/notice-channels',
    title: 'Notice channels',
    scope: 'notices:read',
    load: () =>
      import('../features/notices/channel-list.tsx').then(({ ChannelsPage }) => ({ Page: ChannelsPage })),
    navigation: { group: 'Integrate', icon: IconSpeakerphone },
  },
  {
    path: '/notice-channels/$id',
    title: 'Notice channel',
    scope: 'notices:read',
    load: () =>
      import('../features/notices/channel-detail.tsx').then(({ ChannelPage }) => ({ Page: ChannelPage })),
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
    path: '/api-reference',
    title: 'API reference',
    scope: 'status:read',
    load: () =>
      import('../features/reference/reference-page.tsx').then(({ ReferencePage }) => ({
        Page: ReferencePage,
      })),
    navigation: { group: 'Integrate', icon: IconApi },
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
    path: '/data-requests',
    title: 'Data requests',
    scope: 'settings:write',
    load: () =>
      import('../features/data-requests/data-request-list.tsx').then(({ DataRequestsPage }) => ({
        Page: DataRequestsPage,
      })),
    navigation: { group: 'Administer', icon: IconFileExport },
  },
  {
    path: '/data-requests/$id',
    title: 'Data request',
    scope: 'settings:write',
    load: () =>
      import('../features/data-requests/data-request-detail.tsx').then(({ DataRequestPage }) => ({
        Page: DataRequestPage,
      })),
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
