import { basename } from 'node:path';
import type { NewScan, ScanResult } from '@tps/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readNamedBytes, readNamedFile } from '../connection/read-named-file.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { addGroup, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { CHANNELS, choice, toWords } from './values.ts';

/** More than the service accepts by default: 16 MiB of Base64, which is a third longer than the content. */
const MAX_BYTES = 64 * 1024 * 1024;

export function addScanCommands(program: Command, context: CommandContext): void {
  const scan = addGroup(
    program,
    'scan',
    'scan a message, a link, a file, an app or the origin of media',
    'tps scan text "Your parcel is held, pay here: http://192.0.2.7/pay"',
    'tps scan url https://example.com/login',
    'tps scan url https://example.com/login --language fr',
  );
  addText(scan, context);
  addUrl(scan, context);
  addBytes(scan, context, {
    type: 'file',
    description: 'scan a file',
    examples: [
      'tps scan file invoice.pdf',
      'curl -s https://example.com/a.zip | tps scan file - --filename a.zip',
    ],
  });
  addBytes(scan, context, {
    type: 'media',
    description: 'check whether a picture, audio or video declares that it was generated',
    examples: ['tps scan media portrait.jpg'],
  });
  addApp(scan, context);
}

interface TextFlags {
  readonly file?: string;
  readonly channel?: NonNullable<NonNullable<NewScan['context']>['channel']>;
  readonly sender?: string;
  readonly knownSender?: boolean;
  readonly previous?: readonly string[];
}

function addText(scan: Command, context: CommandContext): void {
  scan
    .command('text')
    .description('scan a message or the transcript of a call')
    .argument('[text]', 'text, or "-" for the standard input (default: the standard input)')
    .option('--file <file>', 'read the text from this file')
    .addOption(choice('--channel <channel>', 'channel on which it arrived', CHANNELS))
    .option('--sender <sender>', 'phone number, short code, name or mail address of the sender')
    .option('--known-sender', 'the person knows the sender')
    .option('--no-known-sender', 'the sender is a stranger')
    .option(
      '--previous <text>',
      'earlier message of the conversation, or "@file" with one message per line; can be repeated, oldest first',
      (text: string, earlier: readonly string[] = []) => [...earlier, text],
    )
    .option(...LANGUAGE_OPTION)
    .addHelpText(
      'after',
      examples(
        'tps scan text "You have won" --channel sms --sender +15550100',
        'tps scan text < message.txt',
        'xclip -o | tps scan text - --channel chat',
        'tps scan text "Write to me on WhatsApp" --no-known-sender --previous "Hi, wrong number?"',
      ),
    )
    .action(async (text: string | undefined, flags: TextFlags, command: Command) => {
      if (text !== undefined && flags.file !== undefined)
        throw usageError('A text and --file cannot be combined.');
      const content = await readContent(context, text, flags.file);
      const how = await toContext(context, flags);
      await scanContent(context, command, { type: 'text', content, ...(how && { context: how }) });
    });
}

/** Returns what the options say about the conversation; undefined if they say nothing. */
async function toContext(context: CommandContext, flags: TextFlags): Promise<NewScan['context']> {
  const { channel, sender, knownSender, previous = [] } = flags;
  const messages = await Promise.all(previous.map((text) => readMessages(context, text)));
  const how = {
    ...(channel !== undefined && { channel }),
    ...(sender !== undefined && { sender }),
    ...(knownSender !== undefined && { known_sender: knownSender }),
    ...(previous.length > 0 && { previous: messages.flat() }),
  };
  return Object.keys(how).length === 0 ? undefined : how;
}

async function readMessages(context: CommandContext, text: string): Promise<string[]> {
  if (!text.startsWith('@')) return [text];
  const content = await readNamedFile(context, text.slice(1), MAX_BYTES);
  return content.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function addUrl(scan: Command, context: CommandContext): void {
  scan
    .command('url')
    .description('scan a link without opening it')
    .argument('[link]', 'link, or "-" for the standard input (default: the standard input)')
    .option(...LANGUAGE_OPTION)
    .addHelpText('after', examples('tps scan url https://example.com/login', 'xclip -o | tps scan url -'))
    .action(async (link: string | undefined, _options: object, command: Command) => {
      const content = await readContent(context, link);
      await scanContent(context, command, { type: 'url', content });
    });
}

/** Returns the argument, or the content of the file or of the standard input. */
async function readContent(context: CommandContext, argument?: string, file = '-'): Promise<string> {
  return argument === undefined || argument === '-' ? readNamedFile(context, file, MAX_BYTES) : argument;
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
    .argument('<file>', 'file, or "-" for the standard input')
    .option('--filename <name>', 'name of the file, if it differs')
    .option(...LANGUAGE_OPTION)
    .addHelpText('after', examples(...bytes.examples))
    .action(async (file: string, { filename }: { filename?: string }, command: Command) => {
      const name = filename ?? (file === '-' ? undefined : basename(file));
      const content = await readNamedBytes(context, file, MAX_BYTES);
      await scanContent(context, command, {
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
    .description('scan an app by its metadata')
    .argument('<package>', 'package name')
    .option('--sha256 <hex>', 'SHA-256 of the file')
    .option('--certificate-sha256 <hex>', 'SHA-256 of the signing certificate')
    .option('--permission <names>', 'permissions, separated by commas', toWords)
    .option(...LANGUAGE_OPTION)
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
      await scanContent(context, command, { type: 'app', app });
    });
}

const LANGUAGE_OPTION = [
  '--language <tag>',
  'language of the explanation: en, de, fr, es, it, nl or pt (default: that of the environment)',
  toLanguageTag,
] as const;

/** A tag of BCP 47, as HTTP uses them. */
function toLanguageTag(text: string): string {
  if (/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(text)) return text;
  throw new InvalidArgumentError('A language is a tag such as de or pt-BR.');
}

/** Returns the language of the environment (POSIX: `de_DE.UTF-8`) as a tag; undefined for `C` and others without one. */
function environmentLanguage({ env }: CommandContext): string | undefined {
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value);
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(locale ?? '') ?? [];
  return region === undefined ? language : `${language}-${region}`;
}

async function scanContent(context: CommandContext, command: Command, scan: NewScan): Promise<void> {
  if (scan.content?.trim() === '' || scan.content_b64 === '') throw usageError('The content is empty.');
  const { client, session, tenant } = await openCall(context, command);
  const language = command.opts<{ language?: string }>().language ?? environmentLanguage(context);
  const result = await client.scan.content({ ...scan, ...tenant }, { language });
  await printFields(session, result, [
    ['scan', result.scan_id],
    ['verdict', toVerdict(result)],
    ['type', result.threat_type],
    ['confidence', toNumber(result.confidence)],
    ['details', result.details],
    ['model', result.model_version],
    ...result.findings.map(
      ({ detector, threat_type, confidence, evidence }) =>
        ['finding', `${detector}: ${threat_type} (${toNumber(confidence)}) ${evidence}`] as const,
    ),
  ]);
}

/** Rounds like the sentence in `details`. */
function toNumber(confidence: number): number {
  return Number(confidence.toFixed(3));
}

/** Content that could not be analyzed must not look safe. */
function toVerdict({ status, verdict }: ScanResult): string {
  return status === 'unsupported' ? 'not analyzed (this does not mean safe)' : verdict;
}
