import { createInterface } from 'node:readline';
import { type Detection, enrolDevice, openNodeAgent } from '@tps/agent';

// A message filter: reads messages from standard input, a line each, and prints what to do about each. Its detector is
// a toy; everything else is what a real application needs: enrolling once, deciding, recording, uploading.
const { AGENT_DIRECTORY = './agent', TPS_URL, TPS_ENROLMENT_CREDENTIAL, TPS_CREDENTIAL } = process.env;
if (!TPS_CREDENTIAL)
  throw new Error('Set TPS_CREDENTIAL to a credential with events:write and devices:read.');

// Enrolled once, the directory knows who it is: repeating this asks nobody.
if (TPS_URL && TPS_ENROLMENT_CREDENTIAL) {
  await enrolDevice({
    directory: AGENT_DIRECTORY,
    baseUrl: TPS_URL,
    enrolmentCredential: TPS_ENROLMENT_CREDENTIAL,
    platform: 'linux',
    name: 'Message filter',
  });
}

const agent = await openNodeAgent({
  directory: AGENT_DIRECTORY,
  credential: TPS_CREDENTIAL,
  agentVersion: '1.0.0',
  onNotice: ({ message }) => console.error(message),
});

for await (const message of createInterface({ input: process.stdin })) {
  const { decision, kept } = await agent.record(detect(message));
  console.log(`${decision.action}  ${message}`);
  if (kept === 'memory') console.error('The decision could not be stored yet.');
}
// What is not sent now is sent after the next start: nothing is lost by leaving.
if (!(await agent.flush())) console.error('The service could not be reached; the rest waits here.');
await agent.close();

function detect(message: string): Detection {
  const links = message.match(/https?:\/\/\S+/g) ?? [];
  const baits = message.match(/\b(parcel|customs|verify|urgent|prize|password)\b/gi) ?? [];
  return {
    threatCategory: 'phishing',
    confidence: Math.min(1, 0.1 + 0.4 * Math.min(links.length, 1) + 0.2 * baits.length),
    description: message.slice(0, 4096),
    indicators: links.slice(0, 64).map((link) => link.slice(0, 512)),
    modelVersion: 'toy-1',
  };
}
