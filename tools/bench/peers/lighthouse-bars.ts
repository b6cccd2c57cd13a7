import { median } from '../measure/median.ts';
import type { Row } from '../measure/table.ts';

/** What is read of a report of Lighthouse. Scores are between 0 and 1; null where there is nothing to judge. */
export interface Report {
  /** `benchmarkIndex` is how fast Lighthouse found this machine. */
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; scoreDisplayMode: string }>;
}

/** The lowest allowed score of each category, in points out of 100. */
const BARS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof BARS;

/** Below this, Lighthouse no longer shows a measure of speed in green. */
const GOOD = 0.9;

/**
 * How much Lighthouse has to slow down this machine to play a phone of the middle class, as its calculator says
 * (https://lighthouse-cpu-throttling-calculator.vercel.app). By itself it takes 4 times, which is right for a fast desktop.
 * @param index how fast Lighthouse found this machine
 * @throws Error when this machine is slower than the phone
 */
export function slowdownOf(index: number): number {
  if (index < 150) throw new Error(`A machine of ${index} points is slower than the phone that Lighthouse plays.`);

  const slowdown =
    index < 800 ? 1 + (index - 150) / 650 : index < 1300 ? 2 + (index - 800) / 500 : 3 + (index - 1300) / 233;
  return Number(slowdown.toFixed(1));
}

/**
 * Makes a row of the table from the reports of a page: the median points of each category, whether all bars were
 * reached, and the audits that lowered a score in any of the reports.
 */
export function judgeReports(path: string, reports: readonly Report[]): Row {
  const categories = Object.keys(BARS) as Category[];
  const points = Object.fromEntries(
    categories.map((category) => [category, median(reports.map((report) => pointsOf(report, category)))]),
  ) as Record<Category, number>;
  const failed = new Set(reports.flatMap((report) => categories.flatMap((category) => failedAudits(report, category))));
  return {
    path,
    ...points,
    failed: [...failed].join(', '),
    verdict: categories.every((category) => points[category] >= BARS[category]) ? 'held' : 'missed',
  };
}

/** Without a score, an audit of the category could not be done: no points. */
function pointsOf({ categories }: Report, category: Category): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

function failedAudits({ categories, audits }: Report, category: Category): string[] {
  const good = category === 'performance' ? GOOD : 1;
  return (categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => {
      const audit = audits[id];
      if (weight === 0 || !audit) return false;
      return audit.scoreDisplayMode === 'error' || (audit.score !== null && audit.score < good);
    })
    .map(({ id }) => id);
}
