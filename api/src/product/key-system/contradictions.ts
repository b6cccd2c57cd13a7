import { RESET_WINDOW_MS } from '#api/product/licences/next-reset.ts';
import type { Limits } from './limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a reset of devices counts. */
const RESET_WINDOW = { name: 'the 30 days in which resets are counted', value: RESET_WINDOW_MS };

interface Measure {
  name: string;
  value: number;
}

/**
 * Finds limits that contradict each other.
 * @returns a sentence for each pair in which a number is above one that it must not exceed
 */
export function findContradictions(limits: Limits): string[] {
  const { strikes, retentionDays, networkStartsPerHour: network } = limits;
  const of = (
    name:
      | 'renewalMs'
      | 'ticketMs'
      | 'runIdleMs'
      | 'runMaxMs'
      | 'captchaPassMs'
      | 'checkingMs'
      | 'liveAttemptsPerStep'
      | 'attemptsPerHour'
      | 'attemptsOfAllPerHour'
      | 'resetPauseMs',
  ): Measure => ({ name, value: limits[name] });
  const kept = (name: 'attempts' | 'runs' | 'strikes' | 'captchaPasses' | 'resetRequests'): Measure => ({
    name: `retentionDays.${name}`,
    value: retentionDays[name] * DAY_MS,
  });

  const ordered: readonly (readonly [Measure, Measure])[] = [
    [of('checkingMs'), of('ticketMs')],
    [of('ticketMs'), of('runIdleMs')],
    [of('runIdleMs'), of('runMaxMs')],
    [of('renewalMs'), { name: 'the 24 hours of a key', value: DAY_MS }],
    [of('liveAttemptsPerStep'), of('attemptsPerHour')],
    [of('attemptsPerHour'), of('attemptsOfAllPerHour')],
    [
      { name: 'networkStartsPerHour.soft', value: network.soft },
      { name: 'networkStartsPerHour.hard', value: network.hard },
    ],
    [
      { name: 'strikes.short.from', value: strikes.short.from },
      { name: 'strikes.long.from', value: strikes.long.from },
    ],
    [
      { name: 'strikes.short.waitMs', value: strikes.short.waitMs },
      { name: 'strikes.long.waitMs', value: strikes.long.waitMs },
    ],
    [of('resetPauseMs'), RESET_WINDOW],
    // Rows that a limit still counts must not be deleted.
    [of('runMaxMs'), kept('attempts')],
    [of('runMaxMs'), kept('runs')],
    [of('captchaPassMs'), kept('captchaPasses')],
    [RESET_WINDOW, kept('resetRequests')],
    [{ name: 'strikes.windowMs', value: strikes.windowMs }, kept('strikes')],
  ];
  return ordered
    .filter(([less, more]) => less.value > more.value)
    .map(([less, more]) => `${less.name} must not be above ${more.name}`);
}
