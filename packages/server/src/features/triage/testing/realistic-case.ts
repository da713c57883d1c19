import { MINUTE_MS, type TriageScene } from './triage-scene.ts';

const PAGE = 'url:sha256:5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b';
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A parcel phishing wave: blocked twice and warned once on one phone with an earlier case, and seen on a second one. */
export async function createRealisticCase(scene: TriageScene): Promise<string> {
  await scene.addPolicy('pol_links', { name: 'Links in messages', confidenceThreshold: 0.7, version: 4 });
  await scene.addPolicy('pol_links-byod', {
    name: 'Links, private phones',
    action: 'warn',
    confidenceThreshold: 0.6,
  });
  const pixel = await scene.addDevice('dev_pixel-8-front-desk', { name: 'Front desk' });
  const galaxy = await scene.addDevice('dev_galaxy-s24-sales', { agentVersion: '2.3.0' });
  const phishing = { policy_id: 'pol_links', indicators: [PAGE, 'sms-template:parcel-17'] } as const;

  // An incident ten days ago, resolved as genuine.
  await scene.send(pixel, { policy_id: 'pol_links', indicators: ['sms-template:bank-3'], confidence: 0.91 });
  const earlier = await scene.newestIncident();
  await scene.change(earlier.incidentId, {
    status: 'resolved',
    resolution: 'true_positive',
    comment: 'seen before',
  });
  scene.clock.advance(7 * DAY_MS);
  for (let index = 0; index < 12; index += 1) {
    await scene.send(pixel, {
      action_taken: 'allow',
      severity: 'low',
      confidence: 0.1,
      policy_id: 'pol_links',
      indicators: [],
    });
    scene.clock.advance(5 * HOUR_MS);
  }
  await scene.send(galaxy, { ...phishing, indicators: [...phishing.indicators], confidence: 0.88 });
  scene.clock.advance(40 * MINUTE_MS);
  const description = 'SMS about a held parcel, sender [phone], links to a page that asks for card details';
  await scene.send(pixel, { ...phishing, indicators: [...phishing.indicators], description });
  scene.clock.advance(3 * MINUTE_MS);
  await scene.send(pixel, { ...phishing, indicators: [...phishing.indicators], confidence: 0.93 });
  scene.clock.advance(22 * MINUTE_MS);
  await scene.send(pixel, {
    ...phishing,
    indicators: [...phishing.indicators],
    policy_id: 'pol_links-byod',
    action_taken: 'warn',
    confidence: 0.84,
    description: 'Same page opened from the browser history',
  });
  const incident = (await scene.incidents('phishing')).find(({ correlationKey }) => correlationKey === pixel);
  return incident?.incidentId ?? '';
}
