import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type Profile, type Profiles, readProfiles, updateProfiles } from '../connection/profiles.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDone, printList } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';

/** Adds the commands of the group `profiles`. `tps login` and `tps init` save profiles. */
export function addProfileCommands(program: Command, context: CommandContext): void {
  const profiles = program
    .command('profiles')
    .description('list, select and remove saved profiles')
    .addHelpText('after', '\nExamples:\n  tps profiles list\n  tps profiles use production');

  profiles
    .command('list')
    .description('list the profiles, without their credentials')
    .addHelpText('after', '\nExamples:\n  tps profiles list\n  tps profiles list --json')
    .action(async (_options: object, command: Command) =>
      listProfiles(openSession(context, command), await readProfiles(context.env)),
    );

  profiles
    .command('use')
    .description('select the profile for the following commands')
    .argument('<name>', 'name of the profile')
    .addHelpText('after', '\nExamples:\n  tps profiles use production')
    .action(async (name: string, _options: object, command: Command) => {
      await updateProfiles(context.env, (all) => {
        requireProfile(all, name);
        return { ...all, current: name };
      });
      const session = openSession(context, command);
      await printDone(session, `Commands now use profile ${name}.`, { profile: name, current: true });
    });

  profiles
    .command('remove')
    .description('remove a profile; its credential stays valid until it is revoked')
    .argument('<name>', 'name of the profile')
    .addHelpText('after', '\nExamples:\n  tps profiles remove trial')
    .action(async (name: string, _options: object, command: Command) => {
      await removeProfile(context.env, name);
      const session = openSession(context, command);
      await printDone(session, `Removed profile ${name}.`, { profile: name, removed: true });
    });
}

/** Saves a profile and selects it. */
export function saveProfile(env: CommandContext['env'], name: string, profile: Profile): Promise<void> {
  return updateProfiles(env, ({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: profile },
  }));
}

/** Removes a profile. @throws CommandError when it does not exist */
export function removeProfile(env: CommandContext['env'], name: string): Promise<void> {
  return updateProfiles(env, (all) => {
    requireProfile(all, name);
    const { [name]: _removed, ...profiles } = all.profiles;
    const { current } = all;
    const isCurrent = current === undefined || current === name;
    return isCurrent ? { profiles } : { current, profiles };
  });
}

async function listProfiles(session: Session, { current, profiles }: Profiles): Promise<void> {
  async function* rows() {
    for (const [name, { url, tenant }] of Object.entries(profiles)) {
      yield { name, url, tenant: tenant ?? null, current: name === current };
    }
  }
  await printList(session, rows(), {
    limit: Number.POSITIVE_INFINITY,
    columns: [
      { heading: 'NAME', of: ({ name }) => name },
      { heading: 'SERVICE', of: ({ url }) => url },
      { heading: 'TENANT', of: ({ tenant }) => tenant ?? '' },
      { heading: 'IN USE', of: ({ current }) => (current ? 'yes' : '') },
    ],
  });
}

function requireProfile({ profiles }: Profiles, name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  throw new CommandError(`Profile ${JSON.stringify(name)} does not exist.`, {
    code: 'no_profile',
    exitCode: EXIT.notFound,
  });
}
