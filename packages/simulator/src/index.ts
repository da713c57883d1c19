export { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from './agentless-device.ts';
export { checkFeed } from './check-feed.ts';
export type { SimulationReport } from './fleet/report.ts';
export { simulateFleet } from './fleet/simulate-fleet.ts';
export type { EventAnswer } from './scenario/faulty-network.ts';
export { planSteps, type Scenario, type ScenarioDevice, type Step } from './scenario/scenario.ts';
export type { AgentCounts } from './scenario/scripted-device.ts';
export { startScenario } from './scenario/start-scenario.ts';
