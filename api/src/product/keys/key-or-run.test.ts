import type { KeyFinding } from '@app/contracts/app-calls';
import express from 'express';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createRateLimiter } from '#api/foundation/http/rate-limit.ts';
import { listen } from '#api/test/listen.ts';
import { createFindKey, keysRoutes } from './keys.routes.ts';
import type { KeysService } from './keys.service.ts';

const KEY = { jti: 'one', jws: 'a.b.c', expiresAt: 2000, fetchedAt: 500 };
const IN_PROGRESS: KeyFinding = { status: 'in_progress', step: 2, of: 6 };

type Found = Awaited<ReturnType<KeysService['findActive']>>;

/**
 * Asks for a key. The device has this key of a run, or this one of a plan; without one this is to be told. Gives status,
 * answer, and whether an app that prefers to wait would.
 */
async function ask(key: Found, without: KeyFinding, planKey?: typeof KEY): Promise<[number, unknown, boolean]> {
  let isAwaited = false;
  const findActive = () => Promise.resolve(key);
  const routes = keysRoutes({
    requireApp: () => Promise.resolve(),
    keys: {} as KeysService,
    findKey: createFindKey({
      keys: { findActive },
      findPlanKey: () => Promise.resolve(planKey),
      onFirstFetch: (jti) => expect.fail(`${jti} was fetched before`),
      findProgress: () => Promise.resolve({ hasPlan: planKey !== undefined, hasKey: key !== undefined, without }),
    }),
    async waitForChange(_req, _res, { read, isAwaiting }) {
      const answer = await read();
      isAwaited = isAwaiting(answer);
      return answer;
    },
    limitKeys: (_req, _res, next) => next(),
    readIdentity: () => ({ browser: undefined, networks: ['today', 'yesterday'] }) as never,
    limits: DEFAULT_LIMITS,
    limiter: createRateLimiter({ now: () => 1000, trustedHops: 0 }),
    now: () => 1000,
  });
  const origin = await listen(express().use('/api', routes));

  const res = await fetch(`${origin}/api/key?hwid=device-1234&zone=zone-1`);
  return [res.status, await res.json(), isAwaited];
}

const asked = { app: 'main', now: 1000 };
const active = { status: 'active', key: 'a.b.c', expiresAt: 2000, ...asked };
const blocked: KeyFinding = { status: 'blocked', until: null, reason: 'KS_BLOCKED' };

test.each<{ title: string; key: Found; without: KeyFinding; answer: [number, unknown, boolean] }>([
  {
    title: 'a key that works comes before the run that is to follow it',
    key: KEY,
    without: IN_PROGRESS,
    answer: [200, active, false],
  },
  {
    title: 'a run comes before a key of another zone',
    key: { reason: 'zone' },
    without: IN_PROGRESS,
    answer: [200, { ...IN_PROGRESS, ...asked }, true],
  },
  {
    title: 'a key of another zone is told of where there is nothing else',
    key: { reason: 'zone' },
    without: { status: 'none' },
    answer: [200, { status: 'none', reason: 'zone', ...asked }, false],
  },
  {
    title: 'nothing is nothing',
    key: undefined,
    without: { status: 'none' },
    answer: [200, { status: 'none', ...asked }, true],
  },
  { title: 'a block is forbidden', key: undefined, without: blocked, answer: [403, { ...blocked, ...asked }, false] },
])('$title', async ({ key, without, answer }) => {
  expect(await ask(key, without)).toEqual(answer);
});

test('with a plan the key of a run stays one that no app has fetched', async () => {
  const key = { ...KEY, fetchedAt: null };

  expect(await ask(key, { status: 'none' }, KEY)).toEqual([200, active, false]);
});
