import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Secret } from '../crypto/secret.ts';
import type { ConnectionDeadlines } from '../http/connections/connection.ts';
import { formatHttpAddress, type HttpAddress, isLoopback } from '../http/http-address.ts';
import type { Network } from '../outbound/allowed-networks.ts';
import { type OptionValues, readEnvironment } from './config-environment.ts';
import type { DatabaseTarget, ListenAddress } from './config-kinds.ts';

/** Everything the environment configures, validated and grouped by consumer. */
export type Config = {
  /** What the operator should know although the service can start. They contain no secret. */
  readonly warnings: readonly string[];
  readonly http: {
    readonly bind: HttpAddress;
    readonly allowPlaintext: boolean;
    /** Origins whose pages may call the API, as browsers send them. */
    readonly corsOrigins: readonly string[];
  };
  readonly connections: {
    /** Undefined: as many as usual. Both may be less, if the process cannot open that many. */
    readonly total: number | undefined;
    readonly perAddress: number | undefined;
    readonly deadlines: ConnectionDeadlines;
  };
  /** Undefined: plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly urls: {
    readonly baseUrl: string;
    readonly authUrl: string;
    /** The path of `baseUrl`, empty or such as `/tps`: the prefix that a proxy in front adds to every route. */
    readonly publicPrefix: string;
  };
  /** Undefined: no metrics are served. */
  readonly metrics: { readonly bind: HttpAddress; readonly token: Secret | undefined } | undefined;
  readonly database: DatabaseTarget & { readonly poolSize: number };
  readonly secrets: {
    readonly masterKey: Secret<Buffer> | undefined;
    readonly previousKey: Secret<Buffer> | undefined;
  };
  readonly webhooks: {
    readonly allowInsecureTargets: boolean;
    /** Beside the public networks. */
    readonly allowedNetworks: readonly Network[];
    readonly caFile: string | undefined;
    /** Undefined: the system resolves names. */
    readonly dnsServers: readonly HttpAddress[] | undefined;
  };
  readonly rateLimit: {
    readonly perMinute: number;
    readonly perDevice: number;
    readonly trustProxy: boolean;
  };
  readonly limits: {
    readonly bodyBytes: number;
    readonly batchBodyBytes: number;
    readonly scanBodyBytes: number;
  };
  readonly scan: {
    readonly workers: number;
    readonly deadlineMs: number;
    /** Undefined: the models that come with the service. */
    readonly modelFile: string | undefined;
    readonly yaraRulesFile: string | undefined;
    readonly clamd: ListenAddress | undefined;
    readonly trustAnchorsFile: string | undefined;
  };
  readonly retention: {
    readonly eventDays: number;
    readonly derivedDays: number;
    readonly jobDays: number;
    readonly auditDays: number;
  };
  readonly devices: { readonly credentialDays: number };
  readonly jobs: { readonly stepSeconds: number };
  readonly monitoring: { readonly silentHours: number };
  readonly auth: {
    readonly pushedRequests: OptionValues['SERVICE_AUTH_PAR'];
    readonly proofOfPossession: boolean;
    readonly breachedPasswordsFile: string | undefined;
  };
  /** Undefined: no mail is sent. */
  readonly mail: { readonly url: Secret; readonly from: string } | undefined;
  /** Where the service reports to its operator that it is unhealthy. Undefined: not there. */
  readonly notices: { readonly url: Secret | undefined; readonly mailTo: string | undefined };
  readonly logging: { readonly level: OptionValues['SERVICE_LOG_LEVEL']; readonly access: boolean };
  /** Undefined: nothing is exported. */
  readonly telemetry: TelemetryConfig | undefined;
  readonly derivation: {
    readonly alertMergeMinutes: number;
    readonly threatGapHours: number;
    readonly threatSpanDays: number;
    readonly incidentGapHours: number;
    readonly campaignDevices: number;
    readonly campaignHours: number;
  };
};

/** What is exported to an OpenTelemetry collector. The SDK reads the address from the environment itself. */
export interface TelemetryConfig {
  readonly endpoint: string;
  /** For `parseHeaderList`. They usually contain a token. */
  readonly headers: Secret | undefined;
  readonly protocol: OptionValues['OTEL_EXPORTER_OTLP_PROTOCOL'];
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly sampler: OptionValues['OTEL_TRACES_SAMPLER'];
  readonly sampleRatio: number;
  readonly tracesEveryMs: number;
  readonly metricsEveryMs: number;
}

/** Reports all configuration problems together, so that they can be fixed in one go. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** @throws ConfigError with every problem; none of them shows a secret */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems, warnings } = readEnvironment(env);
  const all = [...problems, ...findConflicts(values)];
  if (all.length > 0) throw new ConfigError(all);
  return { warnings, ...group(values) };
}

