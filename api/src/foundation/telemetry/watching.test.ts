import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createMetricsServer } from '#api/server/metrics-server.ts';
import '#api/foundation/db/postgres.ts';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; runbook_url: string };
}

interface Board {
  panels: { targets?: { expr: string }[] }[];
  templating: { list: { query: string }[] };
}

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const board = JSON.parse(read('deploy/grafana.json')) as Board;
const alerts = (parse(read('deploy/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const guide = read('docs/operations.md');

/** The metrics that a server gives, by the names that queries use, each with the name in its definition. */
async function scrape(): Promise<Map<string, string>> {
  const server = createMetricsServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/metrics`);
  const definitions = [...(await answer.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Map(
    definitions.flatMap(([, name = '', type]) =>
      (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((end) => [`${name}${end}`, name] as const),
    ),
  );
}

/** What a server counts from its start on: each sample, as `name{label="value"}`. */
async function listFromTheStart(): Promise<string[]> {
  // All tests of this process count into the same registry, so this one is as new as that of a server that starts.
  vi.resetModules();
  const { registry } = await import('./metrics.ts');
  return [...(await registry.metrics()).matchAll(/^(\w+\{.*\}) \S+$/gm)].map(([, sample = '']) => sample);
}

/** The metrics that an expression of PromQL asks for: its names that are no function, label, word or text. */
function listMetrics(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, '').replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ');
  const names = [...bare.matchAll(/(?<![\w.$])([a-z_]\w*)\b(?! *\()/gi)].map(([, name = '']) => name);
  return names.filter((name) => !/^(and|or|unless|by)$/.test(name));
}

test('metric names are found in an expression', () => {
  expect(listMetrics('sum by (le) (rate(a_bucket{b="c_total"}[5m])) / d_e > 0.5 unless f[1h] == 1')).toEqual([
    'a_bucket',
    'd_e',
    'f',
  ]);
});

test('each metric on the dashboard is exported by a server', async () => {
  const given = await scrape();
  const variables = board.templating.list.flatMap(({ query }) => /label_values\((\w+),/.exec(query)?.[1] ?? []);
  const asked = board.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => listMetrics(expr)));

  expect(asked.length).toBeGreaterThan(20);
  expect([...variables, ...asked].filter((name) => !given.has(name))).toEqual([]);
});

test('each alert uses exported metrics, and says what to do', async () => {
  const given = await scrape();
  const chapters = [...guide.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  );

  for (const { alert, expr, labels, annotations } of alerts) {
    // Prometheus itself makes `up`.
    expect([alert, listMetrics(expr).filter((name) => name !== 'up' && !given.has(name))]).toEqual([alert, []]);
    expect(labels.severity).toMatch(/^(page|ticket)$/);
    expect([alert, annotations.action]).toEqual([alert, expect.stringMatching(/^[A-Z].*\.$/)]);
    const [page, chapter] = annotations.runbook_url.split('#');
    expect([alert, page, chapters]).toEqual([alert, 'docs/operations.md', expect.arrayContaining([chapter])]);
  }
});

test('counters whose increase an alert uses are exported from the start, with the alert’s labels', async () => {
  const given = await listFromTheStart();
  const asked = alerts.flatMap(({ expr }) =>
    [...expr.matchAll(/increase\((\w+\{[^}]*\})\[/g)].map(([, selector = '']) => selector),
  );

  expect(asked).toContain('site_events_total{kind="channel",code="halted"}');
  expect(asked.filter((selector) => !given.includes(selector))).toEqual([]);
});
