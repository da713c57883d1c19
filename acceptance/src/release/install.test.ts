import { cpSync } from 'node:fs';
import { newFolder } from '@tps/testing/fixture';
import { parseCredentials } from '@tps/testing/process';
import { describe, expect, inject, test } from 'vitest';
import { NEXT_MIGRATION } from '../upgrade/next-version.ts';
import { readInstallPage } from './install-page.ts';
import { openPrivateRoot, type PrivateRoot, whyNoPrivateRoot } from './private-root.ts';

const PAGE = readInstallPage();
const TO_SETTINGS = ['1. Verify the files', '2. Unpack', '3. User and folders', '4. Master key'];
const START = ['8. Start', '9. First administrator'];
const CHECK = 'Check the restored store';
const POSTGRES_STEP = '7. PostgreSQL instead of the embedded store';

interface Store {
  readonly name: string;
  /** Headings of docs/install.md, in the order in which a reader with this store follows them. */
  readonly install: readonly string[];
  readonly backup: string;
  readonly restore: string;
}

const EMBEDDED: Store = {
  name: 'the embedded store',
  install: [...TO_SETTINGS, '5. Certificate', '6. Settings', ...START],
  backup: 'Embedded store',
  restore: 'Restore the embedded store',
};
const POSTGRES: Store = {
  name: 'PostgreSQL',
  install: [...TO_SETTINGS, '5. Certificate', '6. Settings', POSTGRES_STEP, ...START],
  backup: 'PostgreSQL',
  restore: 'Restore PostgreSQL',
};
/** For applications: scripts/src/pack-check runs it. */
const ELSEWHERE = ['Packages for applications'];

const POLICY = { name: 'Block', threat_categories: ['phishing'], action: 'block', confidence_threshold: 0.8 };
/** There is no network: PostgreSQL is on the machine, and its cluster is what the package of Debian creates. */
const APT_GET = `cat > /usr/local/bin/apt-get <<'END'
#!/bin/sh
set -eu
test "$*" = 'install --yes postgresql'
install -d -o postgres -g postgres /var/lib/postgresql /var/log/postgresql /run/postgresql
exec pg_createcluster "$(ls /usr/lib/postgresql | sort -V | tail -n 1)" main --start
END
chmod +x /usr/local/bin/apt-get`;

const reason = whyNoPrivateRoot();
test('the two orders contain every section of docs/install.md that has commands', () => {
  const followed = [EMBEDDED, POSTGRES].flatMap(({ install, backup, restore }) => [
    ...install,
    backup,
    restore,
  ]);
  const withCommands = [...PAGE].filter(([, commands]) => commands.length > 0).map(([title]) => title);
  expect([...new Set([...followed, 'Upgrade', CHECK, ...ELSEWHERE])].sort()).toEqual(withCommands.sort());
});

describe.for([EMBEDDED, POSTGRES])('with $name', (store) => {
  test('docs/install.md installs, upgrades and restores from the files of a release', async ({ skip }) => {
    if (reason !== undefined) skip(reason);
    const { out, next, nextOut } = inject('release');
    const files = newFolder();
    cpSync(out, files, { recursive: true });
    const machine = await openPrivateRoot(files);
    await machine.run(APT_GET);

    const credential = parseCredentials(await follow(machine, store.install)).admin;
    const api = openApi(machine, credential);
    await api.createPolicy('pol_before_backup');
    await follow(machine, [store.backup]);
    await api.createPolicy('pol_after_backup');

    cpSync(nextOut, files, { recursive: true });
    await follow(machine, ['Upgrade']);
    await followReady(machine);
    expect(await machine.run('tps --version')).toBe(`${next}\n`);
    expect(await api.policyIds()).toEqual(['pol_after_backup', 'pol_before_backup']);

    await follow(machine, [store.restore]);
    await followReady(machine);
    await follow(machine, [CHECK]);
    expect(await api.policyIds()).toEqual(['pol_before_backup']);
    // By the upgrade, and by the first start on the store of before.
    expect(await countLogged(machine, `"migration":"${NEXT_MIGRATION}"`)).toBe(2);
    // Installed, upgraded and restored, each time once.
    expect(await countLogged(machine, '"msg":"service started"')).toBe(3);
  });
});

/** Runs the commands of sections in order. Returns what they print. */
async function follow(machine: PrivateRoot, titles: readonly string[]): Promise<string> {
  let output = '';
  for (const command of titles.flatMap((title) => PAGE.get(title) ?? []))
    output += await machine.run(command);
  return output;
}

/** Runs the command of the page that waits until the service is ready. */
async function followReady(machine: PrivateRoot): Promise<void> {
  const ready = PAGE.get('8. Start')?.find((command) => command.includes('/readyz')) ?? 'false';
  expect(await machine.run(ready)).toContain('ready');
}

/** The number of lines in the service's log that contain a text. */
async function countLogged(machine: PrivateRoot, text: string): Promise<number> {
  return Number(
    await machine.run(`journalctl --unit tps --output cat | grep --count --fixed-strings '${text}'`),
  );
}

/** Calls the API as a program on that machine does. */
function openApi(machine: PrivateRoot, credential: string) {
  const call = (path: string, ...options: string[]) =>
    machine.run(
      [
        'curl --silent --show-error --fail --cacert /etc/tps/tls/cert.pem',
        `--header 'authorization: Bearer ${credential}' --header 'content-type: application/json'`,
        ...options,
        `https://tps.example:8443${path}`,
      ].join(' '),
    );
  return {
    createPolicy: (id: string) =>
      call('/policies', `--data '${JSON.stringify({ ...POLICY, policy_id: id })}'`),
    async policyIds(): Promise<string[]> {
      const { data } = JSON.parse(await call('/policies')) as { data: { policy_id: string }[] };
      return data
        .map(({ policy_id: id }) => id)
        .filter((id) => id.endsWith('_backup'))
        .sort();
    },
  };
}
