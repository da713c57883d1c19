import { createInterface } from 'node:readline';
import { enrolDevice, openNodeAgent } from '@tps/agent';
import { loadShippedModels } from '@tps/detection/node';

// A message filter: reads messages from standard input, a line each, and prints what to do about each, and why. That is
// all that a real application needs: enrolling once, judging, deciding, recording, uploading.
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
  models: loadShippedModels(),
  onNotice: ({ message }) => console.error(message),
});

for await (const text of createInterface({ input: process.stdin })) {
  const { classification, recorded } = await agent.scan({ type: 'text', text, context: { channel: 'chat' } });
  // What is no threat is not recorded. What nothing here can judge is no threat either, and yet no all-clear: `warn`.
  const action = recorded?.decision.action ?? classification.verdict;
  console.log(`${action}  ${text}`);
  if (action !== 'allow') console.error(classification.details);
  if (recorded?.kept === 'memory') console.error('The decision could not be stored yet.');
}
// What is not sent now is sent after the next start: nothing is lost by leaving.
if (!(await agent.flush())) console.error('The service could not be reached; the rest waits here.');
await agent.close();
