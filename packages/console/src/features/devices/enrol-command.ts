interface EnrolledDevice {
  readonly url: string;
  readonly tenantId: string;
  readonly secret: string;
}

/** A made-up detection, so that a trial shows an event at once. */
const DETECTION = {
  threatCategory: 'phishing',
  confidence: 0.97,
  description: 'Message with a link to a look-alike login page',
  indicators: ['https://login.bank.example/'],
};

/** Returns the lines for a shell that enrol a device and record its first detection. */
export function toEnrolCommand({ url, tenantId, secret }: EnrolledDevice): string {
  return [
    `export TPS_URL=${url} TPS_TENANT=${tenantId}`,
    `TPS_ENROLMENT_CREDENTIAL=${secret} tps agent enrol --directory trial-device --platform linux --name 'Trial device' &&`,
    `  echo '${JSON.stringify(DETECTION)}' |`,
    '  tps agent run --directory trial-device',
  ].join('\n');
}
