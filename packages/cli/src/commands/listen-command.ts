import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { VerifiedWebhook } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readNamedFile } from '../connection/read-named-file.ts';
import { usageError } from '../output/command-error.ts';
import { createPalette, paintState } from '../output/palette.ts';
import { printDocument, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { toShortTime } from '../output/time.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';
import type { RefusedDelivery } from './listen-receiver.ts';
import { wholeNumber } from './values.ts';

interface Options {
  readonly port: number;
  readonly secretFile?: string;
  readonly register?: true;
}

const MAX_PORT = 65_535;
const SECRET_BYTES = 32;

const NOTES = `
Listens on 127.0.0.1 and answers as a receiver should. What does not verify is said on the standard error, with the
reason, and refused. The secret is read from --secret-file or TPS_WEBHOOK_SECRET; --register makes one, registers a
webhook for this receiver and removes it at the end. The service sends to this machine only while it runs with
SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS=true.
`;

/** Adds the command that receives deliveries, verifies and prints them, to the command `webhooks`. */
export function addListenCommand(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('listen')
    .description('receive deliveries on this machine, verify and print them')
    .option('--port <number>', 'where to listen; any free port unless given', wholeNumber(0, MAX_PORT), 0)
    .option('--secret-file <file>', 'read the signing secret from this file')
    .option('--register', 'register a webhook for this receiver, and remove it at the end')
    .addHelpText(
      'after',
      NOTES +
        examples(
          'tps webhooks listen --register',
          'tps webhooks listen --port 4000 --secret-file webhook.secret --ndjson | jq .severity',
        ),
    )
    .action((options: Options, command: Command) => listen(openSession(context, command), options));
}

async function listen(session: Session, options: Options): Promise<void> {
  const { context } = session;
  const secret = await findSecret(context, options);
  const stop = context.stopSignal();
  const unreadable = new AbortController();
  const { startReceiver } = await import('./listen-receiver.ts');
  const receiver = await startReceiver({
    secret,
    port: options.port,
    onEvent: async (delivery) => {
      await printDelivery(session, delivery).catch((error: unknown) => {
        unreadable.abort(error);
        throw error;
      });
    },
    onRefused: (refused) => void sayRefused(session, refused).catch(() => undefined),
  });
  let remove: (() => Promise<void>) | undefined;
  try {
    if (options.register) remove = await register(session, receiver.url, secret);
    await context.stderr.write(`Listening at ${receiver.url} until stopped.\n`);
    const end = AbortSignal.any([stop, unreadable.signal]);
    if (!end.aborted) await once(end, 'abort');
    // Nobody reads what is delivered any more.
    unreadable.signal.throwIfAborted();
  } finally {
    // The webhook first, so that nothing is sent to where nobody listens.
    await remove?.().finally(receiver.close);
    if (!remove) await receiver.close();
  }
}

async function findSecret(context: CommandContext, { secretFile, register }: Options): Promise<string> {
  if (register) {
    if (secretFile) throw usageError('--register makes a secret of its own; leave out --secret-file.');
    return randomBytes(SECRET_BYTES).toString('base64url');
  }
  const secret = secretFile ? await readNamedFile(context, secretFile) : context.env.TPS_WEBHOOK_SECRET;
  if (secret) return secret;
  throw usageError('Which secret? Give --secret-file, set TPS_WEBHOOK_SECRET, or use --register.');
}

/** Gives what removes the webhook again. */
async function register(session: Session, url: string, secret: string): Promise<() => Promise<void>> {
  const client = await session.client();
  const tenant = await session.tenant();
  const { webhook_id: id } = await client.webhooks.create({ ...tenant, url, secret });
  const say = (text: string) => session.context.stderr.write(text).catch(() => undefined);
  await say(`Registered ${id}. Try: tps webhooks test ${id}\n`);
  return async () => {
    try {
      await client.webhooks.remove(id, tenant);
    } catch (error) {
      // Somebody else has removed it, or the answer to our first attempt was lost.
      if ((error as { status?: unknown }).status !== 404) {
        await say(`${id} is still registered. Remove it: tps webhooks remove ${id}\n`);
        throw error;
      }
    }
    await say(`Removed ${id}.\n`);
  };
}

async function printDelivery(session: Session, { event }: VerifiedWebhook): Promise<void> {
  if (session.format !== 'table') return printDocument(session, event);
  const { timestamp, severity, action_taken, threat_category, device_id, event_id } = event;
  const words = [toShortTime(timestamp), severity, action_taken, threat_category, device_id, event_id];
  await printLine(session, words.map((word) => paintState(session.palette, sanitizeLine(word))).join('  '));
}

const HINTS: Readonly<Record<string, string>> = {
  signature_mismatch: 'The secret here is not the one that the webhook was registered with.',
  timestamp_out_of_tolerance: 'The clock of one side is wrong, or it is an old delivery sent again.',
  missing_header: 'It does not come from the service, or a proxy on the way removes headers.',
  method_not_allowed: 'It does not come from the service.',
};

async function sayRefused({ context }: Session, { code, message }: RefusedDelivery): Promise<void> {
  const palette = createPalette(context.stderr, context.env);
  const isHarmless = code === 'duplicate';
  const what = isHarmless ? palette.dim('left out') : palette.red('refused');
  const hint = HINTS[code] ?? '';
  await context.stderr.write(
    `${what}: ${sanitizeLine([message, hint].filter(Boolean).join(' '))} (${code})\n`,
  );
}
