import { type Workflow, workflowStep } from '../workflow/index.ts';

function thin(
  type:
    | 'load_inputs'
    | 'collect_evidence'
    | 'correlate'
    | 'classify'
    | 'guardrail_check'
    | 'draft_recommendation'
    | 'publish_artifacts'
    | 'apply_decision',
) {
  return workflowStep({
    type,
    gather: async () => null,
    run: () => ({ output: null, guardrail: 'not_applicable' }),
  });
}

/** What `incident_triage_v1` thinks, in the order of its steps. Publishing comes before the review: what a person approves is the text they have read. */
export const incidentTriage: Workflow = {
  id: 'incident_triage_v1',
  steps: [
    thin('load_inputs'),
    thin('collect_evidence'),
    thin('correlate'),
    thin('classify'),
    thin('guardrail_check'),
    thin('draft_recommendation'),
    thin('publish_artifacts'),
    thin('apply_decision'),
  ],
};
