import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { OPTION_NAMES, OPTIONS, type Option, VARIABLE_NAMES } from './config-options.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const URL = 'postgres://app:hunter2@127.0.0.1/tps';
const folder = mkdtempSync(join(tmpdir(), 'tps-secret-files-'));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string | Buffer, mode = 0o600): string {
  files += 1;
  const path = join(folder, `secret-${files}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('each secret setting has a variable for a file, and no other setting does', () => {
  const twins = VARIABLE_NAMES.filter((name) => !OPTION_NAMES.some((option) => option === name));
  expect(twins).toEqual([
    'SERVICE_METRICS_TOKEN_FILE',
    'SERVICE_SMTP_URL_FILE',
    'SERVICE_NOTICE_URL_FILE',
    'SERVICE_DATABASE_URL_FILE',
    'SERVICE_SECRET_KEY_B64_FILE',
    'SERVICE_SECRET_KEY_B64_PREVIOUS_FILE',
    'OTEL_EXPORTER_OTLP_HEADERS_FILE',
  ]);
});

test('a setting is marked as a secret exactly if errors hide its value', () => {
  for (const name of OPTION_NAMES) {
    const { kind }: Option<unknown> = OPTIONS[name];
    const isHidden = !kind.show('hunter2').includes('hunter2');
    expect([name, isHidden]).toEqual([name, kind.isSecret === true]);
  }
});

describe('a file', () => {
  test.each(['', '\n', '\r\n'])('gives the value, without one line break at its end (%j)', (end) => {
    const env = {
      SERVICE_SECRET_KEY_B64_FILE: fileWith(KEY + end),
      SERVICE_DATABASE_URL_FILE: fileWith(URL + end),
      SERVICE_METRICS_TOKEN_FILE: fileWith(`hunter2-hunter2-hunter2${end}`),
      SERVICE_SMTP_URL_FILE: fileWith(`smtp://me:hunter2@127.0.0.1:25${end}`),
      SERVICE_SMTP_FROM: 'tps@example.com',
    };
    const config = loadConfig(env);
    expect(config.secrets.masterKey?.reveal()).toEqual(Buffer.alloc(32, 7));
    expect(config.database.url.reveal()).toBe(URL);
    expect(config.metrics?.token?.reveal()).toBe('hunter2-hunter2-hunter2');
    expect(config.mail?.url.reveal()).toBe('smtp://me:hunter2@127.0.0.1:25');
    expect(config.warnings).toEqual([]);
  });

  test('may be a symbolic link, as in a volume of Kubernetes', () => {
    const link = join(folder, 'link');
    symlinkSync(fileWith(KEY), link);
    expect(loadConfig({ SERVICE_SECRET_KEY_B64_FILE: link }).secrets.masterKey).toBeDefined();
  });

  test('beside the value itself is rejected, and the message names both variables', () => {
    const env = { SERVICE_SECRET_KEY_B64: KEY, SERVICE_SECRET_KEY_B64_FILE: fileWith(KEY) };
    expect(problemsOf(env)).toEqual([
      'SERVICE_SECRET_KEY_B64 and SERVICE_SECRET_KEY_B64_FILE are both set; set only one of them.',
    ]);
  });

  test('beside an empty variable is used: empty means not set', () => {
    const env = { SERVICE_SECRET_KEY_B64: '', SERVICE_SECRET_KEY_B64_FILE: fileWith(KEY) };
    expect(loadConfig(env).secrets.masterKey).toBeDefined();
    expect(
      loadConfig({ SERVICE_SECRET_KEY_B64: KEY, SERVICE_SECRET_KEY_B64_FILE: '' }).secrets.masterKey,
    ).toBeDefined();
  });

  test.each([
    ['that is missing', () => join(folder, 'none'), 'cannot be read: it does not exist'],
    ['that is a directory', () => folder, 'cannot be used: it is not a regular file'],
    ['that is a device', () => '/dev/zero', 'cannot be used: it is not a regular file'],
    ['that is empty', () => fileWith('\n'), 'is empty'],
    ['that is too large', () => fileWith('hunter2'.repeat(10_000)), 'is larger than 65536 bytes'],
    ['that is not text', () => fileWith(Buffer.from([0xff, 0x68])), 'is not UTF-8 text'],
    ['with another content', () => fileWith('hunter2'), 'does not contain what is expected: 32 bytes'],
    ['with a space at its end', () => fileWith(`${KEY} \n`), 'It begins or ends with white space'],
  ])('%s is rejected with its variable and path, and without its content', (_case, make, message) => {
    const path = make();
    const [problem = '', ...others] = problemsOf({ SERVICE_SECRET_KEY_B64_FILE: path });
    expect(others).toEqual([]);
    expect(problem).toContain(`SERVICE_SECRET_KEY_B64_FILE: the file ${path} `);
    expect(problem).toContain(message);
    expect(problem).not.toMatch(/hunter2|BwcHBw/);
  });

  test.each([
    ['644', 1],
    ['602', 1],
    ['640', 0],
    ['400', 0],
  ])('with mode %s gives a warning only if every user has access', (mode, warnings) => {
    const path = fileWith(KEY, Number.parseInt(mode, 8));
    const config = loadConfig({ SERVICE_SECRET_KEY_B64_FILE: path });
    expect(config.warnings).toHaveLength(warnings);
    for (const warning of config.warnings) {
      expect(warning).toContain(`SERVICE_SECRET_KEY_B64_FILE: the file ${path} may be read or changed`);
      expect(warning).toContain(`chmod o= ${path}`);
    }
  });
});

test('a misspelt variable for a file is rejected with the nearest name', () => {
  expect(problemsOf({ SERVICE_SECRET_KEY_64_FILE: 'x' })).toEqual([
    'SERVICE_SECRET_KEY_64_FILE is not a known variable; did you mean SERVICE_SECRET_KEY_B64_FILE?',
  ]);
});

test('a setting that is not a secret has no variable for a file', () => {
  expect(problemsOf({ SERVICE_LOG_LEVEL_FILE: 'x' })).toHaveLength(1);
});
