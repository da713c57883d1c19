import { basename } from 'node:path';
import type { NewScan, ScanResult } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readNamedBytes, readNamedFile } from '../connection/read-named-file.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { addGroup, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { CHANNELS, choice, toWords } from './values.ts';

/** More than the service takes unless its operator has allowed more: base64 makes a third longer what it takes 16 MiB of. */
const MAX_BYTES = 64 * 1024 * 1024;

export function addScanCommands(program: Command, context: CommandContext): void {
  const scan = addGroup(
    program,
    'scan',
    'judge a message, a link, a file, an app, or where a picture comes from',
    'tps scan text "Your parcel is held, pay here: http://192.0.2.7/pay"',
    'tps scan url https://example.com/login',
  );
  addText(scan, context);
  addUrl(scan, context);
  addBytes(scan, context, {
    type: 'file',
    description: 'judge a file',
    examples: [
      'tps scan file invoice.pdf',
      'curl -s https://example.com/a.zip | tps scan file - --filename a.zip',
    ],
  });
  addBytes(scan, context, {
    type: 'media',
    description: 'tell whether a picture, a sound or a film states that it was generated',
    examples: ['tps scan media portrait.jpg'],
  });
  addApp(scan, context);
}

interface TextFlags {
  readonly file?: string;
  readonly channel?: NonNullable<NewScan['context']>['channel'];
  readonly sender?: string;
}

function addText(scan: Command, context: CommandContext): void {
  scan
    .command('text')
    .description('judge a message or the transcript of a call')
    .argument('[text]', 'the text; the standard input when left out')
    .option('--file <file>', 'read the text from this file')
    .addOption(choice('--channel <channel>', 'how it came', CHANNELS))
    .option('--sender <sender>', 'who sent it; goes with --channel')
    .addHelpText(
      'after',
      examples(
        'tps scan text "You have won" --channel sms --sender +15550100',
        'tps scan text < message.txt',
      ),
    )
    .action(async (text: string | undefined, flags: TextFlags, command: Command) => {
      const { channel, sender } = flags;
      if (sender !== undefined && channel === undefined) throw usageError('--sender goes with --channel.');
      if (text !== undefined && flags.file !== undefined) throw usageError('Give either a text or --file.');
      const content = text ?? (await readNamedFile(context, flags.file ?? '-', MAX_BYTES));
      const how = channel && { context: { channel, ...(sender === undefined ? {} : { sender }) } };
      await judge(context, command, { type: 'text', content, ...how });
    });
}

function addUrl(scan: Command, context: CommandContext): void {
  scan
    .command('url')
    .description('judge a link without opening it')
    .argument('[link]', 'the link; the standard input when left out')
    .addHelpText('after', examples('tps scan url https://example.com/login', 'xclip -o | tps scan url'))
    .action(async (link: string | undefined, _options: object, command: Command) => {
      const content = link ?? (await readNamedFile(context, '-', MAX_BYTES));
      await judge(context, command, { type: 'url', content });
    });
}

interface BytesCommand {
  readonly type: 'file' | 'media';
  readonly description: string;
  readonly examples: readonly string[];
}

function addBytes(scan: Command, context: CommandContext, bytes: BytesCommand): void {
  const { type } = bytes;
  scan
    .command(type)
    .description(bytes.description)
    .argument('<file>', 'the file, or "-" for the standard input')
    .option('--filename <name>', 'what it is called, where that is not its name here')
    .addHelpText('after', examples(...bytes.examples))
    .action(async (file: string, { filename }: { filename?: string }, command: Command) => {
      const name = filename ?? (file === '-' ? undefined : basename(file));
      const content = await readNamedBytes(context, file, MAX_BYTES);
      await judge(context, command, {
        type,
        content_b64: content.toString('base64'),
        ...(name === undefined ? {} : { filename: name }),
      });
    });
}

interface AppFlags {
  readonly sha256?: string;
  readonly certificateSha256?: string;
  readonly permission?: readonly string[];
}

function addApp(scan: Command, context: CommandContext): void {
  scan
    .command('app')
    .description('judge an app by what is known about it')
    .argument('<package>', 'name of its package')
    .option('--sha256 <hex>', 'hash of its file')
    .option('--certificate-sha256 <hex>', 'hash of the certificate that signed it')
    .option('--permission <names>', 'what it may do, separated by commas', toWords)
    .addHelpText(
      'after',
      examples('tps scan app com.example.bank --permission READ_SMS,BIND_ACCESSIBILITY_SERVICE'),
    )
    .action(async (name: string, { sha256, certificateSha256, permission }: AppFlags, command: Command) => {
      const app = {
        package_name: name,
        ...(sha256 === undefined ? {} : { sha256 }),
        ...(certificateSha256 === undefined ? {} : { certificate_sha256: certificateSha256 }),
        ...(permission === undefined ? {} : { permissions: [...permission] }),
      };
      await judge(context, command, { type: 'app', app });
    });
}

async function judge(context: CommandContext, command: Command, scan: NewScan): Promise<void> {
  if (scan.content?.trim() === '' || scan.content_b64 === '') throw usageError('There is nothing to judge.');
  const { client, session, tenant } = await openCall(context, command);
  const result = await client.scan.content({ ...scan, ...tenant });
  await printFields(session, result, [
    ['scan', result.scan_id],
    ['verdict', toVerdict(result)],
    ['type', result.threat_type],
    ['confidence', toNumber(result.confidence)],
    ['why', result.details],
    ...result.findings.map(
      ({ detector, threat_type, confidence, evidence }) =>
        ['finding', `${detector}: ${threat_type} (${toNumber(confidence)}) ${evidence}`] as const,
    ),
  ]);
}

/** As many places as the sentence has. */
function toNumber(confidence: number): number {
  return Number(confidence.toFixed(3));
}

/** What nothing could judge must not read as if it were clean. */
function toVerdict({ status, verdict }: ScanResult): string {
  return status === 'unsupported' ? 'not judged, which is no all-clear' : verdict;
}
