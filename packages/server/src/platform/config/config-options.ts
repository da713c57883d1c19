import * as kinds from './config-kinds.ts';

export type Option<Value> = {
  readonly kind: kinds.Kind<Value>;
  /** The value when the variable is not set, as written in the environment. */
  readonly default?: string;
  /** What happens when the variable is not set and has no default. */
  readonly otherwise?: string;
  readonly description: string;
};

/** Every variable of the service. Parsing, `--help` and the documented table are generated from this one. */
export const OPTIONS = {
  SERVICE_BIND: {
    kind: kinds.address,
    default: '127.0.0.1:8080',
    description:
      'Where the API listens. Outside loopback it requires a certificate or SERVICE_ALLOW_PLAINTEXT.',
  },
  SERVICE_TLS_CERT_FILE: {
    kind: kinds.path,
    description: 'Certificate chain in PEM, reloaded when it changes. Requires SERVICE_TLS_KEY_FILE.',
  },
  SERVICE_TLS_KEY_FILE: {
    kind: kinds.path,
    description: 'Private key in PEM. Requires SERVICE_TLS_CERT_FILE.',
  },
  SERVICE_ALLOW_PLAINTEXT: {
    kind: kinds.flag,
    default: 'false',
    description: 'Serve plain HTTP outside loopback. Use only behind a proxy that terminates TLS.',
  },
  SERVICE_BASE_URL: {
    kind: kinds.httpUrl,
    otherwise: 'derived from SERVICE_BIND',
    description: 'The address that clients call, including any path prefix that a proxy adds.',
  },
  SERVICE_AUTH_URL: {
    kind: kinds.httpUrl,
    otherwise: '{base_url}/auth',
    description:
      'Address of sign-in pages and OAuth2 endpoints. The part of its path after the path of SERVICE_BASE_URL is where the service serves them.',
  },
  SERVICE_CORS_ORIGINS: {
    kind: kinds.originList,
    otherwise: 'none',
    description: 'Origins whose pages may call the API from a browser. Never with cookies.',
  },
  SERVICE_METRICS_BIND: {
    kind: kinds.addressOrOff,
    default: '127.0.0.1:9464',
    description:
      'Where Prometheus metrics are served, over plain HTTP. Outside loopback it requires SERVICE_METRICS_TOKEN.',
  },
  SERVICE_METRICS_TOKEN: {
    kind: kinds.bearerToken,
    description: 'Bearer token that reading the metrics requires.',
  },
  SERVICE_AUTH_PAR: {
    kind: kinds.oneOf('off', 'on', 'required'),
    default: 'off',
    description: 'Pushed authorization requests (RFC 9126).',
  },
  SERVICE_AUTH_DPOP: {
    kind: kinds.flag,
    default: 'false',
    description: 'Let clients bind their access tokens to a key (DPoP, RFC 9449).',
  },
  SERVICE_BREACHED_PASSWORDS_FILE: {
    kind: kinds.path,
    description:
      'Passwords that the service rejects: SHA-1 hashes in upper-case hex, sorted, one per line, as published by Have I Been Pwned.',
  },
  SERVICE_SMTP_URL: {
    kind: kinds.smtpUrl,
    otherwise: 'no mail is sent',
    description: 'Mail server for invitations, password resets and notices.',
  },
  SERVICE_SMTP_FROM: {
    kind: kinds.mailAddress,
    description: 'Sender of mail. Required with SERVICE_SMTP_URL.',
  },
  SERVICE_NOTICE_URL: {
    kind: kinds.postUrl,
    description:
      'Where the service posts that it is unhealthy: an incoming webhook of Slack, or any URL that takes JSON with a text. The rules for webhooks apply.',
  },
  SERVICE_NOTICE_MAIL_TO: {
    kind: kinds.mailAddress,
    description: 'Address that gets a mail when the service is unhealthy. Requires SERVICE_SMTP_URL.',
  },
  SERVICE_MAX_CONNECTIONS: {
    kind: kinds.wholeNumber(16, 1_000_000),
    otherwise: '10000',
    description:
      'Open connections per node. Fewer if the process may not open that many files; 224 and the pool size are reserved.',
  },
  SERVICE_MAX_CONNECTIONS_PER_ADDRESS: {
    kind: kinds.wholeNumber(1, 1_000_000),
    otherwise: '512, at most half of all; all with SERVICE_RATE_LIMIT_TRUST_PROXY',
    description: 'Open connections from one address, or one IPv6 /64. Raise it for a proxy.',
  },
  SERVICE_IDLE_TIMEOUT_SECONDS: {
    kind: kinds.wholeNumber(1, 3600),
    default: '72',
    description: 'How long a connection without a request stays open.',
  },
  SERVICE_HANDSHAKE_TIMEOUT_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '10',
    description: 'Time limit for a TLS handshake.',
  },
  SERVICE_HEADER_TIMEOUT_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '20',
    description: 'Time limit for the header of a request to arrive.',
  },
  SERVICE_TRANSFER_TIMEOUT_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '30',
    description:
      'Time limit for a body to arrive and for a response to be read, prolonged by SERVICE_TRANSFER_BYTES_PER_SECOND.',
  },
  SERVICE_TRANSFER_BYTES_PER_SECOND: {
    kind: kinds.wholeNumber(1, 1_000_000_000),
    default: '16384',
    description: 'Slowest transfer: this many bytes prolong SERVICE_TRANSFER_TIMEOUT_SECONDS by a second.',
  },
  SERVICE_CLOSE_TIMEOUT_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '5',
    description: 'How long a client may keep its half of a connection that the service has closed.',
  },
  SERVICE_DATABASE_URL: {
    kind: kinds.databaseUrl,
    default: 'sqlite:./data/service.db',
    description: 'The store: an embedded SQLite file, or a PostgreSQL database that several nodes share.',
  },
  SERVICE_DATABASE_POOL_SIZE: {
    kind: kinds.wholeNumber(1, 200),
    default: '10',
    description: 'PostgreSQL connections per node.',
  },
  SERVICE_SECRET_KEY_B64: {
    kind: kinds.secretKey,
    otherwise: 'webhooks are lost on restart',
    description:
      'Master key that encrypts secrets in the store: those of webhooks, notice channels, authenticator apps and single sign-on, and the keys that sign. Must be the same on every node.',
  },
  SERVICE_SECRET_KEY_B64_PREVIOUS: {
    kind: kinds.secretKey,
    description: 'The previous master key. Decrypts secrets that are not re-encrypted yet.',
  },
  SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: {
    kind: kinds.flag,
    default: 'false',
    description:
      'Let webhooks target this machine, also over plain HTTP. For trials on a loopback bind only.',
  },
  SERVICE_WEBHOOK_ALLOWED_NETWORKS: {
    kind: kinds.networkList,
    description:
      'Private networks that webhooks may target, over https. Loopback, link-local and cloud metadata addresses only if their own network is listed.',
  },
  SERVICE_WEBHOOK_CA_FILE: {
    kind: kinds.path,
    description:
      'PEM certificates of private authorities that webhook receivers may use, in addition to the public ones.',
  },
  SERVICE_WEBHOOK_DNS_SERVERS: {
    kind: kinds.addressList,
    otherwise: "the system's",
    description: 'Name servers that resolve webhook hosts.',
  },
  SERVICE_DEVICE_CREDENTIAL_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '90',
    description: 'Lifetime of the credential of an enrolled device, which the agent renews.',
  },
  SERVICE_RATE_LIMIT_PER_MINUTE: {
    kind: kinds.wholeNumber(1, 1_000_000),
    default: '120',
    description: 'Accepted requests per tenant in any 60 seconds, unless its devices allow more.',
  },
  SERVICE_RATE_LIMIT_PER_DEVICE: {
    kind: kinds.wholeNumber(0, 1000),
    default: '2',
    description:
      'Accepted requests of a tenant in any 60 seconds for each of its active devices. The larger of the two limits holds; 0 turns this one off. A limit that is set for the tenant replaces both.',
  },
  SERVICE_RATE_LIMIT_TRUST_PROXY: {
    kind: kinds.flag,
    default: 'false',
    description:
      'Take the client address from X-Forwarded-For. Use only if every request comes through a proxy.',
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
    description: 'Threads that read files, media and long texts. Started when first needed.',
  },
  SERVICE_SCAN_DEADLINE_MS: {
    kind: kinds.wholeNumber(100, 60_000),
    default: '1800',
    description: 'Time limit for reading content, once a thread has begun.',
  },
  SERVICE_SCAN_MODEL: {
    kind: kinds.path,
    otherwise: 'the models that come with the service',
    description: 'A model file written by npm run train.',
  },
  SERVICE_SCAN_YARA_RULES: {
    kind: kinds.path,
    description: 'A file of YARA rules that scanned files are matched against.',
  },
  SERVICE_SCAN_CLAMD: {
    kind: kinds.listeningPlace,
    description: 'A clamd that scans files. Files are sent to it unencrypted.',
  },
  SERVICE_SCAN_TRUST_ANCHORS: {
    kind: kinds.path,
    description:
      'PEM certificates of the authorities whose signed statements on the origin of media are trusted.',
  },
  SERVICE_EVENT_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '180',
    description: 'How long events are kept. Older events are rejected.',
  },
  SERVICE_DERIVED_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '180',
    description: 'How long threats, alerts and resolved incidents are kept after their last change.',
  },
  SERVICE_JOB_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '365',
    description: 'How long finished jobs with their traces and artifacts, and scan results, are kept.',
  },
  SERVICE_AUDIT_RETENTION_DAYS: {
    kind: kinds.wholeNumber(1, 3650),
    default: '365',
    description: 'How long audit entries are kept.',
  },
  SERVICE_JOB_STEP_SECONDS: {
    kind: kinds.wholeNumber(1, 600),
    default: '30',
    description: 'Time limit for one step of a job.',
  },
  SERVICE_SILENT_DEVICE_HOURS: {
    kind: kinds.wholeNumber(1, 8760),
    default: '24',
    description: 'A device that has reported nothing for this long, while others have, opens an incident.',
  },
  SERVICE_LOG_LEVEL: {
    kind: kinds.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'Minimum level of the log lines that are written.',
  },
  SERVICE_ACCESS_LOG: {
    kind: kinds.flag,
    default: 'false',
    description: 'Write a line for each request and refused connection. It has the address of the client.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: kinds.httpUrl,
    otherwise: 'nothing is exported',
    description:
      'OpenTelemetry collector that gets traces and metrics. Without it, no other OTEL variable is read.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    kind: kinds.headerList,
    description: 'Headers for the collector, such as authorization=Bearer%20….',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    kind: kinds.oneOf('http/protobuf', 'http/json'),
    default: 'http/protobuf',
    description: 'How traces and metrics are encoded.',
  },
  OTEL_TRACES_EXPORTER: {
    kind: kinds.oneOf('otlp', 'none'),
    default: 'otlp',
    description: 'Whether traces are exported.',
  },
  OTEL_METRICS_EXPORTER: {
    kind: kinds.oneOf('otlp', 'none'),
    default: 'otlp',
    description: 'Whether metrics are exported.',
  },
  OTEL_TRACES_SAMPLER: {
    kind: kinds.oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    default: 'parentbased_always_on',
    description: 'Which traces are exported. With parentbased, a client that sends traceparent decides.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: kinds.ratio,
    default: '1',
    description: 'Share of the traces that traceidratio exports.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    kind: kinds.wholeNumber(10, 60_000),
    default: '5000',
    description: 'How long ended spans wait for others before they are exported, in milliseconds.',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    kind: kinds.wholeNumber(100, 3_600_000),
    default: '60000',
    description: 'Time between two exports of metrics, in milliseconds.',
  },
  SERVICE_ALERT_MERGE_MINUTES: {
    kind: kinds.wholeNumber(1, 1440),
    default: '15',
    description: 'Events with the same indicators join one alert within this time.',
  },
  SERVICE_THREAT_GAP_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Longest gap between two events of one threat.',
  },
  SERVICE_THREAT_SPAN_DAYS: {
    kind: kinds.wholeNumber(1, 90),
    default: '7',
    description: 'Longest duration of one threat, and how long it must be quiet to count as resolved.',
  },
  SERVICE_INCIDENT_GAP_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Longest gap after which an event still joins an unresolved incident.',
  },
  SERVICE_CAMPAIGN_DEVICES: {
    kind: kinds.wholeNumber(2, 1000),
    default: '3',
    description: 'Devices that must report the same indicator before it counts as a campaign.',
  },
  SERVICE_CAMPAIGN_HOURS: {
    kind: kinds.wholeNumber(1, 720),
    default: '24',
    description: 'Time window in which those devices must report it.',
  },
} as const satisfies Record<string, Option<unknown>>;

