import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createOutageLog } from './background-job.ts';

test('of failures in a row the first is logged, with its error, and the success after them', async () => {
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const attempt = createOutageLog(log, { away: 'it is away', back: 'it is back' });
  const succeed = () => attempt(() => Promise.resolve());
  const fail = (why: string) => attempt(() => Promise.reject(new Error(why)));

  await succeed();
  for (const why of ['first', 'second', 'third']) await fail(why);
  await succeed();
  await succeed();
  await fail('again');

  expect(lines.map(({ level, msg, err }) => [level, msg, err?.message])).toEqual([
    [40, 'it is away', 'first'],
    [30, 'it is back', undefined],
    [40, 'it is away', 'again'],
  ]);
});
