import type { KeyFinding } from '@app/contracts/key-system-schemas';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '#api/features/key-system/limits.ts';
import { createRateLimiter } from '#api/http/rate-limit.ts';
import { listen } from '#api/test/listen.ts';
import { keysRoutes } from './keys.routes.ts';
import type { KeysService } from './keys.service.ts';

const KEY = { jws: 'a.b.c', expiresAt: 2000 };
const IN_PROGRESS: KeyFinding = { status: 'in_progress', step: 2, of: 6 };

type Found = Awaited<ReturnType<KeysService['findActive']>>;

/** Asks for a key; the reads of the key give these results one after the other, and the run is as given. */
async function ask(looks: Found[], progress: KeyFinding): Promise<[number, unknown]> {
  const findActive = vi.fn<KeysService['findActive']>();
  for (const found of looks) findActive.mockResolvedValueOnce(found);
  const routes = keysRoutes({
    keys: { findActive } as unknown as KeysService,
    findPlanKey: () => Promise.resolve(undefined),
    findProgress: () => Promise.resolve(progress),
    readIdentity: () => ({ browser: undefined, networks: ['today', 'yesterday'] }) as never,
    limits: DEFAULT_LIMITS,
    limiter: createRateLimiter({ now: () => 1000, trustedHops: 0 }),
    now: () => 1000,
  });
  const origin = await listen(express().use('/api', routes));

  const res = await fetch(`${origin}/api/key?hwid=device-1234&zone=zone-1`);
  return [res.status, await res.json()];
}

const asked = { app: 'main', now: 1000 };
const active = { status: 'active', key: 'a.b.c', expiresAt: 2000, ...asked };
const blocked: KeyFinding = { status: 'blocked', until: null, reason: 'KS_BLOCKED' };

test.each<{ title: string; looks: Found[]; progress: KeyFinding; answer: [number, unknown] }>([
  {
    title: 'a run that ends while its app asks is answered with its key, never with nothing',
    looks: [undefined, KEY],
    progress: { status: 'none' },
    answer: [200, active],
  },
  {
    title: 'a key that works comes before the run that is to follow it',
    looks: [KEY],
    progress: IN_PROGRESS,
    answer: [200, active],
  },
  {
    title: 'a run comes before a key of another zone',
    looks: [{ reason: 'zone' }, { reason: 'zone' }],
    progress: IN_PROGRESS,
    answer: [200, { ...IN_PROGRESS, ...asked }],
  },
  {
    title: 'a key of another zone is told of where there is nothing else',
    looks: [{ reason: 'zone' }, { reason: 'zone' }],
    progress: { status: 'none' },
    answer: [200, { status: 'none', reason: 'zone', ...asked }],
  },
  { title: 'nothing is nothing', looks: [], progress: { status: 'none' }, answer: [200, { status: 'none', ...asked }] },
  { title: 'a block is forbidden', looks: [], progress: blocked, answer: [403, { ...blocked, ...asked }] },
])('$title', async ({ looks, progress, answer }) => {
  expect(await ask(looks, progress)).toEqual(answer);
});
