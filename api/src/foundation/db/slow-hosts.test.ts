import { expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { createWritableHost, type HostAnswer } from './writable-host.ts';

const HOSTS = ['postgres://one/site', 'postgres://two/site', 'postgres://three/site'];
const PRIMARY = { timeline: 1, isWritable: true };
const STANDBY = { timeline: 1, isWritable: false };
const PROMOTED = { timeline: 2, isWritable: true };

/** Looks among `HOSTS`, of which each answers after its time, in milliseconds; where it is missing, never. */
async function openSlow(delays: readonly (number | undefined)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: HostAnswer[] = [PRIMARY, STANDBY, STANDBY];
  const asked: string[] = [];
  let late: readonly (number | undefined)[] = [0, 0, 0];
  const host = createWritableHost(HOSTS, (url) => {
    asked.push(url);
    const nth = HOSTS.indexOf(url);
    const [answer, delay] = [answers[nth]!, late[nth]];
    return new Promise((resolve) => {
      if (delay !== undefined) setTimeout(() => resolve(answer), delay);
    });
  });
  const first = host.find();
  await vi.advanceTimersByTimeAsync(0);
  host.forget(await first);
  late = delays;
  return { host, answers, asked, delay: (next: readonly number[]) => void (late = next) };
}

test('a primary that is silent does not keep the promoted one waiting', async () => {
  const { host, answers } = await openSlow([undefined, 0, 0]);
  const before = host.find();
  const refused = expect(before).rejects.toThrow('one: no answer; two: it takes no writes');
  await vi.advanceTimersByTimeAsync(500);
  await refused;
  answers[1] = PROMOTED;

  await vi.advanceTimersByTimeAsync(250);
  const found = host.find();
  await vi.advanceTimersByTimeAsync(500);

  expect(await found).toBe(HOSTS[1]);
});

test('a primary that answers after the time-out of a search is found once it has answered', async () => {
  const { host } = await openSlow([900, 0, 0]);
  const refused = expect(host.find()).rejects.toThrow('one: no answer');
  await vi.advanceTimersByTimeAsync(500);
  await refused;

  await vi.advanceTimersByTimeAsync(400);

  expect(await host.find()).toBe(HOSTS[0]);
});

test('of two primaries the newer one is used as soon as it has answered, however late that is', async () => {
  const { host, answers } = await openSlow([0, 700, 0]);
  answers[1] = PROMOTED;
  const found = host.find();
  await vi.advanceTimersByTimeAsync(500);
  expect(await found).toBe(HOSTS[0]);

  await vi.advanceTimersByTimeAsync(200);
  const foundAgain = host.find();
  await vi.advanceTimersByTimeAsync(700);

  expect(await foundAgain).toBe(HOSTS[1]);
});

test('under constant requests a slow primary is found as well', async () => {
  const { host } = await openSlow([900, 0, 0]);
  const tries = async () => {
    for (let ms = 0; ms < 900; ms += 50) {
      host.find().catch(() => undefined);
      await vi.advanceTimersByTimeAsync(50);
    }
  };

  await tries();

  expect(await host.find()).toBe(HOSTS[0]);
});

test('an answer from before the loss of a host no longer counts', async () => {
  const { host, asked, delay } = await openSlow([600, 2000, 0]);
  const refused = expect(host.find()).rejects.toThrow(DatabaseUnavailable);
  await vi.advanceTimersByTimeAsync(750);
  await refused;
  delay([0, 0, 0]);
  const found = host.find();
  await vi.advanceTimersByTimeAsync(0);
  expect(await found).toBe(HOSTS[0]);

  host.forget(HOSTS[0]!);
  await vi.advanceTimersByTimeAsync(2000);
  const looked = asked.length;
  host.find().catch(() => undefined);

  expect(asked.length).toBeGreaterThan(looked);
});

test('a server that has just started waits for every host, so that it knows of a promotion', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: [HostAnswer, number][] = [
    [PRIMARY, 0],
    [PROMOTED, 1500],
    [STANDBY, 0],
  ];
  const host = createWritableHost(HOSTS, (url) => {
    const [answer, delay] = answers[HOSTS.indexOf(url)]!;
    return new Promise((resolve) => void setTimeout(() => resolve(answer), delay));
  });

  const found = host.find();
  await vi.advanceTimersByTimeAsync(1500);

  expect(await found).toBe(HOSTS[1]);
});
