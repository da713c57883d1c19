import * as kinds from './config-kinds.ts';

export type Option<Value> = {
  readonly kind: kinds.Kind<Value>;
  /** The value when nothing is set, as one would write it. */
  readonly default?: string;
  /** What happens when nothing is set and there is no default. */
  readonly otherwise?: string;
  readonly description: string;
};

/** Every variable the service knows. Reading, `--help` and the table in the README all follow from this one. */
export const OPTIONS = {
  SERVICE_BIND: {
    kind: kinds.address,
    default: '127.0.0.1:8080',
    description: 'Where the API listens. Beyond loopback it needs a certificate or SERVICE_ALLOW_PLAINTEXT.',
  },
  SERVICE_TLS_CERT_FILE: {
    kind: kinds.path,
    description: 'Certificate chain in PEM, read again when it changes. Goes with SERVICE_TLS_KEY_FILE.',
  },
  SERVICE_TLS_KEY_FILE: {
    kind: kinds.path,
    description: 'Private key in PEM. Goes with SERVICE_TLS_CERT_FILE.',
  },
  SERVICE_ALLOW_PLAINTEXT: {
    kind: kinds.flag,
    default: 'false',
    description: 'Serve plain HTTP beyond loopback: only where a proxy in front terminates TLS.',
  },
  SERVICE_BASE_URL: {
    kind: kinds.httpUrl,
    otherwise: 'derived from SERVICE_BIND',
    description: 'The address clients call, with the path prefix a proxy in front puts before every route.',
  },
  SERVICE_AUTH_URL: {
    kind: kinds.httpUrl,
    otherwise: '{base_url}/oauth2',
    description: 'Address of the OAuth2 endpoints.',
  },
  SERVICE_METRICS_BIND: {
    kind: kinds.loopbackAddressOrOff,
    default: '127.0.0.1:9464',
    description: 'Where Prometheus metrics are served; loopback only.',
  },
  SERVICE_DATABASE_URL: {
    kind: kinds.databaseUrl,
    default: 'sqlite:./data/service.db',
    description: 'The store: an embedded SQLite file, or a PostgreSQL that several nodes share.',
  },
  SERVICE_DATABASE_POOL_SIZE: {
    kind: kinds.wholeNumber(1, 200),
    default: '10',
    description: 'Connections to PostgreSQL per node.',
  },
  SERVICE_SECRET_KEY_B64: {
    kind: kinds.secretKey,
    otherwise: 'webhooks live in memory',
    description: 'Master key that seals webhook secrets in the store; the same on every node.',
  },
  SERVICE_SECRET_KEY_B64_PREVIOUS: {
    kind: kinds.secretKey,
    description: 'The master key before the present one: opens what is still sealed under it.',
  },
  SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: {
    kind: kinds.flag,
    default: 'false',
    description:
      'Let webhooks point to this machine, also over plain HTTP: for trials on a loopback bind only.',
  },
  SERVICE_WEBHOOK_CA_FILE: {
    kind: kinds.path,
    description:
      'Certificates in PEM of private authorities that webhook receivers may use beside the public ones.',
  },
  SERVICE_WEBHOOK_DNS_SERVERS: {
    kind: kinds.addressList,
    otherwise: "the system's",
    description: 'Name servers that resolve the hosts of webhooks.',
  },
  SERVICE_RATE_LIMIT_PER_MINUTE: {
    kind: kinds.wholeNumber(1, 1_000_000),
    default: '120',
    description: 'Accepted requests per tenant in any 60 seconds.',
  },
  SERVICE_RATE_LIMIT_TRUST_PROXY: {
    kind: kinds.flag,
    default: 'false',
    description:
      'Take the client address from X-Forwarded-For: only where every request comes through a proxy.',
  },
  SERVICE_BODY_LIMIT_BYTES: {
    kind: kinds.wholeNumber(1024, 104_857_600),
    default: '1048576',
    description: 'Largest request body.',
  },
  SERVICE_BATCH_BODY_LIMIT_BYTES: {
    kind: kinds.wholeNumber(1024, 104_857_600),
    default: '5242880',
    description: 'Largest body of POST /events/batch.',
  },
  SERVICE_SCAN_BODY_LIMIT_BYTES: {
    kind: kinds.wholeNumber(1024, 104_857_600),
    default: '16777216',
    description: 'Largest body of POST /scan.',
  },
  SERVICE_SCAN_WORKERS: {
    kind: kinds.wholeNumber(1, 64),
    otherwise: 'half of the processors',
    description: 'Threads that read files, media and long texts. They start with the first of those.',
  },
  SERVICE_SCAN_DEADLINE_MS: {
    kind: kinds.wholeNumber(100, 60_000),
    default: '1800',
    description: 'How long reading content may take, waiting for a thread included.',
  },
  SERVICE_SCAN_MODEL: {
    kind: kinds.path,
    otherwise: 'those that come with the service',
    description: 'A file of models that npm run train has made.',
  },
  SERVICE_SCAN_YARA_RULES: {
    kind: kinds.path,
    description: 'YARA rules, in a file, that scanned files are matched against.',
  },
  SERVICE_SCAN_CLAMD: {
    kind: kinds.listeningPlace,
    description: 'A clamd that scanned files are shown to. They are sent there unencrypted.',
  },
  SERVICE_SCAN_TRUST_ANCHORS: {
    kind: kinds.path,
    description: 'Certificates in PEM of those whose signed statements on the origin of media are believed.',
  },
  SERVICE_EVENT_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '180',
    description: 'How long events are kept. Older ones are not accepted.',
  },
  SERVICE_DERIVED_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '180',
    description: 'How long threats, alerts and resolved incidents are kept after they last changed.',
  },
  SERVICE_JOB_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '365',
    description: 'How long ended jobs with their traces and artifacts, and results of scans, are kept.',
  },
  SERVICE_AUDIT_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '365',
    description: 'How long audit entries are kept.',
  },
  SERVICE_JOB_STEP_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '30',
    description: 'Longest time that one step of a job may take.',
  },
  SERVICE_SILENT_DEVICE_HOURS: {
    kind: kinds.wholeNumber(1, 8760),
    default: '24',
    description: 'A device not heard of for this long, while others are, opens an incident.',
  },
  SERVICE_LOG_LEVEL: {
    kind: kinds.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'Least severe log lines that are written.',
  },
  SERVICE_ALERT_MERGE_MINUTES: {
    kind: kinds.wholeNumber(1, 1440),
    default: '15',
    description: 'Events with the same indicators join one alert within this time.',
  },
  SERVICE_THREAT_GAP_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Longest pause between two events of one threat.',
  },
  SERVICE_THREAT_SPAN_DAYS: {
    kind: kinds.wholeNumber(1, 90),
    default: '7',
    description: 'Longest life of one threat, and how long it must be quiet to count as resolved.',
  },
  SERVICE_INCIDENT_GAP_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Longest pause after which an event still joins an unresolved incident.',
  },
  SERVICE_CAMPAIGN_DEVICES: {
    kind: kinds.wholeNumber(2, 1000),
    default: '3',
    description: 'Devices that must report one indicator before it counts as a campaign.',
  },
  SERVICE_CAMPAIGN_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Time within which those devices must report it.',
  },
} as const satisfies Record<string, Option<unknown>>;

export type OptionName = keyof typeof OPTIONS;
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** One row for each variable, in the order in which people should read them. */
export function configTable(): { name: string; default: string; description: string }[] {
  return OPTION_NAMES.map((name) => {
    const option: Option<unknown> = OPTIONS[name];
    const whenUnset = option.default ?? option.otherwise ?? 'not set';
    return {
      name,
      default: whenUnset,
      description: `${option.description} ${capitalise(option.kind.expects)}.`,
    };
  });
}

/** The same table as the text that `--help` prints. */
export function configHelp(): string {
  const rows = configTable().map((row) => `  ${row.name} (${row.default})\n      ${row.description}`);
  return ['Environment variables, with what holds when one is not set:', ...rows, ''].join('\n');
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
