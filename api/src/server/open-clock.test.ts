import { pino } from 'pino';
import { expect, test } from 'vitest';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { watchStatements } from '#api/test/databases/watch-statements.ts';
import { readMetric } from '#api/test/read-metric.ts';
import { openClock } from './open-clock.ts';

interface Line {
  msg: string;
  err?: { message: string };
}

describeEachDatabase('the clock of a server', (db) => {
  /** A server whose clock is this far ahead of the database's. */
  async function open(aheadMs: number) {
    const clock = { aheadMs, perQuestionMs: 0 };
    const lines: Line[] = [];
    const { db: watched, failNext } = watchStatements(db());
    const opened = await openClock({
      db: watched,
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) }),
      now: () => Date.now() + (clock.aheadMs += clock.perQuestionMs),
    });
    const compare = async () => {
      for (const { run } of opened.jobs) await run(new AbortController().signal);
    };
    return { clock, compare, problem: opened.problem, said: () => lines.map(({ msg }) => msg), lines, failNext };
  }

  test.each([
    [300_000, "This server's clock is 300 s ahead of that of the database."],
    [-300_000, "This server's clock is 300 s behind that of the database."],
    [20_000, "This server's clock is 20 s ahead of that of the database."],
    [6000, "This server's clock is 6 s ahead of that of the database."],
    [-6000, "This server's clock is 6 s behind that of the database."],
    [4000, undefined],
    [-4000, undefined],
  ])('a clock %i ms ahead of that of PostgreSQL is reported as: %s', async (aheadMs, sentence) => {
    const { problem, lines } = await open(aheadMs);

    const expected = isSqlite(db()) ? undefined : sentence;
    expect(problem()).toBe(expected);
    expect(lines.map(({ err }) => err?.message)).toEqual(expected === undefined ? [] : [expected]);
  });

  test('a wrong clock is logged once, and makes the server not ready until it is corrected', async () => {
    const { clock, compare, problem, said } = await open(300_000);
    const api = await createTestApi({ clockProblem: problem });
    const readiness = async () => {
      const answer = await api.ask('/readyz');
      return { status: answer.status, said: await answer.text() };
    };
    if (isSqlite(db())) return expect(await readiness()).toEqual({ status: 200, said: 'ok' });

    await compare();
    expect(await readiness()).toMatchObject({ status: 503, said: expect.stringContaining('300 s ahead') as string });
    expect(await readMetric('site_clock_offset_seconds')).toBeCloseTo(300, 0);
    expect(said()).toEqual([expect.stringMatching(/^this server is not ready: its clock/)]);

    clock.aheadMs = 0;
    await compare();
    expect(await readiness()).toEqual({ status: 200, said: 'ok' });
    expect(said()).toHaveLength(2);
    expect(said()[1]).toMatch(/agree again$/);
  });

  test('the response time of the database does not count as clock skew', async () => {
    const { clock, compare, problem } = await open(-30_000);
    clock.aheadMs = -30_000;
    clock.perQuestionMs = 29_000;

    await compare();

    expect(problem()).toBeUndefined();
  });

  test('the last clock check stays valid during a database outage', async () => {
    const { clock, compare, problem, failNext } = await open(300_000);
    const before = problem();
    clock.aheadMs = 0;
    failNext(/ as at/, new Error('It is away.'));

    await compare();

    expect(problem()).toBe(before);
  });
});
