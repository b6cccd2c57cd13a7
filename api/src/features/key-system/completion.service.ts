import type { AttemptRow, NewKey, RunRow } from '#api/db/schema.ts';
import { isUniqueViolation } from '#api/db/is-unique-violation.ts';
import type { KeysService } from '#api/features/keys/keys.service.ts';
import type { AppsRepository } from './apps.repository.ts';
import type { RunsRepository } from './runs.repository.ts';
import type { KeySubjectCipher } from './key-subject-cipher.ts';

interface CompletionDeps {
  apps: AppsRepository;
  runs: RunsRepository;
  keys: KeysService;
  subjectCipher: KeySubjectCipher;
}

export type CompletionService = ReturnType<typeof createCompletionService>;

/** Turns a confirmed attempt into credit. A return and an advertiser's call both end here. */
export function createCompletionService({ apps, runs, keys, subjectCipher }: CompletionDeps) {
  async function prepareKey({ id: runId, appId, deviceId, sealedSubject }: RunRow, at: number): Promise<NewKey> {
    const { keyTtlMs } = await apps.get(appId);
    return keys.prepare({
      appId,
      deviceId,
      runId,
      subject: subjectCipher.open(runId, sealedSubject),
      at,
      ttlMs: keyTtlMs,
    });
  }

  return {
    /**
     * Gives the run as it goes on; undefined when the step was credited already, or the run is over; 'reused' when the proof was spent before.
     * @param providerRef what names the proof; null when the attempt holds it already, or it has no name
     */
    async finish(
      attempt: AttemptRow,
      run: RunRow,
      providerRef: string | null,
      at: number,
    ): Promise<RunRow | undefined | 'reused'> {
      const key = attempt.step === run.stepsRequired ? await prepareKey(run, at) : undefined;
      try {
        return await runs.finishStep({ attempt, run, providerRef, key, at });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        return 'reused';
      }
    },
  };
}
