import type { Limits } from '#api/features/key-system/limits.ts';
import type { ExpiryRepository } from './expiry.repository.ts';

interface GiveBackOptions {
  expiry: ExpiryRepository;
  /** The name of this server, which no other one has. */
  instance: string;
  limits: Pick<Limits, 'checkingMs'>;
  at: number;
}

/** At a start: ends the checks that this server's own dead process held, as the sweeper would a minute or two later. */
export async function giveBackChecks({ expiry, instance, limits, at }: GiveBackOptions): Promise<void> {
  for (const runId of await expiry.listHeldBy(instance)) {
    await expiry.settle(runId, { at, claimedBefore: at - limits.checkingMs, startedAs: instance });
  }
}
