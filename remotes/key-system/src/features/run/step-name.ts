import { t } from '../../words.ts';

const NAMES = ['step.first', 'step.second', 'step.third', 'step.fourth', 'step.fifth', 'step.sixth'] as const;

/** The name of a step, such as `Fourth step`. */
export function stepName(step: number): string {
  return t(NAMES[step - 1] ?? 'step.other', { step });
}
