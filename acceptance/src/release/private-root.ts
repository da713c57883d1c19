import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { waitUntil } from '@tps/testing/time';
import { onTestFinished } from 'vitest';

/**
 * Makes a machine for one test: the programs of this one, a copy of its /etc, and nothing else. All else is empty and in
 * memory, there is no network but loopback, and no Node.js. It ends with the process that holds it.
 */
const OPEN = `
set -eu
root=$1; files=$2; systemctl=$3
mount --make-rprivate /
mount -t tmpfs -o mode=755,size=4g tmpfs "$root"
cd "$root"
mkdir -p usr etc opt run root tmp home proc dev var/lib var/cache var/log var/backups var/tmp
ln -s /run var/run
chmod 1777 tmp var/tmp
mount --rbind /usr usr
mount -t tmpfs -o mode=755 tmpfs usr/local
mkdir -p usr/local/bin
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
cp -a /etc/. etc
rm -rf etc/postgresql
mount -t proc proc proc
mount --rbind /dev dev
for file in usr/bin/node usr/bin/nodejs; do
  if [ -e "$file" ]; then mount --bind /dev/null "$file"; fi
done
mkdir root/release
mount --bind "$files" root/release
cp "$systemctl" usr/local/bin/systemctl
printf '127.0.0.1 tps.example\\n' >> etc/hosts
ip link set lo up
touch run/is-open
# Not exec: the first process must collect those that ended, which sleep does not.
sleep infinity & wait
`;
const UNSHARE = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--'];
const SYSTEMCTL = join(import.meta.dirname, 'systemctl.sh');

export interface PrivateRoot {
  /** Runs a command as root, in the folder with the files of the release. @throws Error with its output when it fails */
  run(command: string): Promise<string>;
}

/** Why this machine cannot make one, if it cannot. @throws Error instead if `REQUIRE_PRIVATE_ROOT` is 1 */
export function whyNoPrivateRoot(): string | undefined {
  const reason = findObstacle();
  if (reason !== undefined && process.env.REQUIRE_PRIVATE_ROOT === '1') throw new Error(reason);
  return reason;
}

function findObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'root on Linux is required';
  try {
    execFileSync('unshare', [...UNSHARE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' });
  } catch {
    return 'mounting is not permitted here';
  }
  return existsSync('/usr/bin/pg_createcluster') ? undefined : 'PostgreSQL of Debian is not installed';
}

/** Opens a private root with `files` in /root/release. It ends with the test. */
export async function openPrivateRoot(files: string): Promise<PrivateRoot> {
  const root = newFolder();
  const holder = spawn('unshare', [...UNSHARE, 'bash', '-c', OPEN, 'open', root, files, SYSTEMCTL], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let fault = '';
  holder.stderr?.setEncoding('utf8').on('data', (text: string) => {
    fault += text;
  });
  const ended = new Promise<void>((resolve) => holder.once('close', () => resolve()));
  onTestFinished(async () => {
    holder.kill('SIGKILL');
    await ended;
  });
  await waitUntil(() => isOpen(holder, root) || holder.exitCode !== null);
  if (holder.exitCode !== null) throw new Error(`the private root did not open:\n${fault}`);
  const enter = ['--target', findChild(holder), '--mount', '--net', '--pid', '--', 'chroot', root];
  return { run: (command) => runInside([...enter, '/bin/bash', '-c', command], command) };
}

function isOpen(holder: ChildProcess, root: string): boolean {
  try {
    return existsSync(`/proc/${findChild(holder)}/root${root}/run/is-open`);
  } catch {
    return false;
  }
}

/** The first process of the new namespace, by its id in ours. */
function findChild({ pid }: ChildProcess): string {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  if (children === '') throw new Error('unshare has not started it');
  return children;
}

function runInside(enter: readonly string[], command: string): Promise<string> {
  const [at, script] = [enter.slice(0, -1), `exec 2>&1; cd /root/release; set -e\n${command}`];
  // Only what an operator's shell has: nothing of the tests.
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
  };
  return new Promise((resolve, reject) => {
    execFile('nsenter', [...at, script], { env, maxBuffer: 2 ** 24 }, (error, stdout) => {
      if (error) reject(new Error(`${command}\nfailed with:\n${stdout}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
