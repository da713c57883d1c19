import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ALERT_SCENARIOS } from './alert-scenarios.ts';
import { PROMTOOL_PROBLEM, runPromtool, runPromtoolOn } from './promtool.ts';
import { baseNames, type Scrape, type Series, toLabels, useScrapes } from './scrape.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RULES_FILE = join(ROOT, 'deploy/prometheus/rules.yml');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const scrapes = useScrapes();

/** All metrics: those that only a service with TLS has, and labels that exist only after use. */
function exportedMetrics(): Scrape['metrics'] {
  return new Map([...scrapes.started.metrics, ...scrapes.used.metrics]);
}

/** The names of all series that a service can export. */
function exportedNames(): Set<string> {
  return new Set([...exportedMetrics()].flatMap(([name, { type }]) => baseNames(name, type)));
}

/** The names of metrics in an expression. */
function namesIn(expression: string): string[] {
  return expression.match(/\b(?:tps|process|nodejs)_\w+/g) ?? [];
}

/** A test that is skipped where promtool is missing, or fails if `REQUIRE_PROMTOOL` is 1. */
function withPromtool(title: string, work: () => void): void {
  test(title, ({ skip }) => {
    if (PROMTOOL_PROBLEM !== undefined && process.env.REQUIRE_PROMTOOL === '1')
      throw new Error(PROMTOOL_PROBLEM);
    if (PROMTOOL_PROBLEM !== undefined) skip(PROMTOOL_PROBLEM);
    work();
  });
}

interface Words {
  readonly base_units: readonly string[];
  readonly target_labels: readonly string[];
  readonly operator: { readonly target_labels: readonly string[] };
}
const WORDS = JSON.parse(read('acceptance/src/metrics/prometheus-words.json')) as Words;
/** What Prometheus and its operator add to each series. A label of these names would lose its name to theirs. */
const TARGET_LABELS = [...WORDS.target_labels, ...WORDS.operator.target_labels];

/** Returns what is wrong with the name and the labels of a metric beyond what promtool reports. */
function findNamingFaults(name: string, { type, labels }: { type: string; labels: readonly string[] }) {
  const isUnit = (word: string) => WORDS.base_units.includes(word);
  const words = name.replace(/_total$/, '').split('_');
  return [
    ...(/^(?:tps|process|nodejs)(?:_[a-z0-9]+)+$/.test(name) ? [] : [`${name}: prefix or form`]),
    ...(words.slice(0, -1).some(isUnit) ? [`${name}: its unit is not at the end`] : []),
    ...(type === 'histogram' && !isUnit(words.at(-1) ?? '') ? [`${name}: a histogram without a unit`] : []),
    ...labels
      .filter((label) => TARGET_LABELS.includes(label) || !/^[a-z]+(?:_[a-z]+)*$/.test(label))
      .map((label) => `${name}: label ${label}`),
  ];
}

/** Labels of metrics that may have no series: no connection was ended, and no garbage collected. */
const RARE_LABELS: Readonly<Record<string, string[]>> = {
  tps_http_connections_ended_total: ['reason'],
  nodejs_gc_duration_seconds: ['kind'],
};

