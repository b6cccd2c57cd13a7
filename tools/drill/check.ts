import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/** @throws Error with what is wrong, when something is not as it should be */
export function check(isRight: boolean, wrong: string): void {
  if (!isRight) throw new Error(wrong);
}

/** Waits until something is as it should be. */
export async function until(isRight: () => Promise<boolean>, wrong: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isRight())) {
    check(Date.now() < end, wrong);
    await wait(PAUSE_MS);
  }
}