function* findConflicts(values: OptionValues): Generator<string> {
  const hasCertificate = values.SERVICE_TLS_CERT_FILE !== undefined;
  const hasKey = values.SERVICE_TLS_KEY_FILE !== undefined;
  if (hasCertificate !== hasKey) {
    const [given, missing] = hasCertificate ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
    yield `SERVICE_TLS_${given}_FILE is set without SERVICE_TLS_${missing}_FILE; set both or neither.`;
  }
  // Undefined despite its type when malformed; that problem is already recorded.
  const bind: HttpAddress | undefined = values.SERVICE_BIND;
  const isProtected = hasCertificate || hasKey || values.SERVICE_ALLOW_PLAINTEXT;
  if (bind && !isLoopback(bind.host) && !isProtected) {
    yield `SERVICE_BIND is ${formatHttpAddress(bind)}, which is not loopback, but TLS is not configured. Set ` +
      'SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE, or, behind a proxy that terminates TLS, ' +
      'SERVICE_ALLOW_PLAINTEXT=true.';
  }
  if (bind && !isLoopback(bind.host) && values.SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS) {
    yield `SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS is true while SERVICE_BIND is ${formatHttpAddress(bind)}: ` +
      'others could make the service call this machine. Use it on a loopback bind only.';
  }
  yield* findMetricsConflicts(values);
  yield* findKeyConflicts(values);
  if ((values.SERVICE_SMTP_URL === undefined) !== (values.SERVICE_SMTP_FROM === undefined)) {
    yield 'SERVICE_SMTP_URL and SERVICE_SMTP_FROM belong together; set both or neither.';
  }
  if (values.SERVICE_NOTICE_MAIL_TO !== undefined && values.SERVICE_SMTP_URL === undefined) {
    yield 'SERVICE_NOTICE_MAIL_TO is set without SERVICE_SMTP_URL; set the mail server too.';
  }
  if (values.SERVICE_AUTH_URL !== undefined && new URL(values.SERVICE_AUTH_URL).pathname === '/') {
    yield 'SERVICE_AUTH_URL needs a path, such as /auth: the API has the root.';
  }
}

function* findMetricsConflicts({
  SERVICE_METRICS_BIND: bind,
  SERVICE_METRICS_TOKEN: token,
}: OptionValues): Generator<string> {
  // Undefined despite its type when malformed; that problem is already recorded.
  if (!bind || bind === 'off' || isLoopback(bind.host) || token) return;
  yield `SERVICE_METRICS_BIND is ${formatHttpAddress(bind)}, which is not loopback: set SERVICE_METRICS_TOKEN, ` +
    'which readers send as Authorization: Bearer, or bind to 127.0.0.1.';
}

function* findKeyConflicts({
  SERVICE_SECRET_KEY_B64: present,
  SERVICE_SECRET_KEY_B64_PREVIOUS: previous,
}: OptionValues): Generator<string> {
  if (!previous) return;
  if (!present) {
    yield 'SERVICE_SECRET_KEY_B64_PREVIOUS is set without SERVICE_SECRET_KEY_B64; set the current key too.';
  } else if (timingSafeEqual(present.reveal(), previous.reveal())) {
    yield 'SERVICE_SECRET_KEY_B64 and SERVICE_SECRET_KEY_B64_PREVIOUS are the same key; the latter must be the earlier one.';
  }
}