export type OptionName = keyof typeof OPTIONS;
export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** Returns the variable that names a file with the value of another one, which is a secret; undefined for other variables. */
export function fileVariableOf(name: OptionName): string | undefined {
  const { kind }: Option<unknown> = OPTIONS[name];
  return kind.isSecret ? `${name}_FILE` : undefined;
}

/** Returns one row per variable, in reading order. */
export function configTable(): { name: string; default: string; description: string }[] {
  return OPTION_NAMES.flatMap((name) => {
    const option: Option<unknown> = OPTIONS[name];
    const row = {
      name,
      default: option.default ?? option.otherwise ?? 'not set',
      description: `${option.description} ${capitalise(option.kind.expects)}.`,
    };
    const fileVariable = fileVariableOf(name);
    if (fileVariable === undefined) return [row];
    const description = `A file with the value of ${name}, read once, at the start. A path.`;
    return [row, { name: fileVariable, default: 'not set', description }];
  });
}

/** The names of all variables, in reading order: those of the options, and those of files with secrets. */
export const VARIABLE_NAMES: readonly string[] = configTable().map(({ name }) => name);

/** Returns the same table as the text that `--help` prints. */
export function configHelp(): string {
  const rows = configTable().map((row) => `  ${row.name} (${row.default})\n      ${row.description}`);
  return ['Environment variables (default in parentheses):', ...rows, ''].join('\n');
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
