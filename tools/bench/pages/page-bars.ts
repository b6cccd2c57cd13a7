import type { Row } from '../measure/table.ts';
import type { Load } from './measure-load.ts';

/** What is measured beside each other. */
export type Variant = 'ours' | 'client' | 'bundle' | 'floor';
/** The medians of each variant. */
export type Medians = Record<Variant, Load>;

interface Bar {
  measure: keyof Load;
  visit: 'first' | 'second';
  /** What ours is divided by; a figure is a limit as it stands. */
  by?: Exclude<Variant, 'ours'>;
  limit: number;
  /** The pages that it holds for; by default all. */
  paths?: readonly string[];
}

const BARS: readonly Bar[] = [
  { measure: 'lcpMs', visit: 'first', by: 'client', limit: 0.55 },
  { measure: 'lcpMs', visit: 'first', by: 'floor', limit: 1.2 },
  { measure: 'worksMs', visit: 'first', by: 'client', limit: 0.95 },
  { measure: 'worksMs', visit: 'second', by: 'client', limit: 1 },
  { measure: 'clickMs', visit: 'first', by: 'client', limit: 1.05 },
  { measure: 'clickMs', visit: 'first', by: 'bundle', limit: 1.15 },
  { measure: 'stepMs', visit: 'first', by: 'client', limit: 0.9 },
  { measure: 'stepMs', visit: 'second', by: 'client', limit: 1 },
  { measure: 'tbtMs', visit: 'first', by: 'client', limit: 0.6, paths: ['/v5'] },
  { measure: 'tbtMs', visit: 'first', by: 'client', limit: 0.8, paths: ['/key-system-1'] },
  { measure: 'longestTaskMs', visit: 'first', by: 'client', limit: 1, paths: ['/v5', '/key-system-1'] },
  { measure: 'jsBeforePaintKb', visit: 'first', limit: 0 },
  { measure: 'jsUntilWorksKb', visit: 'first', limit: 110 },
  { measure: 'jsUntilWorksKb', visit: 'first', by: 'bundle', limit: 1.05 },
  { measure: 'cls', visit: 'first', limit: 0.01 },
];

/** Makes a row for each bar of a page: what was measured, and whether the bar was reached. */
export function judgePage(path: string, visit: Bar['visit'], medians: Medians): Row[] {
  return BARS.filter((bar) => bar.visit === visit && (bar.paths?.includes(path) ?? true)).flatMap(
    ({ measure, by, limit }) => {
      const found = medians.ours[measure] / (by ? medians[by][measure] : 1);
      // Only a page of a run shows a step.
      if (Number.isNaN(found)) return [];
      return [
        { path, visit, measure, beside: by ?? '', found, bar: limit, verdict: found <= limit ? 'kept' : 'missed' },
      ];
    },
  );
}
