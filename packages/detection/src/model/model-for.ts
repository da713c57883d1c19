import type { Content } from '../content.ts';
import type { Models } from './models.ts';

/** Which thresholds speak for content of a type: files and apps are held against those of texts. */
export function modelFor(
  type: Content['type'],
  { version, thresholds }: Pick<Models, 'version' | 'thresholds'>,
) {
  return { version, thresholds: type === 'url' ? thresholds.url : thresholds.text };
}
