import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

/** dns-packet has no name for it (RFC 1035, section 4.1.1). */
const NXDOMAIN = 3;

export type AddressType = 'A' | 'AAAA';

export type DnsQuery = { readonly name: string; readonly type: string };

export interface DnsStandIn {
  /** For `dnsServers`. */
  readonly address: { readonly host: string; readonly port: number };
  /**
   * Sets the addresses of a name, IPv4 and IPv6 together; each question gets those of its type. A function is asked
   * anew for each question, so that a name can change its mind.
   */
  answer(name: string, addresses: readonly string[] | ((type: AddressType) => readonly string[])): void;
  /** Leaves every question about a name without any answer. */
  ignore(name: string): void;
  /** What was asked so far, in order. */
  queries(): readonly DnsQuery[];
  close(): Promise<void>;
}

/** Starts a name server on loopback that knows what a test tells it, and answers NXDOMAIN to everything else. */
export async function startDnsStandIn(): Promise<DnsStandIn> {
  const names = new Map<string, (type: AddressType) => readonly string[]>();
  const ignored = new Set<string>();
  const asked: DnsQuery[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (packet, peer) => {
    const reply = toReply(packet);
    if (reply) socket.send(reply, peer.port, peer.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));

  function toReply(packet: Buffer): Buffer | undefined {
    const { id, questions } = decode(packet);
    const [question] = questions ?? [];
    if (!question) return undefined;
    const { type } = question;
    const name = question.name.toLowerCase();
    asked.push({ name, type });
    if (ignored.has(name)) return undefined;
    const find = names.get(name);
    const found = find && (type === 'A' || type === 'AAAA') ? find(type) : [];
    const isWanted = type === 'A' ? isIPv4 : isIPv6;
    const answers: Answer[] = found
      .filter((address) => isWanted(address))
      .map((data) => ({ type: type as AddressType, name: question.name, ttl: 0, data }));
    const flags = AUTHORITATIVE_ANSWER | (find ? 0 : NXDOMAIN);
    return encode({
      type: 'response',
      ...(id === undefined ? {} : { id }),
      flags,
      questions: [question],
      answers,
    });
  }

  return {
    address: { host: '127.0.0.1', port: socket.address().port },
    answer(name, addresses) {
      ignored.delete(name);
      names.set(name, typeof addresses === 'function' ? addresses : () => addresses);
    },
    ignore: (name) => void ignored.add(name),
    queries: () => asked,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}
