import { HISTORY, table, tablesOf } from './table.ts';

export const INCIDENTS_TABLES = tablesOf('incidents', {
  /** Groups of related alerts that a person handles. */
  incidents: table({
    key: ['tenant_id', 'incident_id'],
    columns: {
      tenant_id: 'text',
      incident_id: 'text',
      category: 'text',
      /** What its events have in common: a device or an indicator. */
      correlation_key: 'text',
      severity: 'text',
      status: 'text',
      message: 'text',
      resolution: 'text or null',
      assignee: 'text or null',
      /** JSON array. */
      tags: 'json',
      version: 'integer',
      created_at: 'time',
      updated_at: 'time',
      /** `timestamp` of the newest event that joined. */
      last_event_at: 'time',
      /** When a person first assigned it or changed its status. */
      acknowledged_at: 'time or null',
      /** When it was last resolved or closed. */
      resolved_at: 'time or null',
      /** When it was resolved or closed for the first time. Not cleared when it is opened again. */
      first_resolved_at: 'time or null',
    },
    verify: {
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
      notCompared: 'settings decide how many events joined; it is not below that of the audit log',
    },
  }),
  /** The alerts, threats and devices of an incident. */
  incident_members: table({
    key: ['tenant_id', 'incident_id', 'kind', 'member_id'],
    columns: {
      tenant_id: 'text',
      incident_id: 'text',
      /** alert, threat or device. */
      kind: 'text',
      member_id: 'text',
    },
    verify: {
      compared: {
        'the incident, its alerts and its threats': ['tenant_id', 'incident_id', 'kind', 'member_id'],
      },
    },
  }),
  /** Timeline entries of an incident, except alerts that joined: those are in `incident_members`. */
  incident_timeline: table({
    key: ['tenant_id', 'incident_id', 'entry_id'],
    columns: {
      tenant_id: 'text',
      incident_id: 'text',
      entry_id: 'text',
      at: 'time',
      kind: 'text',
      actor: 'text',
      message: 'text',
      /** What a person wrote. `message` repeats it. */
      comment: 'text or null',
    },
    verify: {
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
    },
    creator: HISTORY,
  }),
});
