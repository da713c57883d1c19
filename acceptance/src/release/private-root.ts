import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { newFolder } from '@tps/testing/fixture';
import { waitUntil } from '@tps/testing/time';
import { onTestFinished } from 'vitest';

/**
 * Makes a machine for one test: the programs of this one, a copy of its /etc, and nothing else. All else is empty and in
 * memory, there is no network but loopback, and no Node.js. systemd is its first process, with only the units that are named
 * here: the others would change settings of the kernel, which it shares. It ends with the process that holds it.
 */
const OPEN = `
set -eu
mount --make-rprivate /
mount -t cgroup2 cgroup2 /mnt
mkdir "/mnt/$3"
echo $$ > "/mnt/$3/cgroup.procs"
umount /mnt
exec unshare --cgroup bash -euc "$0" "$1" "$2"
`;
const BOOT = `
root=$0; files=$1
mount -t tmpfs -o mode=755,size=4g tmpfs "$root"
cd "$root"
mkdir -p usr etc opt run root tmp home proc dev sys old var/lib var/cache var/log var/backups var/tmp
ln -s /run var/run
chmod 1777 tmp var/tmp
mount --rbind /usr usr
mount -t tmpfs -o mode=755 tmpfs usr/local
mkdir -p usr/local/bin
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
cp -a /etc/. etc
rm -rf etc/postgresql etc/systemd/system
mount -t proc proc proc
mount --rbind /dev dev
# RemoveIPC= removes what the service's user or group owns in there, and this folder is below it.
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
for file in usr/bin/node usr/bin/nodejs; do
  if [ -e "$file" ]; then mount --bind /dev/null "$file"; fi
done
mkdir root/release
mount --bind "$files" root/release
printf '127.0.0.1 tps.example\\n' >> etc/hosts
ip link set lo up
mkdir etc/systemd/system
cp usr/lib/systemd/system/{systemd-journald.service,systemd-journald.socket,systemd-journald-dev-log.socket} etc/systemd/system
cp usr/lib/systemd/system/postgresql{,@}.service etc/systemd/system
cd etc/systemd/system
printf '[Unit]\\nDefaultDependencies=no\\nRequires=systemd-journald.service\\n' > sysinit.target
printf '[Unit]\\nDefaultDependencies=no\\nRequires=sysinit.target\\nAfter=sysinit.target\\n' > basic.target
printf '[Unit]\\nRequires=basic.target\\nAfter=basic.target\\n' > multi-user.target
cd "$root"
# A process in a chroot may not use namespaces of users, as the unit demands.
pivot_root . old
cd /
umount -l old
exec env -i container=tps-test PATH=/usr/sbin:/usr/bin SYSTEMD_UNIT_PATH=/etc/systemd/system \\
  /lib/systemd/systemd --unit=multi-user.target --log-target=journal --show-status=no
`;
const UNSHARE = ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--'];
const ENTER = ['--mount', '--net', '--pid', '--ipc', '--uts', '--root', '--wd'];
const REMOVE_GROUP = `mount -t cgroup2 cgroup2 /mnt && find "/mnt/$0" -depth -type d -exec rmdir {} +`;

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
  if (!existsSync('/lib/systemd/systemd')) return 'systemd is not installed';
  if (!existsSync('/usr/bin/pg_createcluster')) return 'PostgreSQL of Debian is not installed';
  try {
    execFileSync('unshare', [...UNSHARE, 'mount', '-t', 'cgroup2', 'cgroup2', '/mnt'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'mounting is not permitted here';
  }
}

/** Opens a private root with `files` in /root/release. It ends with the test. */
export async function openPrivateRoot(files: string): Promise<PrivateRoot> {
  const root = newFolder();
  const group = `tps-test-${randomBytes(6).toString('hex')}`;
  const holder = spawn('unshare', [...UNSHARE, 'bash', '-c', OPEN, BOOT, root, files, group], {
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
    await waitUntil(() => hasRemoved(group));
  });
  await waitUntil(() => isOpen(holder) || holder.exitCode !== null);
  if (holder.exitCode !== null) throw new Error(`the private root did not open:\n${fault}`);
  const enter = ['--target', findChild(holder), ...ENTER];
  const run = (command: string) => runInside([...enter, '/bin/bash', '-c', command], command);
  await run('systemctl is-system-running --wait');
  return { run };
}

/** Removes the control groups of the machine, once all of its processes have ended. */
function hasRemoved(group: string): boolean {
  return spawnSync('unshare', ['--mount', 'bash', '-c', REMOVE_GROUP, group]).status === 0;
}

function isOpen(holder: ChildProcess): boolean {
  try {
    return existsSync(`/proc/${findChild(holder)}/root/run/systemd/private`);
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
