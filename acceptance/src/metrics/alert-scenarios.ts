/**
 * Series that make an alert fire, in the syntax of `promtool test rules`. Each metric occurs in one scenario only, so all of them
 * can be evaluated together.
 */
export interface AlertScenario {
  /** Values by series, one per step. A service exports these series; only `up` is Prometheus' own. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes between two values (default: 1). Days take long to evaluate by the minute. */
  readonly stepMinutes?: 5;
  /** The minute at which it fires. It does not fire at first. */
  readonly firesAt: number;
}

const DAY = 24 * 60;
/** Steps of five minutes. */
const STEPS_A_DAY = DAY / 5;

export const ALERT_SCENARIOS: Readonly<Record<string, AlertScenario>> = {
  TpsDown: { series: { up: '1 1 0+0x10' }, firesAt: 8 },
  TpsComponentDown: { series: { 'tps_component_up{component="writer"}': '1 1 0+0x10' }, firesAt: 8 },
  TpsStoreUnavailable: { series: { tps_database_up: '1 1 0+0x10' }, firesAt: 8 },
  TpsWriterRestarted: { series: { tps_event_writer_restarts_total: '0 0 1+0x10' }, firesAt: 5 },
  TpsEventsNotStored: {
    series: { 'tps_events_refused_total{reason="unavailable"}': '0+6x30' },
    firesAt: 15,
  },
  TpsEventsRefused: {
    series: {
      'tps_events_refused_total{reason="invalid_signature"}': '0+10x60',
      'tps_events_accepted_total{result="stored"}': '0+100x60',
    },
    firesAt: 30,
  },
  TpsRateLimited: {
    series: { 'tps_http_errors_total{operation="getStatus",code="rate_limited"}': '0+90x60' },
    firesAt: 30,
  },
  TpsRequestsFailing: {
    series: {
      'tps_http_request_duration_seconds_count{operation="getReadiness",status="503"}': '0+3x60',
      'tps_http_request_duration_seconds_count{operation="submitEvent",status="201"}': '0+100x60',
    },
    firesAt: 30,
  },
  TpsFeedNotGrowing: {
    series: { tps_feed_head_positions: `0+1x${STEPS_A_DAY} ${STEPS_A_DAY}+0x50` },
    stepMinutes: 5,
    firesAt: DAY + 200,
  },
  TpsDevicesSilent: {
    series: { 'tps_devices{state="online"}': `30+0x${STEPS_A_DAY} 14+0x20` },
    stepMinutes: 5,
    firesAt: DAY + 60,
  },
  TpsDeliveriesLate: { series: { tps_webhook_queue_oldest_age_seconds: '0+60x60' }, firesAt: 30 },
  TpsDeadLettersRising: {
    series: { 'tps_webhook_attempt_duration_seconds_count{outcome="failed"}': '0+1x60' },
    firesAt: 30,
  },
  TpsJobsStuck: { series: { tps_jobs_oldest_due_age_seconds: '0+60x60' }, firesAt: 30 },
  TpsDatabaseSlow: {
    series: {
      'tps_database_transaction_duration_seconds_bucket{le="1",outcome="committed"}': '0+90x60',
      'tps_database_transaction_duration_seconds_bucket{le="2.5",outcome="committed"}': '0+100x60',
      'tps_database_transaction_duration_seconds_bucket{le="+Inf",outcome="committed"}': '0+100x60',
    },
    firesAt: 30,
  },
  TpsDatabaseConnectionsExhausted: {
    series: {
      tps_database_connections_in_use: '1 10+0x30',
      tps_database_connections_limit: '10+0x30',
      tps_database_connections_waiting: '0 3+0x30',
    },
    firesAt: 10,
  },
  TpsDiskFull: {
    series: { tps_database_disk_free_bytes: '50 9+0x30', tps_database_disk_size_bytes: '100+0x30' },
    firesAt: 15,
  },
  TpsCertificateEnding: {
    series: { tps_tls_certificate_expiry_timestamp_seconds: `${15 * 86_400}+0x400` },
    stepMinutes: 5,
    firesAt: DAY + 30,
  },
  TpsBackupOld: {
    series: { tps_backup_last_success_timestamp_seconds: '60+0x500' },
    stepMinutes: 5,
    firesAt: 36 * 60 + 90,
  },
  TpsRetentionNotRunning: {
    series: { 'tps_maintenance_last_success_timestamp_seconds{task="purge"}': '60+0x300' },
    firesAt: 240,
  },
  TpsMetricsOld: { series: { 'tps_sample_timestamp_seconds{sample="devices"}': '60+0x100' }, firesAt: 40 },
};