function group(values: OptionValues): Omit<Config, 'warnings'> {
  const tls = toTls(values);
  const bind = values.SERVICE_BIND;
  const baseUrl = values.SERVICE_BASE_URL ?? toBaseUrl(bind, tls ? 'https' : 'http');
  const metricsBind = values.SERVICE_METRICS_BIND;
  return {
    http: {
      bind,
      allowPlaintext: values.SERVICE_ALLOW_PLAINTEXT,
      corsOrigins: values.SERVICE_CORS_ORIGINS ?? [],
    },
    connections: toConnections(values),
    tls,
    urls: {
      baseUrl,
      authUrl: values.SERVICE_AUTH_URL ?? `${baseUrl}/auth`,
      publicPrefix: new URL(baseUrl).pathname.replace(/\/+$/, ''),
    },
    metrics: metricsBind === 'off' ? undefined : { bind: metricsBind, token: values.SERVICE_METRICS_TOKEN },
    database: { ...values.SERVICE_DATABASE_URL, poolSize: values.SERVICE_DATABASE_POOL_SIZE },
    secrets: {
      masterKey: values.SERVICE_SECRET_KEY_B64,
      previousKey: values.SERVICE_SECRET_KEY_B64_PREVIOUS,
    },
    webhooks: {
      allowInsecureTargets: values.SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS,
      allowedNetworks: values.SERVICE_WEBHOOK_ALLOWED_NETWORKS ?? [],
      caFile: values.SERVICE_WEBHOOK_CA_FILE,
      dnsServers: values.SERVICE_WEBHOOK_DNS_SERVERS,
    },
    rateLimit: {
      perMinute: values.SERVICE_RATE_LIMIT_PER_MINUTE,
      perDevice: values.SERVICE_RATE_LIMIT_PER_DEVICE,
      trustProxy: values.SERVICE_RATE_LIMIT_TRUST_PROXY,
    },
    limits: {
      bodyBytes: values.SERVICE_BODY_LIMIT_BYTES,
      batchBodyBytes: values.SERVICE_BATCH_BODY_LIMIT_BYTES,
      scanBodyBytes: values.SERVICE_SCAN_BODY_LIMIT_BYTES,
    },
    scan: toScan(values),
    retention: {
      eventDays: values.SERVICE_EVENT_RETENTION_DAYS,
      derivedDays: values.SERVICE_DERIVED_RETENTION_DAYS,
      jobDays: values.SERVICE_JOB_RETENTION_DAYS,
      auditDays: values.SERVICE_AUDIT_RETENTION_DAYS,
    },
    devices: { credentialDays: values.SERVICE_DEVICE_CREDENTIAL_DAYS },
    jobs: { stepSeconds: values.SERVICE_JOB_STEP_SECONDS },
    monitoring: { silentHours: values.SERVICE_SILENT_DEVICE_HOURS },
    auth: {
      pushedRequests: values.SERVICE_AUTH_PAR,
      proofOfPossession: values.SERVICE_AUTH_DPOP,
      breachedPasswordsFile: values.SERVICE_BREACHED_PASSWORDS_FILE,
    },
    mail: toMail(values),
    notices: { url: values.SERVICE_NOTICE_URL, mailTo: values.SERVICE_NOTICE_MAIL_TO },
    logging: { level: values.SERVICE_LOG_LEVEL, access: values.SERVICE_ACCESS_LOG },
    telemetry: toTelemetry(values),
    derivation: {
      alertMergeMinutes: values.SERVICE_ALERT_MERGE_MINUTES,
      threatGapHours: values.SERVICE_THREAT_GAP_HOURS,
      threatSpanDays: values.SERVICE_THREAT_SPAN_DAYS,
      incidentGapHours: values.SERVICE_INCIDENT_GAP_HOURS,
      campaignDevices: values.SERVICE_CAMPAIGN_DEVICES,
      campaignHours: values.SERVICE_CAMPAIGN_HOURS,
    },
  };
}

function toConnections(values: OptionValues): Config['connections'] {
  return {
    total: values.SERVICE_MAX_CONNECTIONS,
    perAddress: values.SERVICE_MAX_CONNECTIONS_PER_ADDRESS,
    deadlines: {
      handshakeMs: values.SERVICE_HANDSHAKE_TIMEOUT_SECONDS * 1000,
      headerMs: values.SERVICE_HEADER_TIMEOUT_SECONDS * 1000,
      idleMs: values.SERVICE_IDLE_TIMEOUT_SECONDS * 1000,
      transferMs: values.SERVICE_TRANSFER_TIMEOUT_SECONDS * 1000,
      transferBytesPerSecond: values.SERVICE_TRANSFER_BYTES_PER_SECOND,
      closeMs: values.SERVICE_CLOSE_TIMEOUT_SECONDS * 1000,
    },
  };
}

function toScan(values: OptionValues): Config['scan'] {
  return {
    workers: values.SERVICE_SCAN_WORKERS ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    deadlineMs: values.SERVICE_SCAN_DEADLINE_MS,
    modelFile: values.SERVICE_SCAN_MODEL,
    yaraRulesFile: values.SERVICE_SCAN_YARA_RULES,
    clamd: values.SERVICE_SCAN_CLAMD,
    trustAnchorsFile: values.SERVICE_SCAN_TRUST_ANCHORS,
  };
}

function toMail({ SERVICE_SMTP_URL: url, SERVICE_SMTP_FROM: from }: OptionValues): Config['mail'] {
  return url !== undefined && from !== undefined ? { url, from } : undefined;
}

function toTelemetry(values: OptionValues): TelemetryConfig | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    traces: values.OTEL_TRACES_EXPORTER === 'otlp',
    metrics: values.OTEL_METRICS_EXPORTER === 'otlp',
    sampler: values.OTEL_TRACES_SAMPLER,
    sampleRatio: values.OTEL_TRACES_SAMPLER_ARG,
    tracesEveryMs: values.OTEL_BSP_SCHEDULE_DELAY,
    metricsEveryMs: values.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

function toTls({
  SERVICE_TLS_CERT_FILE: certFile,
  SERVICE_TLS_KEY_FILE: keyFile,
}: OptionValues): Config['tls'] {
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
}

function toBaseUrl({ host, port }: HttpAddress, scheme: 'http' | 'https'): string {
  // Clients cannot call a wildcard address; on this machine `localhost` reaches it.
  const isWildcard = host === '0.0.0.0' || host === '::';
  return new URL(`${scheme}://${formatHttpAddress({ host: isWildcard ? 'localhost' : host, port })}`).origin;
}
