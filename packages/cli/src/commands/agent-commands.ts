import { resolve } from 'node:path';
import type { Agent } from '@tps/agent';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { currentCredential } from '../connection/connection.ts';
import { readSecretVariable } from '../connection/secret-input.ts';
import { printDone, printFields, printList } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { openSession, type Session } from '../session.ts';
import { DIRECTORY, deviceCredential, deviceTenant } from './agent-device.ts';
import { addRunCommand } from './agent-run-command.ts';
import { addSimulateCommand } from './agent-simulate-command.ts';
import { addGroup, omitUndefined } from './api-command.ts';
import { examples } from './examples.ts';
import { choice, PLATFORMS, wholeNumber } from './values.ts';

const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512', 'rsa-v1_5-sha256'] as const;
const MAX_LIMIT = 999_999_999;

/** Adds the commands of the group `agent`, which act as a device. */
export function addAgentCommands(program: Command, context: CommandContext): void {
  const agent = addGroup(
    program,
    'agent',
    'act as a device: enrol it, run its agent, read its log',
    'tps agent enrol --directory ./device --platform linux',
    'tps agent simulate --devices 20 --rate 50 --duration 10s',
  );
  addEnrol(agent, context);
  addRunCommand(agent, context);
  addStatus(agent, context);
  addRecords(agent, context);
  addRotation(agent, context);
  addSimulateCommand(agent, context);
}

interface EnrolOptions {
  readonly directory: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly name?: string;
  readonly deviceId?: string;
  readonly again?: true;
  readonly algorithm: (typeof ALGORITHMS)[number];
}

function addEnrol(agent: Command, context: CommandContext): void {
  agent
    .command('enrol')
    .description('register a device and create its directory')
    .requiredOption(...DIRECTORY)
    .addOption(
      choice('--platform <platform>', 'operating system of the device', PLATFORMS).makeOptionMandatory(),
    )
    .option('--name <name>', 'display name')
    .option('--device-id <id>', 'id of the device (default: generated)')
    .addOption(choice('--algorithm <name>', 'algorithm of the signing key', ALGORITHMS).default('ed25519'))
    .option('--again', 'register again, to get another credential for an enrolled device')
    .addHelpText(
      'after',
      `
Use an enrolment secret (tps enrolments create): the device then gets its own credential, which its agent keeps
encrypted and renews. A token with devices:write also registers a device, without a credential. The secret or token is
read from --credential-file, from TPS_ENROLMENT_CREDENTIAL, or from the file that TPS_ENROLMENT_CREDENTIAL_FILE names,
otherwise the usual credential is used; it is not stored.
Without status:read, --tenant is required. Running the command again with the same options changes nothing.
` +
        examples(
          'tps agent enrol --directory ./device --platform linux --name "Mail gateway"',
          'tps agent enrol --directory ./device --platform android --url https://tps.example.com --credential-file -',
        ),
    )
    .action(async (options: EnrolOptions, command: Command) => {
      const enrolment = await readSecretVariable(context, 'TPS_ENROLMENT_CREDENTIAL');
      // Only this command uses the enrolment credential.
      const env = enrolment
        ? { ...context.env, TPS_CREDENTIAL: enrolment, TPS_CREDENTIAL_FILE: undefined }
        : context.env;
      const session = openSession({ ...context, env }, command);
      const connection = await session.connection();
      const { url: baseUrl } = connection;
      const enrolmentCredential = await currentCredential(connection);
      const { platform, name, deviceId, algorithm, again } = options;
      const { enrolDevice } = await import('@tps/agent');
      const identity = await enrolDevice({
        baseUrl,
        tenantId: await deviceTenant(session),
        enrolmentCredential,
        platform,
        algorithm,
        ...omitUndefined({ name, deviceId, again }),
        directory: resolve(context.directory, options.directory),
      });
      await printFields(session, identity, [
        ['device', identity.deviceId],
        ['tenant', identity.tenantId],
        ['platform', identity.platform],
        ['directory', options.directory],
      ]);
    });
}

