import { createHash, timingSafeEqual } from 'node:crypto';
import { isUniqueViolation } from '#api/db/is-unique-violation.ts';
import type { AttemptRow } from '#api/db/schema.ts';
import { AppError } from '#api/http/app-error.ts';
import type { AttemptsRepository } from './attempts.repository.ts';
import type { CompletionService } from './completion.service.ts';
import type { RunsRepository } from './runs.repository.ts';

interface PostbackDeps {
  runs: RunsRepository;
  attempts: AttemptsRepository;
  completion: CompletionService;
  /** The word that only LootLabs and its panel know. */
  secret: () => string;
  now: () => number;
}

export interface Postback {
  secret: string;
  /** Our attempt. */
  clickId: string;
  /** The advertiser's name for the finished task. */
  uniqueId: string;
}

export type PostbackService = ReturnType<typeof createPostbackService>;

export function createPostbackService({ runs, attempts, completion, secret, now }: PostbackDeps) {
  /** The same call may come again, and must not count again. */
  async function note(id: string, uniqueId: string, at: number): Promise<AttemptRow | undefined> {
    try {
      return await attempts.notePostback(id, uniqueId, at);
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  return {
    /** Takes the advertiser's word that an attempt was finished, whether or not its visitor is back yet. */
    async receive({ secret: given, clickId, uniqueId }: Postback): Promise<void> {
      if (!isSame(given, secret())) throw new AppError('KS_PROOF');

      const known = await attempts.findById(clickId);
      if (known?.advertiserId !== 'lootlabs') throw new AppError('KS_TICKET');

      const at = now();
      // One that was noted before may have met a database that took the note and not the credit.
      const attempt = (await note(clickId, uniqueId, at)) ?? (known.providerRef === uniqueId ? known : undefined);
      // A return that is being checked at this moment finds the note itself.
      if (!attempt || attempt.state === 'checking' || attempt.notBefore > at) return;

      const run = await runs.find(attempt.runId);
      if (run) await completion.finish(attempt, run, attempt.providerRef, at);
    },
  };
}

function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
