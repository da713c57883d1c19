import { expect, test } from 'vitest';
import { usePushScene } from '../deliveries/testing/push-scene.ts';

const HANGING = 40;
const EVENTS = 12;

const scene = usePushScene();

test('forty new receivers that hang do not delay the new ones that respond', async () => {
  const hanging = await scene.receive('hang');
  const prompt = await scene.receive(204);
  const sender = await scene.createSender();
  // The hanging ones have their turn first.
  for (let index = 0; index < HANGING; index += 1) await sender.register(`${hanging.url}/${index}`);
  for (let index = 0; index < 10; index += 1) await sender.register(`${prompt.url}/${index}`);
  await sender.sendMany(EVENTS);
  await prompt.waitFor(10 * EVENTS);
  // Each hanging receiver still holds its first delivery: nothing waited for one of them to time out.
  await hanging.waitFor(HANGING);
  expect(hanging.requests).toHaveLength(HANGING);
  expect(new Set(hanging.requests.map(({ path }) => path)).size).toBe(HANGING);
  expect(hanging.openConnections).toBe(HANGING);
});
