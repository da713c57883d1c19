import { createInterface } from 'node:readline';
import { enrolDevice, openNodeAgent } from '@tps/agent';
import { loadShippedModels } from '@tps/detection/node';

// A message filter: reads messages from standard input, one per line, and prints the action for each and the reason. A
// real application needs no more than this: enrol once, scan, decide, record, upload.
const { AGENT_DIRECTORY = './agent', TPS_URL, TPS_TENANT, TPS_ENROLMENT_SECRET } = process.env;

// For a directory that is already enrolled, this sends no request. The device gets its own credential, which the agent
// keeps encrypted and renews.
if (TPS_URL && TPS_TENANT && TPS_ENROLMENT_SECRET) {
  await enrolDevice({
    directory: AGENT_DIRECTORY,
    baseUrl: TPS_URL,
    tenantId: TPS_TENANT,
    enrolmentCredential: TPS_ENROLMENT_SECRET,
    platform: 'linux',
    name: 'Message filter',
  });
}

const agent = await openNodeAgent({
  directory: AGENT_DIRECTORY,
  agentVersion: '1.0.0',
  models: loadShippedModels(),
  onNotice: ({ message }) => console.error(message),
});

for await (const text of createInterface({ input: process.stdin })) {
  const { classification, recorded } = await agent.scan({ type: 'text', text, context: { channel: 'chat' } });
  // Only threats are recorded. Content that cannot be classified is not recorded, but its verdict is `warn`.
  const action = recorded?.decision.action ?? classification.verdict;
  console.log(`${action}  ${text}`);
  if (action !== 'allow') console.error(classification.details);
  if (recorded?.kept === 'memory') console.error('The decision is not stored on disk yet.');
}
// Events that are not sent now are stored, and sent after the next start.
if (!(await agent.flush())) console.error('The service could not be reached; the events are sent later.');
await agent.close();