function addStatus(agent: Command, context: CommandContext): void {
  agent
    .command('status')
    .description('show the state of a device')
    .requiredOption(...DIRECTORY)
    .addHelpText('after', examples('tps agent status --directory ./device'))
    .action(async ({ directory }: { directory: string }, command: Command) => {
      const session = openSession(context, command);
      await withAgent(session, directory, async (opened) => {
        const health = opened.health();
        const { store } = health;
        const dropped = Object.values(store.dropped).reduce((sum, count) => sum + count, 0);
        await printFields(session, health, [
          ['device', health.deviceId],
          ['store', store.reason ? `${store.mode}: ${store.reason}` : store.mode],
          ['waiting', store.waiting],
          ['archived', store.archived],
          ['refused', store.refused],
          ['dropped', `${dropped}, of which ${store.undeclared} are not declared yet`],
          ['damaged', store.damaged],
          ['space', `${store.usedBytes} of ${store.budgetBytes} bytes`],
          ['policies', `${health.policies.count}, confirmed ${health.policies.confirmedAt ?? 'never'}`],
        ]);
      });
    });
}

function addRecords(agent: Command, context: CommandContext): void {
  agent
    .command('records')
    .description('list the records of a device, unredacted')
    .requiredOption(...DIRECTORY)
    .option('--limit <number>', 'maximum number of records (default: all)', wholeNumber(1, MAX_LIMIT))
    .addHelpText(
      'after',
      `
These records contain personal data that was found on the device. The service gets the events with e-mail addresses,
phone numbers, recognized names, links and IP addresses redacted.
${examples('tps agent records --directory ./device', 'tps agent records --directory ./device --ndjson')}`,
    )
    .action(async ({ directory, limit }: { directory: string; limit?: number }, command: Command) => {
      const session = openSession(context, command);
      await context.stderr.write('These records are not redacted: they contain personal data.\n');
      await withAgent(session, directory, (opened) =>
        printList(session, opened.records(), {
          limit: limit ?? Number.POSITIVE_INFINITY,
          columns: [
            { heading: 'NUMBER', of: ({ number }) => String(number) },
            { heading: 'AT', of: ({ event }) => toShortTime(event.timestamp) },
            { heading: 'ACTION', of: ({ event }) => event.action_taken },
            { heading: 'SEVERITY', of: ({ event }) => event.severity },
            { heading: 'STAGE', of: ({ history }) => Object.keys(history).at(-1) ?? '' },
            { heading: 'EVENT', of: ({ event }) => event.event_id },
            { heading: 'DESCRIPTION', of: ({ event }) => event.description ?? '', mayShrink: true },
          ],
        }),
      );
    });
}

function addRotation(agent: Command, context: CommandContext): void {
  agent
    .command('rotate-keys')
    .description("replace a device's signing key and the key of its encrypted log")
    .requiredOption(...DIRECTORY)
    .addHelpText(
      'after',
      `
Waiting events are kept. An interrupted rotation continues when the command is run again. The credential needs the scope
${examples('tps agent rotate-keys --directory ./device')}`,
    )
    .action(async ({ directory }: { directory: string }, command: Command) => {
      const session = openSession(context, command);
      const access = await deviceCredential(session, command, resolve(context.directory, directory));
      await withAgent(
        session,
        directory,
        async (opened) => {
          await opened.rotateSigningKey();
          await opened.rotateStorageKey();
          await printDone(
            session,
            'The signing key and the key of the log are replaced. The old keys are destroyed.',
            { device_id: opened.health().deviceId, rotated: true },
          );
        },
        access,
      );
    });
}

/** Opens the agent of a directory for one task. It sends nothing by itself. */
async function withAgent(
  { context }: Session,
  directory: string,
  work: (agent: Agent) => Promise<void>,
  access: { readonly credential?: string } = { credential: '' },
): Promise<void> {
  const { openNodeAgent } = await import('@tps/agent');
  const opened = await openNodeAgent({
    directory: resolve(context.directory, directory),
    ...access,
    autonomous: false,
    statusEveryHours: 0,
  });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}
