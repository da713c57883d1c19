import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { flushToDisk, toSqlitePath } from '../../database/index.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import type { FirstCredentialsOutlet, FirstStart } from './first-start.ts';

/** Beside the store. A store on PostgreSQL has no place on this machine: it gets the directory of the default store. */
const DIRECTORY_WITHOUT_FILE = './data';

/**
 * Shows the first credentials on a terminal. Where the standard output is anything else, a log store may keep it, so
 * they are written to a file that only its owner can read, and the log has its name.
 */
export function toOutlet(
  { database }: Config,
  { stdout, logger }: { stdout: NodeJS.WriteStream & { fd: number }; logger: Logger },
): FirstCredentialsOutlet {
  if (stdout.isTTY) return terminalOutlet((text) => void writeSync(stdout.fd, text));
  const directory =
    database.engine === 'sqlite' ? dirname(toSqlitePath(database.url.reveal())) : DIRECTORY_WITHOUT_FILE;
  return fileOutlet(resolve(directory), logger);
}

function terminalOutlet(write: (text: string) => void): FirstCredentialsOutlet {
  return {
    publish: (first) => write(toText(first, 'Save these credentials now: they are not shown again.')),
    confirm: () => undefined,
    withdraw: () => write('The credentials above are not valid: the store did not accept them.\n'),
  };
}

function fileOutlet(directory: string, logger: Logger): FirstCredentialsOutlet {
  let file = '';
  return {
    publish(first) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // The id is part of the name: a file that an interrupted start has left is neither in the way nor overwritten.
      file = join(directory, `first-credentials-${first.tenantId}.txt`);
      writeNewFile(
        file,
        toText(first, 'Save these credentials and delete this file: they exist nowhere else.'),
      );
    },
    confirm: () => logger.warn({ file }, 'first credentials written to a file: save them and delete it'),
    withdraw: () => rmSync(file, { force: true }),
  };
}

/** Writes a file for its owner only, and waits until it would survive a power cut. */
function writeNewFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
    flushToDisk(dirname(path));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function toText(
  { baseUrl, tenantId, adminLink, operatorCredential, adminCredential }: FirstStart,
  advice: string,
): string {
  return `
This is the first start. To become the administrator, open this link within 24 hours. It works once:

  ${adminLink}

Programs use credentials. ${advice}

  tenant               ${tenantId}

  operator credential  ${operatorCredential}
                       for all tenants; each request names one with tenant_id
    curl -H @- '${baseUrl}/status?tenant_id=${tenantId}' <<< 'Authorization: Bearer ${operatorCredential}'

  tenant admin         ${adminCredential}
    curl -H @- ${baseUrl}/status <<< 'Authorization: Bearer ${adminCredential}'

API documentation: ${baseUrl}/docs
`;
}
