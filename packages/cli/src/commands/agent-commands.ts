import { resolve } from 'node:path';
import type { Agent } from '@tps/agent';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDone, printFields, printList } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { openSession, type Session } from '../session.ts';
import { DIRECTORY, deviceCredential } from './agent-device.ts';
import { addRunCommand } from './agent-run-command.ts';
import { addSimulateCommand } from './agent-simulate-command.ts';
import { addGroup, omitUndefined } from './api-command.ts';
import { examples } from './examples.ts';
import { choice, PLATFORMS, wholeNumber } from './values.ts';

const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512', 'rsa-v1_5-sha256'] as const;
const MAX_LIMIT = 999_999_999;

/** Adds what a device does: being enrolled, deciding, and looking after its keys and its log. */
export function addAgentCommands(program: Command, context: CommandContext): void {
  const agent = addGroup(
    program,
    'agent',
    'be a device: enrol it, let it decide, look into its log',
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

interface EnrolWanted {
  readonly directory: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly name?: string;
  readonly deviceId?: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
}

function addEnrol(agent: Command, context: CommandContext): void {
  agent
    .command('enrol')
    .description('make a device known to the service, and a folder its home')
    .requiredOption(...DIRECTORY)
    .addOption(choice('--platform <platform>', 'what it runs', PLATFORMS).makeOptionMandatory())
    .option('--name <name>', 'what people call it')
    .option('--device-id <id>', 'its id; made up unless given')
    .addOption(choice('--algorithm <name>', 'of its signing key', ALGORITHMS).default('ed25519'))
    .addHelpText(
      'after',
      `
The credential needs devices:write and nothing else, and is not kept. It is read from --credential-file, or
TPS_ENROLMENT_CREDENTIAL, or is the one that other commands use. A second call with the same options changes nothing.
` +
        examples(
          'tps agent enrol --directory ./device --platform linux --name "Mail gateway"',
          'tps agent enrol --directory ./device --platform android --url https://tps.example.com --credential-file -',
        ),
    )
    .action(async (options: EnrolWanted, command: Command) => {
      const enrolment = context.env.TPS_ENROLMENT_CREDENTIAL;
      // Only this command may take it: it is not for anything else.
      const env = enrolment ? { ...context.env, TPS_CREDENTIAL: enrolment } : context.env;
      const session = openSession({ ...context, env }, command);
      const { url: baseUrl, credential: enrolmentCredential } = await session.connection();
      const { platform, name, deviceId, algorithm } = options;
      const { enrolDevice } = await import('@tps/agent');
      const identity = await enrolDevice({
        ...{ baseUrl, enrolmentCredential, platform, algorithm },
        ...omitUndefined({ name, deviceId }),
        directory: resolve(context.directory, options.directory),
      });
      await printFields(session, identity, [
        ['device', identity.deviceId],
        ['tenant', identity.tenantId],
        ['platform', identity.platform],
        ['folder', options.directory],
      ]);
    });
}

function addStatus(agent: Command, context: CommandContext): void {
  agent
    .command('status')
    .description('show how a device is doing')
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
          ['dropped', `${dropped}, ${store.undeclared} of them not declared yet`],
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
    .description('list what a device has recorded, unredacted')
    .requiredOption(...DIRECTORY)
    .option('--limit <number>', 'how many at most', wholeNumber(1, MAX_LIMIT))
    .addHelpText(
      'after',
      `
Unlike everything that the service knows, these records hold personal data as it was found. They stay on the device.
${examples('tps agent records --directory ./device', 'tps agent records --directory ./device --ndjson')}`,
    )
    .action(async ({ directory, limit }: { directory: string; limit?: number }, command: Command) => {
      const session = openSession(context, command);
      await context.stderr.write('These records are not redacted: they hold personal data.\n');
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
    .description("replace a device's signing key and the key of its log")
    .requiredOption(...DIRECTORY)
    .addHelpText(
      'after',
      `
Nothing that waits is lost, and a call that was interrupted goes on where it was. The credential needs devices:write.
${examples('tps agent rotate-keys --directory ./device')}`,
    )
    .action(async ({ directory }: { directory: string }, command: Command) => {
      const session = openSession(context, command);
      const credential = await deviceCredential(session, command);
      await withAgent(
        session,
        directory,
        async (opened) => {
          await opened.rotateSigningKey();
          await opened.rotateStorageKey();
          await printDone(
            session,
            'The device signs with another key, and its log is under another one. The old ones are destroyed.',
            { device_id: opened.health().deviceId, rotated: true },
          );
        },
        credential,
      );
    });
}

/** Opens the agent of a folder for one piece of work. Sends nothing by itself. */
async function withAgent(
  { context }: Session,
  directory: string,
  work: (agent: Agent) => Promise<void>,
  credential = '',
): Promise<void> {
  const { openNodeAgent } = await import('@tps/agent');
  const opened = await openNodeAgent({
    directory: resolve(context.directory, directory),
    credential,
    autonomous: false,
    statusEveryHours: 0,
  });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}
