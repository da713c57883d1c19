import type { Content, Detector, Inspection, Judgement } from '@tps/detection';

/**
 * Judges content, or what a reader of files found in it.
 *
 * @throws TypeError for the bytes of a file without an inspection: reading formats is no matter of the agent
 */
export function judgeContent(
  detector: Detector,
  content: Content,
  inspection: Inspection | undefined,
): Judgement {
  if (inspection !== undefined) return detector.conclude(inspection);
  if ('bytes' in content) {
    throw new TypeError(
      `Content of type ${content.type} is judged by its inspection, which inspectBytes of @tps/detection/files makes.`,
    );
  }
  return detector.judge(content);
}
