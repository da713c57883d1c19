import type { Detection } from '@tps/agent';
import { pick, type Random } from './random.ts';

type Draw = (random: Random) => Omit<Detection, 'confidence' | 'modelVersion'>;

const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
const hex = (random: Random, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');

/** Metadata is open: devices may add fields that the contract does not name. */
const via = (channel: string) => ({ channel }) as Detection['metadata'] & object;

/** Few, so that several devices see the same campaign. The names are reserved for examples (RFC 2606). */
const SHOPS = ['paket-zoll', 'bank-verify', 'prize-centre', 'account-check', 'invoice-now'];
const APPS = ['flashlight-pro', 'battery-saver', 'free-vpn', 'photo-vault'];

const DRAWS: readonly Draw[] = [
  (random) => {
    const link = `https://${pick(random, SHOPS)}.example/pay?id=${digits(random, 6)}`;
    return {
      threatCategory: 'phishing',
      description: `SMS from +49 151 ${digits(random, 8)}: your parcel is held at customs, pay 2.99 EUR at ${link}`,
      indicators: [link],
      metadata: via('sms'),
    };
  },
  (random) => ({
    threatCategory: 'phone_scam',
    description: `Call from +34 612 ${digits(random, 6)} claims to be the bank and asks for the one-time code`,
    indicators: [`caller:sha256:${hex(random, 16)}`],
    metadata: via('call'),
  }),
  (random) => ({
    threatCategory: 'malicious_app',
    description: `${pick(random, APPS)} opened a connection to 203.0.113.${Math.floor(random() * 256)} and read the contacts`,
    indicators: [hex(random, 64)],
  }),
  (random) => ({
    threatCategory: 'social_engineering',
    description: `E-mail from office@${pick(random, SHOPS)}.example asks for an urgent transfer of ${digits(random, 5)} EUR`,
    indicators: [`sender-domain:${pick(random, SHOPS)}.example`],
    metadata: via('email'),
  }),
  () => ({
    threatCategory: 'deepfake',
    description: 'Video call: the lips do not follow the voice, no reaction to the liveness check',
  }),
  (random) => ({
    threatCategory: 'remote_control',
    description: `A session of a remote control tool began while a bank's page was open, from 198.51.100.${Math.floor(random() * 256)}`,
  }),
];

/** One detection in ten is suspicious. */
const SUSPICIOUS_SHARE = 0.1;

/** Returns a made-up detection. The personal data in it must never reach the service. */
export function drawDetection(random: Random): Detection {
  const isSuspicious = random() < SUSPICIOUS_SHARE;
  const confidence = isSuspicious ? 0.6 + random() * 0.4 : random() * 0.5;
  return {
    ...pick(random, DRAWS)(random),
    confidence: Math.round(confidence * 1000) / 1000,
    modelVersion: 'simulated-1',
  };
}
