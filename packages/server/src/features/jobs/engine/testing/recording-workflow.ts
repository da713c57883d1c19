import { type ArtifactKind, STEP_TYPES, type StepType, TRIAGE_WORKFLOW } from '@tps/contract';
import { createId } from '../../../../platform/identifiers.ts';
import { incidentStore } from '../../../incidents/index.ts';
import { type ArtifactDraft, type Workflow, type WorkflowStep, workflowStep } from '../workflow.ts';

export const OWN_STEPS = STEP_TYPES.filter((type) => type !== 'review_gate' && type !== 'review_decision');

/** Hooks of a test into a step. They can be changed while the workflow runs. */
interface StepScript {
  /** Awaited before `gather` returns. */
  gather?: () => Promise<void>;
  run?: () => void;
  apply?: () => void;
}

export interface RecordingWorkflow {
  readonly workflow: Workflow;
  /** Every started step, in order. */
  readonly begun: StepType[];
  readonly scripts: Partial<Record<StepType, StepScript>>;
  /** If set, approvals are refused with this sentence. */
  obstacle: string | undefined;
}

/**
 * Creates a workflow whose steps evaluate nothing. Each step adds an entry to the timeline of the first input, in the
 * transaction that records the step, so that a test can count how often it took effect.
 */
export function recordingWorkflow(): RecordingWorkflow {
  const begun: StepType[] = [];
  const scripts: Partial<Record<StepType, StepScript>> = {};
  const recording: RecordingWorkflow = {
    begun,
    scripts,
    obstacle: undefined,
    workflow: {
      id: TRIAGE_WORKFLOW,
      steps: OWN_STEPS.map((type) => recordingStep(type, { begun, scripts })),
      findApprovalObstacle: async () => recording.obstacle,
    },
  };
  return recording;
}

function recordingStep(
  type: StepType,
  { begun, scripts }: Pick<RecordingWorkflow, 'begun' | 'scripts'>,
): WorkflowStep {
  return workflowStep<null>({
    type,
    async gather() {
      begun.push(type);
      await scripts[type]?.gather?.();
      return null;
    },
    run(_facts, { outputs, inputRefs }) {
      scripts[type]?.run?.();
      const before = Object.keys(outputs).filter((name) => (OWN_STEPS as string[]).includes(name));
      const isPublishing = type === 'publish_artifacts';
      return {
        output: { type, before: before.sort() },
        guardrail: type === 'guardrail_check' ? 'passed' : 'not_applicable',
        ...(isPublishing
          ? { artifacts: [draft('recommendation', inputRefs), draft('triage_report', inputRefs)] }
          : {}),
      };
    },
    async apply(tx, _result, { tenantId, inputRefs, nowMs, approval }) {
      scripts[type]?.apply?.();
      const [incidentId = ''] = inputRefs;
      await incidentStore.addTimeline(tx, tenantId, [
        {
          incidentId,
          entryId: createId('itl', nowMs),
          atMs: nowMs,
          kind: 'changed',
          message: type,
          actor: approval?.request.caller.tokenId ?? 'unapproved',
        },
      ]);
    },
  });
}

function draft(kind: ArtifactKind, inputRefs: readonly string[]): ArtifactDraft {
  return kind === 'triage_report'
    ? { kind, mediaType: 'text/markdown', content: `# Grüße an ${inputRefs.join(', ')}\n` }
    : { kind, mediaType: 'application/json', content: JSON.stringify({ about: inputRefs }) };
}
