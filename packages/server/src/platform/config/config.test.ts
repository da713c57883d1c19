import { availableParallelism } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../crypto/secret.ts';
import { ConfigError, loadConfig } from './config.ts';
import { configHelp, configTable, VARIABLE_NAMES } from './config-options.ts';
import { parseHeaderList } from './header-list.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('with nothing set', () => {
  test('the store is a file in ./data', () => {
    expect(loadConfig({}).database.url.reveal()).toBe('sqlite:./data/service.db');
  });

  test('the documented defaults hold', () => {
    expect(loadConfig({ PATH: '/bin', HOME: '/root' })).toEqual({
      warnings: [],
      http: { bind: { host: '127.0.0.1', port: 8080 }, allowPlaintext: false, corsOrigins: [] },
      auth: { breachedPasswordsFile: undefined, proofOfPossession: false, pushedRequests: 'off' },
      mail: undefined,
      notices: { url: undefined, mailTo: undefined },
      connections: {
        total: undefined,
        perAddress: undefined,
        deadlines: {
          handshakeMs: 10_000,
          headerMs: 20_000,
          idleMs: 72_000,
          transferMs: 30_000,
          transferBytesPerSecond: 16_384,
          closeMs: 5_000,
        },
      },
      telemetry: undefined,
      tls: undefined,
      urls: { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080/auth', publicPrefix: '' },
      metrics: { bind: { host: '127.0.0.1', port: 9464 }, token: undefined },
      database: { engine: 'sqlite', url: expect.any(Secret), poolSize: 10 },
      secrets: { masterKey: undefined, previousKey: undefined },
      webhooks: {
        allowInsecureTargets: false,
        allowedNetworks: [],
        caFile: undefined,
        dnsServers: undefined,
      },
      rateLimit: { perMinute: 120, perDevice: 2, trustProxy: false },
      limits: { bodyBytes: 1_048_576, batchBodyBytes: 5_242_880, scanBodyBytes: 16_777_216 },
      scan: {
        workers: Math.max(1, Math.floor(availableParallelism() / 2)),
        deadlineMs: 1800,
        modelFile: undefined,
        yaraRulesFile: undefined,
        clamd: undefined,
        trustAnchorsFile: undefined,
      },
      retention: { eventDays: 180, derivedDays: 180, jobDays: 365, auditDays: 365 },
      jobs: { stepSeconds: 30 },
      devices: { credentialDays: 90 },
      monitoring: { silentHours: 24 },
      logging: { level: 'info', access: false },
      derivation: {
        alertMergeMinutes: 15,
        threatGapHours: 24,
        threatSpanDays: 7,
        incidentGapHours: 24,
        campaignDevices: 3,
        campaignHours: 24,
      },
    });
  });

  test('an empty string is the same as not set', () => {
    expect(loadConfig(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ''])))).toEqual(loadConfig({}));
  });
});

