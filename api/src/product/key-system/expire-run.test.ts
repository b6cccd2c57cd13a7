import { expect, test } from 'vitest';
import { insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { expireRun } from './sweep-runs.ts';
import { createRunsRepository } from './runs.repository.ts';

describeEachDatabase('what is over', (db) => {
  test('ends at the end of its time and not before, the run like its ticket', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    const endAt = (at: number) => expireRun({ db: db() }, run.id, { at, claimedBefore: T0 - 1 });
    const states = async () => [
      (await createRunsRepository(db()).find(run.id))?.state,
      (await createAttemptsRepository(db()).findById(attempt.id))?.state,
    ];

    await endAt(attempt.expiresAt - 1);
    expect(await states()).toEqual(['open', 'issued']);
    await endAt(attempt.expiresAt);
    expect(await states()).toEqual(['open', 'expired']);
    await endAt(run.expiresAt - 1);
    expect(await states()).toEqual(['open', 'expired']);
    await endAt(run.expiresAt);
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'expired', updatedAt: run.expiresAt });
  });
});
