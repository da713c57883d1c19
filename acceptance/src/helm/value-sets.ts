import type { Values } from './helm.ts';

const REQUIRED = {
  image: { repository: 'registry.example/tps' },
  baseUrl: 'https://tps.example',
  secret: { name: 'tps' },
};
const PEER = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } };
const DNS = { ports: [{ port: 53, protocol: 'UDP' }] };

/** Values of installations that the chart supports. */
export const VALUE_SETS = {
  'the embedded store': REQUIRED,
  'the embedded store, under maintenance': { ...REQUIRED, maintenance: true },
  'three nodes on PostgreSQL': { ...REQUIRED, store: { type: 'postgresql' }, replicas: 3 },
  'everything switched on': {
    ...REQUIRED,
    image: { ...REQUIRED.image, digest: `sha256:${'0'.repeat(64)}`, pullPolicy: 'Always' },
    imagePullSecrets: [{ name: 'registry' }],
    secret: {
      name: 'tps',
      files: {
        SERVICE_SECRET_KEY_B64: 'master-key',
        SERVICE_DATABASE_URL: 'url',
        SERVICE_SMTP_URL: 'smtp-url',
        SERVICE_NOTICE_URL: 'notice-url',
      },
    },
    store: { type: 'postgresql' },
    replicas: 3,
    settings: {
      SERVICE_LOG_LEVEL: 'warn',
      SERVICE_RATE_LIMIT_TRUST_PROXY: true,
      SERVICE_EVENT_RETENTION_DAYS: 30,
      SERVICE_MAX_CONNECTIONS: 1_000_000,
      OTEL_TRACES_SAMPLER_ARG: 0.25,
    },
    tls: { secretName: 'tps-inner' },
    service: { type: 'LoadBalancer', port: 443, annotations: { 'lb.example/kind': 'inner' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      tlsSecretName: 'tps-outer',
      annotations: { 'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS' },
    },
    metrics: {
      enabled: true,
      serviceMonitor: { enabled: true, interval: '30s', labels: { release: 'prometheus' } },
      rules: {
        enabled: true,
        labels: { release: 'prometheus' },
        runbookUrl: 'https://wiki.example/tps/alerts.md',
      },
    },
    networkPolicy: { enabled: true, from: [PEER], metricsFrom: [PEER], egress: [DNS] },
    podAnnotations: { 'example.com/team': 'security' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    extraVolumes: [{ name: 'authority', configMap: { name: 'authority' } }],
    extraVolumeMounts: [{ name: 'authority', mountPath: '/etc/tps/authority', readOnly: true }],
  },
} as const satisfies Record<string, Values>;

/** Values that cannot work, with a part of the message. */
export const REFUSED: readonly (readonly [title: string, values: Values, message: string])[] = [
  ['no image', { ...REQUIRED, image: {} }, 'image.repository is required'],
  ['no address', { ...REQUIRED, baseUrl: '' }, 'baseUrl is required'],
  ['an address without TLS', { ...REQUIRED, baseUrl: 'http://tps.example' }, '/baseUrl'],
  ['no Secret', { ...REQUIRED, secret: {} }, 'secret.name is required: an existing Secret'],
  [
    'two replicas of the embedded store',
    { ...REQUIRED, replicas: 2 },
    'replicas is 2, but the embedded store (store.type: sqlite) has one process',
  ],
  [
    'a secret among the settings',
    { ...REQUIRED, settings: { SERVICE_SMTP_URL: 'smtps://user:word@mail.example' } },
    'settings.SERVICE_SMTP_URL contains a secret: name its key in secret.files.SERVICE_SMTP_URL',
  ],
  [
    'the headers of traces among the settings',
    { ...REQUIRED, settings: { OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20word' } },
    'contains a secret: name its key in secret.files.OTEL_EXPORTER_OTLP_HEADERS',
  ],
  [
    'a setting that the chart derives',
    { ...REQUIRED, settings: { SERVICE_BIND: '127.0.0.1:1' } },
    'settings.SERVICE_BIND is set by the chart',
  ],
  [
    'a setting of another program',
    { ...REQUIRED, settings: { NODE_OPTIONS: '-r x' } },
    "invalid propertyName 'NODE_OPTIONS'",
  ],
  [
    'an Ingress below a path',
    { ...REQUIRED, baseUrl: 'https://example.com/tps', ingress: { enabled: true } },
    'ingress.enabled needs a baseUrl without a path',
  ],
  [
    'TLS inside without the protocol for the controller',
    { ...REQUIRED, tls: { secretName: 'tps' }, ingress: { enabled: true } },
    'needs ingress.annotations',
  ],
  [
    'a ServiceMonitor without metrics',
    { ...REQUIRED, metrics: { serviceMonitor: { enabled: true } } },
    'metrics.serviceMonitor.enabled needs metrics.enabled: true',
  ],
  ['a misspelt setting', { ...REQUIRED, settings: { SERVICE_LOG_LEVL: 'warn' } }, "'SERVICE_LOG_LEVL'"],
  ['a misspelt value', { ...REQUIRED, replica: 3 }, "'replica' not allowed"],
];