describe('values', () => {
  test('a clamd is reached at a port or at a socket', () => {
    const clamdAt = (text: string) => loadConfig({ SERVICE_SCAN_CLAMD: text }).scan.clamd;
    expect(clamdAt('127.0.0.1:3310')).toEqual({ host: '127.0.0.1', port: 3310 });
    expect(clamdAt('/run/clamav/clamd.ctl')).toEqual({ socketPath: '/run/clamav/clamd.ctl' });
    expect(problemsOf({ SERVICE_SCAN_CLAMD: 'run/clamd.ctl' })).toHaveLength(1);
  });

  test('a base URL with a prefix gives the prefix and the OAuth2 address', () => {
    const { urls } = loadConfig({ SERVICE_BASE_URL: 'https://api.example.com/tps/' });
    expect(urls).toEqual({
      baseUrl: 'https://api.example.com/tps',
      authUrl: 'https://api.example.com/tps/auth',
      publicPrefix: '/tps',
    });
  });

  test('IPv6 and wildcard binds yield callable base URLs', () => {
    const tls = { SERVICE_TLS_CERT_FILE: 'c', SERVICE_TLS_KEY_FILE: 'k' };
    expect(loadConfig({ SERVICE_BIND: '[::1]:8443' }).urls.baseUrl).toBe('http://[::1]:8443');
    expect(loadConfig({ SERVICE_BIND: '0.0.0.0:8443', ...tls }).urls.baseUrl).toBe('https://localhost:8443');
    expect(loadConfig({ SERVICE_BIND: '[::]:443', ...tls }).urls.baseUrl).toBe('https://localhost');
  });

  test('the master key is 32 bytes and is never printed', () => {
    const config = loadConfig({ SERVICE_SECRET_KEY_B64: KEY });
    expect(config.secrets.masterKey?.reveal()).toEqual(Buffer.alloc(32, 7));
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain(KEY.slice(0, 8));
  });

  test('the previous key is read too, and is never printed', () => {
    const previous = Buffer.alloc(32, 9).toString('base64');
    const env = { SERVICE_SECRET_KEY_B64: KEY, SERVICE_SECRET_KEY_B64_PREVIOUS: previous };
    const config = loadConfig(env);
    expect(config.secrets.previousKey?.reveal()).toEqual(Buffer.alloc(32, 9));
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain(previous.slice(0, 8));
  });

  test('name servers are addresses with ports, of either kind', () => {
    const { webhooks } = loadConfig({ SERVICE_WEBHOOK_DNS_SERVERS: '127.0.0.1:53, [::1]:5353' });
    expect(webhooks.dnsServers).toEqual([
      { host: '127.0.0.1', port: 53 },
      { host: '::1', port: 5353 },
    ]);
  });

  test('the database password is never printed', () => {
    const url = 'postgres://app:hunter2@db/tps?sslmode=require';
    const config = loadConfig({ SERVICE_DATABASE_URL: url, SERVICE_DATABASE_POOL_SIZE: '5' });
    expect(config.database).toMatchObject({ engine: 'postgres', poolSize: 5 });
    expect(config.database.engine === 'postgres' && config.database.url.reveal()).toBe(url);
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('hunter2');
  });

  test.each(['0.0.0.0:9464', '[::]:9464', 'metrics.internal:9464'])(
    'metrics at %s need a token, which is never printed',
    (bind) => {
      const problems = problemsOf({ SERVICE_METRICS_BIND: bind });
      expect(problems).toEqual([expect.stringContaining('set SERVICE_METRICS_TOKEN')]);
      const token = 'hunter2-hunter2-hunter2';
      const config = loadConfig({ SERVICE_METRICS_BIND: bind, SERVICE_METRICS_TOKEN: token });
      expect(config.metrics?.token?.reveal()).toBe(token);
      expect(inspect(config, { depth: 9 })).not.toContain(token);
      expect(problemsOf({ SERVICE_METRICS_TOKEN: 'hunter2' }).join()).not.toContain('hunter2');
    },
  );

  test('metrics can be turned off', () => {
    expect(loadConfig({ SERVICE_METRICS_BIND: 'off' }).metrics).toBeUndefined();
  });
});

