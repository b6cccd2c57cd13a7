import type { CDPSession } from '@playwright/test';
import { completeLink, finishStep } from '../fixtures/key-steps.ts';
import { settled } from '../fixtures/settled.ts';
import { expect, test } from '../fixtures/site.ts';

const MAX_BYTES = 25_000;

/** The bytes that come over the line for each address, with their headers. Pages of advertisers are not ours. */
async function countBytes(session: CDPSession): Promise<() => Map<string, number>> {
  let seen = new Map<string, number>();
  const addresses = new Map<string, string>();
  const add = (id: string, bytes: number) => {
    const address = addresses.get(id) ?? '';
    if (!address.startsWith('/dev/')) seen.set(address, (seen.get(address) ?? 0) + bytes);
  };
  session.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    if (redirectResponse) add(requestId, redirectResponse.encodedDataLength);
    addresses.set(requestId, new URL(request.url).pathname.replace(/return\/.*/, 'return/…'));
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
  session.on('Network.webSocketCreated', ({ requestId }) => void addresses.set(requestId, 'WebSocket'));
  session.on('Network.webSocketFrameReceived', ({ requestId, response }) =>
    add(requestId, response.payloadData.length),
  );
  await session.send('Network.enable');
  return () => {
    const before = seen;
    seen = new Map();
    return new Map([...before].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a));
  };
}

test('steps 2 to 6 of a run cost at most 25 KB each in one browser', async ({ page, context, device }) => {
  const take = await countBytes(await context.newCDPSession(page));
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const costs: { step: number; bytes: number; parts: [string, number][] }[] = [];

  for (const step of [1, 2, 3, 4, 5, 6]) {
    await expect(page.getByText(`Step ${step} of 6`)).toBeVisible();
    await expect(completeLink(page)).toHaveAttribute('href', /./);
    await settled(page);
    const parts = [...take()];
    costs.push({ step, bytes: parts.reduce((sum, [, bytes]) => sum + bytes, 0), parts });
    await finishStep(page);
  }
  await expect(page.getByRole('dialog', { name: 'Key System completed!' })).toBeVisible();

  const [first, ...later] = costs;
  // What the first page fetched was counted, so the cache has it.
  expect(first?.bytes).toBeGreaterThan(100_000);
  for (const cost of later) expect(cost.bytes, JSON.stringify(cost)).toBeLessThan(MAX_BYTES);
});
