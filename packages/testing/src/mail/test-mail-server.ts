import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { useFixture } from '../fixture/use-fixture.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: string;
  /** The text as its reader sees it. */
  readonly text: string;
}

export interface TestMailServer {
  /** For SERVICE_SMTP_URL. */
  readonly url: string;
  /** What has arrived, oldest first. */
  readonly mails: ReceivedMail[];
  /** Begins or ceases to refuse mails, with a status (default 450). A refusal repeats the text of the mail. */
  refuse(isRefusing: boolean, status?: number): void;
  /** Begins to leave mails to addresses of this domain without an answer, or answers all of these. */
  hold(domain: string | undefined): void;
  /** How many mails have no answer. */
  readonly held: () => number;
  stop(): Promise<void>;
}

/** Runs a mail server on loopback for the tests of a file. */
export function useMailServer(): TestMailServer {
  return useFixture(startMailServer, { close: (server) => server.stop() });
}

async function startMailServer(): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  let refuseWith: number | undefined;
  let heldDomain: string | undefined;
  let waiting: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        if (refuseWith !== undefined) {
          const refusal = new Error(`refused: ${raw.replaceAll('\r\n', ' ')}`);
          return done(Object.assign(refusal, { responseCode: refuseWith }));
        }
        const end = raw.indexOf('\r\n\r\n');
        const headers = raw.slice(0, end);
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          headers,
          text: decode(raw.slice(end + 4), headers),
        });
        const isHeld = heldDomain !== undefined && mails.at(-1)?.to[0]?.endsWith(`@${heldDomain}`);
        if (isHeld) waiting.push(done);
        else done();
        return undefined;
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(isRefusing, status = 450) {
      refuseWith = isRefusing ? status : undefined;
    },
    hold(domain) {
      heldDomain = domain;
      for (const done of waiting) done();
      waiting = [];
    },
    held: () => waiting.length,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Mails consist of one part. */
function decode(body: string, headers: string): string {
  const encoding = /^content-transfer-encoding: *(\S+)/im.exec(headers)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