describe('the metrics', () => {
  withPromtool('pass promtool check metrics', () => {
    for (const { text } of [scrapes.started, scrapes.used]) {
      expect(runPromtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
    }
  });

  test('have names and labels as Prometheus recommends, and none that it adds itself', () => {
    const faults = [...exportedMetrics()].flatMap(([name, metric]) => findNamingFaults(name, metric));
    expect(faults).toEqual([]);
  });

  test.each([
    ['http_requests_total', 'counter', [], 'prefix or form'],
    ['tps_seconds_waiting', 'gauge', [], 'its unit is not at the end'],
    ['tps_scan_duration', 'histogram', [], 'a histogram without a unit'],
    ['tps_jobs_pending', 'gauge', ['job'], 'label job'],
    ['tps_jobs_pending', 'gauge', ['pod'], 'label pod'],
    ['tps_jobs_pending', 'gauge', ['__name'], 'label __name'],
  ])('with the name %s as a %s with the labels %j would have a fault', (name, type, labels, fault) => {
    expect(findNamingFaults(name, { type, labels })).toEqual([`${name}: ${fault}`]);
  });

  test('are those that docs/metrics.md lists, with their types and labels', () => {
    const rows = [...read('docs/metrics.md').matchAll(/^\| *`(\w+)` *\| *(\w+) *\| *(.*?) *\|/gm)];
    const listed = rows.map(([, name, type, labels = '']) => ({ name, type, labels: namesOf(labels) }));
    const exported = [...exportedMetrics()].map(([name, { type, labels }]) => ({
      name,
      type,
      labels: labels.toSorted(),
    }));
    for (const metric of exported) {
      if (metric.labels.length === 0) metric.labels = RARE_LABELS[metric.name] ?? [];
    }
    const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
      String(one.name).localeCompare(String(other.name));
    expect(listed.sort(byName)).toEqual(exported.sort(byName));
  });
});

function namesOf(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
}

describe('the alerts', () => {
  const rules = read('deploy/prometheus/rules.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  const alerts = rules.map((rule) => ({ name: rule.split('\n', 1)[0] ?? '', rule }));

  withPromtool('pass promtool check rules', () => {
    const { status, output } = runPromtool(['check', 'rules', RULES_FILE]);
    expect(output).toContain(`SUCCESS: ${alerts.length} rules found`);
    expect(status).toBe(0);
  });

  test('have a severity, a summary, a description and a section of the runbook each', () => {
    const sections = [...read('docs/alerts.md').matchAll(/^## (Tps\w+)$/gm)].map(([, name]) => name);
    expect(alerts.map(({ name }) => name)).toEqual(sections);
    for (const { name, rule } of alerts) {
      expect(rule, name).toMatch(/severity: (?:critical|warning) /);
      expect(rule, name).toMatch(/summary: \S/);
      expect(rule, name).toMatch(/description: \S/);
      expect(rule, name).toContain(`runbook_url: docs/alerts.md#${name.toLowerCase()}\n`);
    }
  });

  test('use only metrics that a service exports', () => {
    const names = exportedNames();
    for (const { name, rule } of alerts) {
      const used = namesIn(/expr:([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? '');
      expect(used.length > 0 || name === 'TpsDown', name).toBe(true);
      expect(
        used.filter((metric) => !names.has(metric)),
        name,
      ).toEqual([]);
    }
  });

  test('fire on series that a service exports', () => {
    expect(Object.keys(ALERT_SCENARIOS)).toEqual(alerts.map(({ name }) => name));
    const exported = [...scrapes.started.series, ...scrapes.used.series];
    const used = Object.values(ALERT_SCENARIOS).flatMap(({ series }) => Object.keys(series));
    const missing = used.filter((text) => text !== 'up' && !isExported(text, exported));
    expect(missing).toEqual([]);
  });

  withPromtool('each fire once their condition holds, and not before', () => {
    for (const stepMinutes of [1, 5]) {
      const scenarios = Object.entries(ALERT_SCENARIOS).filter(
        ([, scenario]) => (scenario.stepMinutes ?? 1) === stepMinutes,
      );
      const series = scenarios.flatMap(([, scenario]) => Object.entries(scenario.series));
      const tested = testRules(stepMinutes, {
        input_series: series.map(([text, values]) => ({ series: asScraped(text), values })),
        promql_expr_test: scenarios.flatMap(([alert, { firesAt }]) => [
          { expr: countFiring(alert), eval_time: '0m', exp_samples: [] },
          { expr: countFiring(alert), eval_time: `${firesAt}m`, exp_samples: [{ labels: '{}', value: 1 }] },
        ]),
      });
      expect(tested).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
    }
  });

  withPromtool('do not fire for a service that works, except while it has no backup', () => {
    const withoutBackup = { labels: '{alertname="TpsBackupOld"}', value: 1 };
    const expected = [
      { scrape: scrapes.started, firing: [withoutBackup] },
      { scrape: scrapes.used, firing: [] },
    ];
    for (const { scrape, firing } of expected) {
      const tested = testRules(1, {
        input_series: [
          { series: 'up{job="tps",instance="a"}', values: `1+0x${MINUTES}` },
          ...toConstant(scrape),
        ],
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: `${MINUTES}m`,
            exp_samples: firing,
          },
        ],
      });
      expect(tested).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
    }
  });
});

/** For how long a scrape is repeated: longer than any alert waits. */
const MINUTES = 75;

function testRules(stepMinutes: number, content: object) {
  const interval = `${stepMinutes}m`;
  const tests = [{ interval, ...content }];
  return runPromtoolOn(['test', 'rules'], { rule_files: [RULES_FILE], evaluation_interval: interval, tests });
}

function countFiring(alert: string): string {
  return `count(ALERTS{alertname="${alert}", alertstate="firing"})`;
}

/** Adds the labels that Prometheus adds. */
function asScraped(series: string): string {
  const [name, labels = ''] = series.split(/[{}]/);
  return `${name}{${[labels, 'job="tps"', 'instance="a"'].filter(Boolean).join(',')}}`;
}

/** Whether a service exports the metric with these labels. Labels of requests and errors have the value of any request. */
function isExported(text: string, exported: readonly Series[]): boolean {
  const [name, labels = ''] = text.split(/[{}]/);
  const wanted = toLabels(labels);
  const isOpen = (label: string) => ['operation', 'code', 'status', 'reason'].includes(label);
  return exported.some(
    (series) =>
      series.name === name &&
      Object.keys(series.labels).length === Object.keys(wanted).length &&
      Object.entries(wanted).every(([label, value]) =>
        isOpen(label) ? label in series.labels : series.labels[label] === value,
      ),
  );
}

/** The series of a scrape, unchanged for 75 minutes. In promtool, time begins at 0: times keep their distance from it. */
function toConstant({ series, takenAt }: Scrape) {
  return series.map(({ name, labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    const isTime =
      (name.endsWith('_timestamp_seconds') || name === 'process_start_time_seconds') && value > 0;
    const values = isTime ? `${value - takenAt}+60x${MINUTES}` : `${value}+0x${MINUTES}`;
    return { series: asScraped(`${name}{${pairs.join(',')}}`), values };
  });
}

describe('the dashboard', () => {
  const dashboard = JSON.parse(read('deploy/grafana/tps.json')) as Dashboard;
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const expressions = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  );

  test('has panels with a title, a description, a unit and a place of their own', () => {
    expect(panels.length).toBeGreaterThan(15);
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { title, description, fieldConfig, targets } of panels) {
      expect(title).toMatch(/\S/);
      expect(description, title).toMatch(/\S/);
      expect(fieldConfig?.defaults.unit, title).toMatch(/\S/);
      expect(targets?.length, title).toBeGreaterThan(0);
    }
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  test('shows only metrics that a service exports', () => {
    const names = exportedNames();
    for (const { title, expr } of expressions) {
      expect(namesIn(expr).length, title).toBeGreaterThan(0);
      expect(
        namesIn(expr).filter((name) => !names.has(name)),
        title,
      ).toEqual([]);
    }
  });

  withPromtool('has expressions that promtool parses', () => {
    const toPlain = (expr: string) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance)\b/g, 'tps');
    const rules = expressions.map(({ expr }, index) => ({ record: `panel:${index}`, expr: toPlain(expr) }));
    const { status, output } = runPromtoolOn(['check', 'rules'], { groups: [{ name: 'panels', rules }] });
    expect(output).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(status).toBe(0);
  });
});

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
