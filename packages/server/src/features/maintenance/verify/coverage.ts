import type { Tables } from '../../../database/tables/index.ts';
import { CHANGEABLE, ONLY_HERE, PASSING, SHORT_LIVED, WITH_INCIDENT } from './coverage-reasons.ts';
import { DATA_REQUEST_COVERAGE } from './data-request-coverage.ts';
import type { TableCoverage } from './describe-gaps.ts';
import { IDENTITY_COVERAGE } from './identity-coverage.ts';
import { NOTICE_COVERAGE } from './notice-coverage.ts';
import { STATISTICS_COVERAGE } from './statistics-coverage.ts';
import { WEBHOOK_COVERAGE } from './webhook-coverage.ts';

/**
 * What `tps verify` covers, for every column of every table. The command prints the columns that it does not compare. A
 * test alters each column in turn and expects the finding.
 */
export const COVERAGE: { readonly [T in keyof Tables]: TableCoverage<keyof Tables[T] & string> } = {
  schema_migrations: {
    compared: { 'the migrations of this version': ['name'] },
    notCompared: { [ONLY_HERE]: ['applied_at'] },
  },
  service_settings: { compared: {}, notCompared: { [ONLY_HERE]: ['name', 'value'] } },
  tenants: {
    compared: { 'the rows of the tenant': ['tenant_id'] },
    notCompared: {
      [CHANGEABLE]: [
        'name',
        'environment',
        'rate_limit_per_minute',
        'triage_at_once',
        'triage_since',
        'delete_after',
        'deletion_due_at',
        'deletion_requested_by',
      ],
      [ONLY_HERE]: ['created_at'],
    },
  },
  tokens: {
    compared: {
      'the audit log': [
        'tenant_id',
        'token_id',
        'token_hash',
        'name',
        'scopes',
        'environment',
        'hint',
        'created_at',
        'created_by',
        'expires_at',
        'revoked_at',
        'device_id',
        'max_uses',
      ],
    },
    notCompared: {
      [PASSING]: ['last_used_at', 'uses'],
      [SHORT_LIVED]: ['client_id', 'grant_id', 'account_id', 'key_thumbprint', 'authenticated_at'],
    },
  },
  audit_entries: {
    compared: {
      'the audit chain': [
        'tenant_id',
        'audit_id',
        'occurred_at',
        'actor_type',
        'actor_id',
        'action',
        'resource_type',
        'resource_id',
        'outcome',
        'request_id',
        'detail',
        'fields',
        'position',
        'chain_hash',
      ],
    },
    notCompared: {},
  },
  audit_heads: {
    compared: {
      'the audit chain': [
        'tenant_id',
        'position',
        'chain_hash',
        'occurred_at',
        'started_at',
        'purged_position',
        'purged_hash',
      ],
    },
    notCompared: {},
  },
  idempotency_keys: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: [
        'tenant_id',
        'token_id',
        'operation_id',
        'idempotency_key',
        'request_hash',
        'status',
        'answer',
        'location',
        'created_at',
      ],
    },
  },
  devices: {
    compared: { 'the audit log': ['tenant_id', 'device_id', 'public_key', 'status', 'revoked_at'] },
    notCompared: {
      [CHANGEABLE]: ['platform', 'agent_version', 'name'],
      [ONLY_HERE]: ['registered_at', 'version'],
    },
  },
  device_states: {
    compared: {},
    notCompared: {
      [PASSING]: ['tenant_id', 'device_id', 'last_seen_at', 'sequence', 'event_hash', 'last_event_at'],
    },
  },
  request_nonces: {
    compared: {},
    notCompared: { [SHORT_LIVED]: ['tenant_id', 'bucket', 'device_id', 'nonce'] },
  },
  feed_heads: {
    compared: { 'the hash chain of the feed': ['tenant_id', 'position', 'chain_hash', 'received_at'] },
    notCompared: {},
  },
  events: {
    compared: {
      'the hash chain of the feed': ['position', 'body', 'event_hash', 'chain_hash'],
      'the stored text': [
        'tenant_id',
        'event_id',
        'timestamp',
        'device_id',
        'threat_category',
        'severity',
        'corrects_event_id',
        'filter_keys',
      ],
      'the stored text, as far as it says whether there is one': ['threat_id', 'alert_id', 'device_chain'],
      'the events before and after': ['received_at'],
    },
    notCompared: { 'the request that the device signed is not stored': ['signed_digest'] },
  },
  threats: {
    compared: {
      'the events of the threat': [
        'tenant_id',
        'threat_id',
        'device_id',
        'threat_category',
        'confidence',
        'severity',
        'detected_at',
        'last_seen_at',
        'description',
        'indicators',
        'event_count',
      ],
      'the events of the threat, and whether an incident of it has ended': ['status'],
    },
    notCompared: {},
  },
  sightings: {
    compared: {
      'the events of the sighting': ['tenant_id', 'correlation_key', 'device_id', 'threat_category'],
    },
    notCompared: {
      'corrections and retention leave several possible states': ['threat_id', 'last_seen_at'],
    },
  },
  alerts: {
    compared: {
      'the events of the alert': [
        'tenant_id',
        'alert_id',
        'device_id',
        'threat_category',
        'severity',
        'title',
        'event_ids',
        'threat_id',
        'merge_key',
        'first_event_at',
        'created_at',
      ],
      'the events of the alert, and whether its incident has ended': ['status'],
      'the incident and its members': ['incident_id'],
    },
    notCompared: { [WITH_INCIDENT]: ['updated_at'] },
  },
  incidents: {
    compared: {
      'the event that opened the incident': [
        'tenant_id',
        'incident_id',
        'category',
        'correlation_key',
        'message',
        'created_at',
      ],
      'the events that joined': ['last_event_at'],
      'the events that joined, and the audit log': ['severity'],
      'the events that joined, and the timeline': ['updated_at'],
      'the audit log': ['status', 'resolution', 'assignee', 'tags'],
      'the timeline': ['acknowledged_at', 'resolved_at', 'first_resolved_at'],
    },
    notCompared: {
      'settings decide how many events joined; it is not below that of the audit log': ['version'],
    },
  },
  incident_members: {
    compared: {
      'the incident, its alerts and its threats': ['tenant_id', 'incident_id', 'kind', 'member_id'],
    },
    notCompared: {},
  },
  incident_timeline: {
    compared: {
      'the event of the entry, or the audit log': [
        'tenant_id',
        'incident_id',
        'entry_id',
        'at',
        'kind',
        'actor',
        'message',
        'comment',
      ],
    },
    notCompared: {},
  },
  policies: {
    compared: {
      'the audit log': [
        'tenant_id',
        'policy_id',
        'name',
        'threat_categories',
        'action',
        'confidence_threshold',
        'enabled',
        'version',
        'created_at',
        'updated_at',
        'archived_at',
      ],
    },
    notCompared: {},
  },
  jobs: {
    compared: { 'the runs of the job': ['tenant_id', 'job_id'], 'the artifacts': ['artifact_refs'] },
    notCompared: {
      [PASSING]: [
        'status',
        'trace_id',
        'max_runs',
        'run_count',
        'next_step',
        'review',
        'reviewed_by',
        'error_code',
        'updated_at',
        'version',
        'due_at',
        'leased_by',
        'claims',
        'fruitless_claims',
      ],
      [ONLY_HERE]: ['workflow_id', 'input_refs', 'subject_id', 'created_at', 'created_by'],
    },
  },
  job_inputs: { compared: {}, notCompared: { [ONLY_HERE]: ['tenant_id', 'job_id', 'input_ref'] } },
  traces: {
    compared: { 'the job and the steps of the run': ['tenant_id', 'trace_id', 'job_id'] },
    notCompared: { [ONLY_HERE]: ['run', 'input_refs', 'final_status', 'created_at'] },
  },
  trace_steps: {
    compared: { 'the run of the step': ['tenant_id', 'trace_id', 'job_id'] },
    notCompared: {
      [ONLY_HERE]: [
        'step_id',
        'run',
        'step_type',
        'status',
        'error_code',
        'guardrail_result',
        'started_at',
        'finished_at',
        'output',
      ],
    },
  },
  artifacts: {
    compared: {
      'the digest of the content': ['sha256', 'size_bytes', 'content'],
      'the job, the run and the step': ['tenant_id', 'artifact_id', 'job_id', 'trace_id', 'step_id'],
    },
    notCompared: { [ONLY_HERE]: ['kind', 'media_type', 'created_at'] },
  },
  scans: {
    compared: { 'the stored result, only its id and time': ['scan_id', 'created_at', 'result'] },
    notCompared: { [ONLY_HERE]: ['tenant_id'] },
  },
  ...DATA_REQUEST_COVERAGE,
  ...WEBHOOK_COVERAGE,
  ...NOTICE_COVERAGE,
  ...STATISTICS_COVERAGE,
  ...IDENTITY_COVERAGE,
  retention_overrides: {
    compared: {},
    notCompared: { [CHANGEABLE]: ['tenant_id', 'data_class', 'days'] },
  },
  saved_views: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: [
        'tenant_id',
        'view_id',
        'owner_type',
        'owner_id',
        'name',
        'page',
        'query',
        'shared',
        'created_at',
        'updated_at',
      ],
    },
  },
  indicator_heads: { compared: {}, notCompared: { [PASSING]: ['tenant_id', 'version', 'indicators'] } },
  indicator_sources: {
    compared: {},
    notCompared: {
      [PASSING]: [
        'tenant_id',
        'source',
        'import_id',
        'import_number',
        'kept_since',
        'swept_before',
        'imported',
        'indicators',
        'updated_at',
      ],
    },
  },
  indicators: {
    compared: {},
    notCompared: {
      'the next import of the source replaces it': [
        'tenant_id',
        'source',
        'type',
        'digest',
        'value',
        'category',
        'threat_type',
        'confidence',
        'label',
        'dual_use',
        'valid_from',
        'valid_until',
        'import_number',
      ],
    },
  },
};