describe('malformed values', () => {
  test.each([
    [
      'SERVICE_BIND',
      ['8080', '127.0.0.1', ':8080', '127.0.0.1:65536', '127.1:80', '::1:8080', '[::1', 'a b:80', '[x]:1'],
    ],
    ['SERVICE_ALLOW_PLAINTEXT', ['1', 'yes', 'TRUE', ' true']],
    ['SERVICE_RATE_LIMIT_TRUST_PROXY', ['1', 'on']],
    ['SERVICE_RATE_LIMIT_PER_MINUTE', ['0', '-1', '1.5', '1e3', '0x10', ' 120', '1000001', '9'.repeat(400)]],
    ['SERVICE_LOG_LEVEL', ['verbose', 'INFO']],
    ['SERVICE_METRICS_BIND', ['9464', 'on', '0.0.0.0']],
    [
      'SERVICE_CORS_ORIGINS',
      [
        '*',
        'null',
        'console.example.com',
        'https://x.example/',
        'https://X.example',
        'https://x.example:443',
        'https://a.example,',
        'file:///x',
      ],
    ],
    ['SERVICE_BASE_URL', ['api.example.com', 'ftp://x', 'https://x?y=1', 'https://x#y', 'https://']],
    ['SERVICE_EVENT_RETENTION_DAYS', ['0', '3651', '180d']],
    ['SERVICE_CAMPAIGN_DEVICES', ['1']],
    ['SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS', ['1', 'yes']],
    [
      'SERVICE_WEBHOOK_DNS_SERVERS',
      ['127.0.0.1', 'dns.internal:53', '127.0.0.1:53,', ',', '::1:53', '1.1.1:53'],
    ],
  ])('of %s are reported with the given text and what is expected', (name, texts) => {
    for (const text of texts) {
      const [problem = '', ...others] = problemsOf({ [name]: text });
      expect(others).toEqual([]);
      expect(problem).toContain(`${name} is ${JSON.stringify(text).slice(0, 60).replace(/"$/, '')}`);
      expect(problem).toContain('expected ');
    }
  });

  test('a number out of range is reported with the range', () => {
    expect(problemsOf({ SERVICE_EVENT_RETENTION_DAYS: '0' })[0]).toContain('from 1 to 3650');
  });

  test.each([
    ['SERVICE_SECRET_KEY_B64', 'hunter2hunter2hunter2hunter2'],
    ['SERVICE_SECRET_KEY_B64', KEY.replace('=', '')],
    ['SERVICE_SECRET_KEY_B64', ` ${KEY}`],
    ['SERVICE_SECRET_KEY_B64', KEY.replace('c=', 'd=')],
    ['SERVICE_SECRET_KEY_B64', Buffer.alloc(31, 7).toString('base64')],
    ['SERVICE_SECRET_KEY_B64_PREVIOUS', 'hunter2hunter2hunter2hunter2'],
    ['SERVICE_DATABASE_URL', 'mysql://app:hunter2@db/tps'],
    ['SERVICE_DATABASE_URL', 'postgres:app:hunter2@db'],
    ['SERVICE_DATABASE_URL', 'postgres://app:hunter2@[db/x'],
    ['SERVICE_DATABASE_URL', 'sqlite:'],
    ['SERVICE_DATABASE_URL', 'hunter2'],
    ['SERVICE_BASE_URL', 'https://app:hunter2@api.example.com'],
  ])('of %s are rejected without showing a secret (%s)', (name, text) => {
    const problems = problemsOf({ [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name} is `);
    expect(problems[0]).not.toContain('hunter2');
    expect(problems[0]).not.toContain(KEY.slice(0, 16));
  });
});

describe('the whole environment', () => {
  test('all problems are reported together, in the message too', () => {
    const env = {
      SERVICE_BIND: 'x',
      SERVICE_LOG_LEVEL: 'loud',
      SERVICE_TLS_KEY_FILE: 'k',
      SERVICE_NONSENSE: '1',
    };
    const problems = problemsOf(env);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'SERVICE_BIND',
      'SERVICE_LOG_LEVEL',
      'SERVICE_NONSENSE',
      'SERVICE_TLS_KEY_FILE',
    ]);
    expect(() => loadConfig(env)).toThrow(
      new RegExp(problems.map((problem) => problem.slice(0, 20)).join('[^]*')),
    );
  });

  test('a misspelt variable is rejected with the nearest name', () => {
    expect(problemsOf({ SERVICE_RATELIMIT_PER_MINUTE: '10' })).toEqual([
      'SERVICE_RATELIMIT_PER_MINUTE is not a known variable; did you mean SERVICE_RATE_LIMIT_PER_MINUTE?',
    ]);
    expect(problemsOf({ SERVICE_toString: 'x', SERVICE_BINDD: '' })).toHaveLength(2);
  });

  test('half a certificate is rejected', () => {
    expect(problemsOf({ SERVICE_TLS_CERT_FILE: 'c' })[0]).toContain('without SERVICE_TLS_KEY_FILE');
    expect(problemsOf({ SERVICE_TLS_KEY_FILE: 'k' })[0]).toContain('without SERVICE_TLS_CERT_FILE');
  });

  test.each(['0.0.0.0:80', '[::]:80', '192.0.2.1:80', 'example.com:80', '[::ffff:192.0.2.1]:80'])(
    'an unencrypted bind to %s is rejected, and the message names both solutions',
    (bind) => {
      const [problem] = problemsOf({ SERVICE_BIND: bind });
      expect(problem).toMatch(/SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE.*SERVICE_ALLOW_PLAINTEXT=true/);
      expect(problemsOf({ SERVICE_BIND: bind, SERVICE_ALLOW_PLAINTEXT: 'true' })).toEqual([]);
      expect(
        problemsOf({ SERVICE_BIND: bind, SERVICE_TLS_CERT_FILE: 'c', SERVICE_TLS_KEY_FILE: 'k' }),
      ).toEqual([]);
    },
  );

  test.each(['127.0.0.1:80', '127.9.9.9:80', '[::1]:80', 'localhost:0'])(
    '%s needs no certificate',
    (bind) => {
      expect(problemsOf({ SERVICE_BIND: bind })).toEqual([]);
    },
  );
});

describe('telemetry', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  test('is configured by the standard variables', () => {
    const env = {
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_SERVICE_NAME: 'x',
    };
    expect(loadConfig({ ...endpoint, ...env }).telemetry).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headers: undefined,
      protocol: 'http/protobuf',
      traces: true,
      metrics: true,
      sampler: 'traceidratio',
      sampleRatio: 0.25,
      tracesEveryMs: 5000,
      metricsEveryMs: 60_000,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_METRICS_EXPORTER', 'prometheus'],
  ])('is checked only with an endpoint: %s', (name, text) => {
    expect(problemsOf({ ...endpoint, [name]: text })).toEqual([
      expect.stringContaining(`${name} is "${text}"`),
    ]);
    expect(loadConfig({ [name]: text }).telemetry).toBeUndefined();
  });

  test('headers are name=value with percent-encoded values, and never shown', () => {
    const name = 'OTEL_EXPORTER_OTLP_HEADERS';
    const parse = (text: string) => loadConfig({ ...endpoint, [name]: text }).telemetry?.headers;
    expect(parseHeaderList(parse('X-Key=a%2Cb%3D , authorization=Bearer%20x')?.reveal() ?? '')).toEqual({
      'x-key': 'a,b=',
      authorization: 'Bearer x',
    });
    for (const text of [
      'hunter2',
      '=hunter2',
      'a b=hunter2',
      'a=%0d%0ahunter2',
      'a=%hunter2',
      'a=hunter2,',
    ]) {
      const [problem] = problemsOf({ ...endpoint, [name]: text });
      expect(problem).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS is not shown; expected headers as name=value/);
      expect(problem).not.toContain('hunter2');
    }
    expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere' })).toEqual([]);
    expect(problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere' })).toHaveLength(1);
  });

  test('a password in the endpoint is rejected and not shown', () => {
    const [problem] = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hunter2@collector' });
    expect(problem).toContain('without user');
    expect(problem).not.toContain('hunter2');
  });
});

describe('webhooks', () => {
  test('that target this machine are rejected where others could register them', () => {
    const env = { SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };
    expect(problemsOf({ ...env, SERVICE_BIND: '127.0.0.1:80' })).toEqual([]);
    for (const bind of ['0.0.0.0:80', '[::]:80', '192.0.2.1:80', 'example.com:80']) {
      // Neither TLS nor a proxy in front makes it safe.
      for (const more of [
        { SERVICE_ALLOW_PLAINTEXT: 'true' },
        { SERVICE_TLS_CERT_FILE: 'c', SERVICE_TLS_KEY_FILE: 'k' },
      ]) {
        const problems = problemsOf({ ...env, ...more, SERVICE_BIND: bind });
        expect(problems).toHaveLength(1);
        expect(problems[0]).toContain(
          `SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS is true while SERVICE_BIND is ${bind}`,
        );
      }
    }
  });

  test('a previous master key without a current one is rejected', () => {
    const [problem, ...others] = problemsOf({ SERVICE_SECRET_KEY_B64_PREVIOUS: KEY });
    expect(problem).toContain('SERVICE_SECRET_KEY_B64_PREVIOUS is set without SERVICE_SECRET_KEY_B64');
    expect(others).toEqual([]);
  });

  test('a previous master key equal to the current one is rejected', () => {
    const env = { SERVICE_SECRET_KEY_B64: KEY, SERVICE_SECRET_KEY_B64_PREVIOUS: KEY };
    const [problem] = problemsOf(env);
    expect(problem).toContain('are the same key');
    expect(problem).not.toContain(KEY.slice(0, 8));
  });
});

test('help and table name every variable with its default', () => {
  expect(configTable().map(({ name }) => name)).toEqual(VARIABLE_NAMES);
  expect(configTable()).toContainEqual(
    expect.objectContaining({ name: 'SERVICE_RATE_LIMIT_PER_MINUTE', default: '120' }),
  );
  for (const row of configTable()) expect(configHelp()).toContain(`${row.name} (${row.default})`);
});
