import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@tps/testing/time';
import { expect, inject, test } from 'vitest';
import { readDockerfile, readWords, type Stage } from './dockerfile.ts';
import { openPrivateRoot, type PrivateRoot, whyNoPrivateRoot } from './private-root.ts';
import { ROOT } from './root.ts';

/** Of the 150 MB for the image, 40 are for its base, which is not here to be measured. */
const MAX_ADDED_BYTES = 110_000_000;
const BASE = 'debian:trixie-slim';
/** Stands in for the base image: the Debian of this machine. */
const OPEN_STAGE = `
mkdir -p "$stage" && mount --bind "$stage" "$stage" && cd "$stage"
mkdir -p usr opt tmp proc dev var/lib
mount --rbind /usr usr
for name in bin sbin lib lib64; do ln -s "usr/$name" "$name"; done
cp -a /etc etc
mount -t proc proc proc
mount --rbind /dev dev
touch /tmp/before
`;

const reason = whyNoPrivateRoot();

test('the steps of the Dockerfile build a small image that runs read-only without root', async ({ skip }) => {
  if (reason !== undefined) skip(reason);
  const { version, out } = inject('release');
  const dockerfile = readFileSync(join(ROOT, 'deploy/container/Dockerfile'), 'utf8');
  const stages = readDockerfile(dockerfile, { VERSION: version });
  const machine = await openPrivateRoot(out);
  for (const stage of stages) await build(machine, stage);

  const image = stages.at(-1);
  if (!image) throw new Error('the Dockerfile has no stage');
  const added = await machine.run(`cd ${folderOf(image.name)} && find . -xdev -cnewer /tmp/before ! -type d \\
    | tar -cz --no-recursion --files-from=- | wc -c`);
  expect(Number(added)).toBeGreaterThan(50_000_000);
  expect(Number(added)).toBeLessThan(MAX_ADDED_BYTES);

  await machine.run(startInside(image));
  const check = inside(image, readWords(image, 'HEALTHCHECK'));
  const isHealthy = () =>
    machine.run(check).then(
      () => true,
      () => false,
    );
  await waitUntil(isHealthy);
  expect(await machine.run('ps -o uid= -p "$(cat /run/container.pid)"')).toMatch(/^ *10001\n$/);
  // A check that always succeeds would not notice this.
  await machine.run('kill -KILL "$(cat /run/container.pid)"');
  await waitUntil(async () => !(await isHealthy()));
});

function folderOf(stage: string): string {
  return `/stages/${stage}`;
}

async function build(machine: PrivateRoot, stage: Stage): Promise<void> {
  expect(stage.base).toBe(BASE);
  const root = folderOf(stage.name);
  await machine.run(`stage=${root}\n${OPEN_STAGE}`);
  let directory = '/';
  for (const { name, text } of stage.instructions) {
    if (name === 'WORKDIR') {
      directory = text;
      await machine.run(`mkdir -p ${root}${directory}`);
    }
    if (name === 'RUN') await machine.run(`chroot ${root} /bin/sh -c ${quote(`cd ${directory} && ${text}`)}`);
    if (name === 'COPY') await machine.run(toCopy(text, `${root}${directory}`, root));
  }
}

function toCopy(text: string, directory: string, root: string): string {
  const [, from, rest = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const words = rest.split(' ');
  const target = words.at(-1) ?? '';
  if (from !== undefined) return `cp -a ${folderOf(from)}${words[0]} ${root}${target}`;
  return `cp ${words.slice(0, -1).join(' ')} ${directory}/${target}`;
}

/** A command in the container: its user, its variables and nothing else. */
function inside(image: Stage, words: readonly string[]): string {
  const variables = image.instructions.filter(({ name }) => name === 'ENV').map(({ text }) => text);
  const user = image.instructions.findLast(({ name }) => name === 'USER')?.text ?? '';
  const settings = [...variables, 'SERVICE_ALLOW_PLAINTEXT=true'].map(quote).join(' ');
  return `chroot --userspec=${user} ${folderOf(image.name)} /usr/bin/env -i ${settings} ${words.map(quote).join(' ')}`;
}

/** Starts the container in the background: the root read-only, the volume and /tmp writable. */
function startInside(image: Stage): string {
  const root = folderOf(image.name);
  const volume = `${root}${image.instructions.find(({ name }) => name === 'VOLUME')?.text}`;
  const command = inside(image, [...readWords(image, 'ENTRYPOINT'), ...readWords(image, 'CMD')]);
  const mounts = [
    `mount --bind ${volume} ${volume}`,
    `mount -o remount,bind,ro ${root}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
  ].join(' && ');
  return `unshare --mount bash -c ${quote(`${mounts} && exec ${command}`)} > /var/log/container.log 2>&1 < /dev/null &
    echo $! > /run/container.pid`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
