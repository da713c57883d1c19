import { resolve } from 'node:path';
import type { AgentHealth, Detection, RecordResult } from '@tps/agent';
import type { Event } from '@tps/client';
import { readJson } from '@tps/contract/json';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readNamedFile } from '../connection/read-named-file.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printFields } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import { DIRECTORY, deviceCredential } from './agent-device.ts';
import { examples } from './examples.ts';
import { choice, SEVERITIES, THREAT_CATEGORIES, toShare } from './values.ts';

interface SendFlags {
  readonly directory: string;
  readonly file?: string;
  readonly category?: Event['threat_category'];
  readonly confidence?: number;
  readonly severity?: Event['severity'];
  readonly description?: string;
  readonly indicator?: readonly string[];
  readonly modelVersion?: string;
}

/** Adds `tps events send`. */
export function addSendCommand(events: Command, context: CommandContext): void {
  events
    .command('send')
    .description('record a detection on an enrolled device, decide on it and send it')
    .requiredOption(...DIRECTORY)
    .option('--file <file>', 'file with the detection as JSON, or "-", instead of the options below')
    .addOption(choice('--category <category>', 'category of the threat', THREAT_CATEGORIES))
    .option('--confidence <number>', 'confidence, 0 to 1', toShare)
    .addOption(choice('--severity <severity>', 'severity (default: derived)', SEVERITIES))
    .option(
      '--description <text>',
      'description for people; addresses, phone numbers and recognized names are redacted',
    )
    .option('--indicator <indicator>', 'indicator of compromise; can be repeated', collect)
    .option('--model-version <version>', 'version of the detection model')
    .addHelpText(
      'after',
      `
The credential needs events:write, and devices:read for the tenant's policies. An event that cannot be sent now stays on
the device and is sent with the next one.
${examples(
  'tps events send --directory ./phone --category phishing --confidence 0.93 --indicator sig:1a2b',
  `echo '{"threatCategory":"phishing","confidence":0.9}' | tps events send --directory ./phone --file -`,
)}`,
    )
    .action((flags: SendFlags, command: Command) => send(context, flags, command));
}

async function send(context: CommandContext, flags: SendFlags, command: Command): Promise<void> {
  const session = openSession(context, command);
  const detection = await readDetection(context, flags);
  const directory = resolve(context.directory, flags.directory);
  const access = await toAccess(session, command, directory);
  const { openNodeAgent } = await import('@tps/agent');
  const agent = await openNodeAgent({
    directory,
    ...access,
    autonomous: false,
  });
  try {
    await agent.refreshPolicies();
    const recorded = await agent.record(detection);
    const isDelivered = await agent.flush();
    await printFields(session, toDocument(recorded, isDelivered), toFields(recorded, isDelivered));
    if (!isDelivered) throw undelivered(agent.health());
  } finally {
    await agent.close();
  }
}

/** A credential of the profile is sent to the URL of the profile, not to that of the device: it belongs to it. */
async function toAccess(
  session: Session,
  command: Command,
  directory: string,
): Promise<{ readonly credential?: string; readonly baseUrl?: string }> {
  const access = await deviceCredential(session, command, directory);
  return access.credential === undefined ? {} : { ...access, baseUrl: (await session.connection()).url };
}

async function readDetection(context: CommandContext, flags: SendFlags): Promise<Detection> {
  if (flags.file !== undefined) return parse(await readNamedFile(context, flags.file));
  const { category, confidence, severity, description, indicator, modelVersion } = flags;
  if (category === undefined || confidence === undefined) {
    throw usageError('--category and --confidence are required, or --file.');
  }
  return {
    threatCategory: category,
    confidence,
    ...(severity === undefined ? {} : { severity }),
    ...(description === undefined ? {} : { description }),
    ...(indicator === undefined ? {} : { indicators: indicator }),
    ...(modelVersion === undefined ? {} : { modelVersion }),
  };
}

/** The agent validates the members and names the invalid one. */
function parse(text: string): Detection {
  try {
    return readJson(text) as Detection;
  } catch {
    throw usageError('The detection is not valid JSON.');
  }
}

function collect(indicator: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, indicator];
}

function toDocument({ eventId, decision, kept }: RecordResult, delivered: boolean) {
  const { action, severity, confidence, policy, reasons } = decision;
  return { event_id: eventId, action, severity, confidence, policy, reasons, kept, delivered };
}

function toFields({ eventId, decision }: RecordResult, isDelivered: boolean) {
  return [
    ['event', eventId],
    ['action', decision.action],
    ['severity', decision.severity],
    ['policy', `${decision.policy.name} (${decision.policy.policy_id})`],
    ['reason', decision.reasons.join(' ')],
    ['delivered', isDelivered ? 'yes' : 'not yet'],
  ] as const;
}

function undelivered({ upload: { refusal, reason } }: AgentHealth): CommandError {
  const isRefused = refusal !== undefined;
  return new CommandError(`The event is stored on the device but was not sent. ${reason ?? ''}`.trim(), {
    code: isRefused ? 'refused' : 'not_sent',
    exitCode: isRefused ? EXIT.refused : EXIT.unavailable,
  });
}
