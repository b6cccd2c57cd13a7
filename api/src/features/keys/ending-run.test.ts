import express from 'express';
import { expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '#api/features/key-system/limits.ts';
import { createRateLimiter } from '#api/http/rate-limit.ts';
import { listen } from '#api/test/listen.ts';
import { keysRoutes } from './keys.routes.ts';
import type { KeysService } from './keys.service.ts';

test('a run that ends while its app asks is answered with its key, never with nothing', async () => {
  const findActive = vi
    .fn<KeysService['findActive']>()
    .mockResolvedValueOnce(undefined)
    .mockResolvedValue({ jws: 'a.b.c', expiresAt: 2000 });
  const routes = keysRoutes({
    keys: { findActive } as unknown as KeysService,
    findProgress: () => Promise.resolve({ status: 'none' }),
    readIdentity: () => ({ browser: undefined, networks: ['today', 'yesterday'] }) as never,
    limits: DEFAULT_LIMITS,
    limiter: createRateLimiter({ now: () => 1000, trustedHops: 0 }),
    now: () => 1000,
  });
  const origin = await listen(express().use('/api', routes));

  const res = await fetch(`${origin}/api/key?hwid=device-1234&zone=zone-1`);
  expect(await res.json()).toEqual({ status: 'active', key: 'a.b.c', expiresAt: 2000, app: 'main', now: 1000 });
});
