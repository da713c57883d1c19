import { once } from 'node:events';
import type { VerifiedWebhook } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readSecretFile, readSecretVariable } from '../connection/secret-input.ts';
import { usageError } from '../output/command-error.ts';
import { createPalette, paintState } from '../output/palette.ts';
import { printDocument, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { toShortTime } from '../output/time.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';
import type { RejectedDelivery } from './listen-receiver.ts';
import { newSigningSecret } from './signing-secret.ts';
import { wholeNumber } from './values.ts';

interface Options {
  readonly port: number;
  readonly secretFile?: string;
  readonly register?: true;
}

const MAX_PORT = 65_535;

const NOTES = `
Listens on 127.0.0.1, verifies each delivery and responds like a receiver should. A delivery that cannot be verified is
rejected and reported on the standard error with the reason. A delivery counts as received when it has been written to the
standard output: use this to try webhooks, and a receiver to keep events. The secret is read from --secret-file, from
TPS_WEBHOOK_SECRET, or from the file that TPS_WEBHOOK_SECRET_FILE names.
--register generates a secret, creates a webhook for this receiver and removes it at the end. The service delivers to
this machine only with SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS=true.
`;

/** Adds `tps webhooks listen`. */
export function addListenCommand(webhooks: Command, context: CommandContext): void {
  webhooks
    .command('listen')
    .description('receive, verify and print deliveries on this machine')
    .addOption(
      new Option('--port <number>', 'port to listen on')
        .argParser(wholeNumber(0, MAX_PORT))
        .default(0, 'any free port'),
    )
    .option('--secret-file <file>', 'file with the signing secret, or "-"')
    .option('--register', 'create a webhook for this receiver, and remove it at the end')
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
    onRejected: (rejected) => void reportRejected(session, rejected).catch(() => undefined),
  });
  let remove: (() => Promise<void>) | undefined;
  try {
    if (options.register) remove = await register(session, receiver.url, secret);
    await context.stderr.write(`Listening at ${receiver.url} until stopped.\n`);
    const end = AbortSignal.any([stop, unreadable.signal]);
    if (!end.aborted) await once(end, 'abort');
    // The output is closed.
    unreadable.signal.throwIfAborted();
  } finally {
    // Remove the webhook first, so that nothing is sent to a closed port.
    await remove?.().finally(receiver.close);
    if (!remove) await receiver.close();
  }
}

async function findSecret(context: CommandContext, { secretFile, register }: Options): Promise<string> {
  if (register) {
    if (secretFile)
      throw usageError('--register generates a secret: it cannot be combined with --secret-file.');
    return newSigningSecret();
  }
  const secret = secretFile
    ? await readSecretFile(context, secretFile)
    : await readSecretVariable(context, 'TPS_WEBHOOK_SECRET');
  if (secret) return secret;
  throw usageError(
    'A secret is required: use --secret-file, TPS_WEBHOOK_SECRET, TPS_WEBHOOK_SECRET_FILE or --register.',
  );
}

/** Creates the webhook and returns the function that removes it. */
async function register(session: Session, url: string, secret: string): Promise<() => Promise<void>> {
  const client = await session.client();
  const tenant = await session.tenant();
  const { webhook_id: id } = await client.webhooks.create({ ...tenant, url, secret });
  const report = (text: string) => session.context.stderr.write(text).catch(() => undefined);
  await report(`Registered ${id}. Try: tps webhooks test ${id}\n`);
  return async () => {
    try {
      await client.webhooks.remove(id, tenant);
    } catch (error) {
      // 404: it was removed already, or the response to the first attempt was lost.
      if ((error as { status?: unknown }).status !== 404) {
        await report(`${id} is still registered. Remove it: tps webhooks remove ${id}\n`);
        throw error;
      }
    }
    await report(`Removed ${id}.\n`);
  };
}

async function printDelivery(session: Session, { event }: VerifiedWebhook): Promise<void> {
  if (session.format !== 'table') return printDocument(session, event);
  const { timestamp, severity, action_taken, threat_category, device_id, event_id } = event;
  const words = [toShortTime(timestamp), severity, action_taken, threat_category, device_id, event_id];
  await printLine(session, words.map((word) => paintState(session.palette, sanitizeLine(word))).join('  '));
}

const HINTS: Readonly<Record<string, string>> = {
  signature_mismatch: 'The secret differs from the secret of the webhook.',
  timestamp_out_of_tolerance: 'One of the clocks is wrong, or an old delivery was replayed.',
  missing_header: 'The request does not come from the service, or a proxy removed headers.',
  method_not_allowed: 'The request does not come from the service.',
};

async function reportRejected({ context }: Session, { code, message }: RejectedDelivery): Promise<void> {
  const palette = createPalette(context.stderr, context.env);
  const isDuplicate = code === 'duplicate';
  const outcome = isDuplicate ? palette.dim('skipped') : palette.red('rejected');
  const hint = HINTS[code] ?? '';
  await context.stderr.write(
    `${outcome}: ${sanitizeLine([message, hint].filter(Boolean).join(' '))} (${code})\n`,
  );
}
