import type { Detection } from '@tps/agent';

const SEVERITIES = ['low', 'low', 'medium', 'high'] as const;

/** Makes a detection as a message filter would, different each time: some 1 KB once it is an event. */
export function sampleDetection(number: number): Detection {
  return {
    threatCategory: 'phishing',
    confidence: 0.5 + (number % 50) / 100,
    severity: SEVERITIES[number % SEVERITIES.length] ?? 'low',
    description: `Message ${number} from +49 151 2345678 asks maria.fernandez@example.com to confirm a parcel fee of 2.99 EUR. The link leads to a page registered three days ago; it copies a well known courier service and asks for the card number and the PIN. Score 0.97.`,
    indicators: [`https://parcel-${number}.example/confirm?id=${number}`, '198.51.100.23'],
    modelVersion: 'bench-1',
  };
}
