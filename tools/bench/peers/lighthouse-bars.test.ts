import { expect, test } from 'vitest';
import { judgeReports, slowdownOf, type Report } from './lighthouse-bars.ts';

const PASSED = { score: 1, scoreDisplayMode: 'binary' };

function reportOf(scores: Record<string, number | null>, audits: Report['audits'] = {}): Report {
  const category = (name: string, audit: string) => ({
    score: scores[name] === undefined ? 1 : scores[name],
    auditRefs: [{ id: audit, weight: 1 }],
  });
  return {
    environment: { benchmarkIndex: 1000 },
    categories: {
      performance: category('performance', 'total-blocking-time'),
      accessibility: category('accessibility', 'color-contrast'),
      'best-practices': category('best-practices', 'errors-in-console'),
      seo: { score: scores['seo'] ?? 1, auditRefs: [{ id: 'canonical', weight: 0 }] },
    },
    audits: { 'total-blocking-time': PASSED, 'color-contrast': PASSED, 'errors-in-console': PASSED, ...audits },
  };
}

test('a page that reaches all bars shows its points', () => {
  expect(judgeReports('/v5', [reportOf({ performance: 0.95 })])).toEqual({
    path: '/v5',
    performance: 95,
    accessibility: 100,
    'best-practices': 100,
    seo: 100,
    failed: '',
    verdict: 'held',
  });
});

test.each([
  ['performance', 0.94],
  ['accessibility', 0.99],
  ['best-practices', 0.99],
  ['seo', 0.99],
  ['accessibility', null],
])('a page whose %s is %d misses its bar', (category, score) => {
  expect(judgeReports('/v5', [reportOf({ [category]: score })])).toMatchObject({ verdict: 'missed' });
});

test('the median of the reports decides, not a single slow one', () => {
  const reports = [0.2, 0.96, 0.97].map((performance) => reportOf({ performance }));
  expect(judgeReports('/v5', reports)).toMatchObject({ performance: 96, verdict: 'held' });
});

test('an audit is named once that lowered a score or could not be done', () => {
  const failing = reportOf(
    {},
    {
      'total-blocking-time': { score: 0.89, scoreDisplayMode: 'numeric' },
      'color-contrast': { score: 0, scoreDisplayMode: 'binary' },
      'errors-in-console': { score: null, scoreDisplayMode: 'error' },
    },
  );
  expect(judgeReports('/v5', [failing, failing])).toMatchObject({
    failed: 'total-blocking-time, color-contrast, errors-in-console',
  });
});

test('an audit is not named that is good enough, does not apply or has no weight', () => {
  const report = reportOf(
    {},
    {
      'total-blocking-time': { score: 0.9, scoreDisplayMode: 'numeric' },
      'color-contrast': { score: null, scoreDisplayMode: 'notApplicable' },
      canonical: { score: 0, scoreDisplayMode: 'binary' },
    },
  );
  expect(judgeReports('/v5', [report])).toMatchObject({ failed: '' });
});

test.each([
  [150, 1],
  [475, 1.5],
  [800, 2],
  [1533, 4],
  [2700, 9],
])('a machine of %d points is slowed down %d times', (index, slowdown) => {
  expect(slowdownOf(index)).toBe(slowdown);
});

test('a machine that is slower than the phone cannot play it', () => {
  expect(() => slowdownOf(149)).toThrow('A machine of 149 points is slower than the phone');
});
