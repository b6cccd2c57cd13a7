import { expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION, type TestApi } from '#api/test/create-test-api.ts';
import { listPathsWith } from '#api/test/list-routes.ts';
import { passCaptcha, WHO } from '#api/test/product/visitor-steps.ts';

const CONFIRMED_PATHS = [
  '/api/apps/:app/keysystem',
  '/api/create-payment',
  '/api/keysystemv2',
  '/api/saverobux/keysystem',
];

/** What a browser without Fetch Metadata and without a referrer sends of all this. */
const NO_HEADERS = {};

const CROSS_SITE = { ...OWN_NAVIGATION, 'sec-fetch-site': 'cross-site' };

async function openSite(): Promise<TestApi> {
  const api = await createTestApi();
  await passCaptcha(api);
  return api;
}

const addressOf = (path: string) => `${path.replace(':app', 'sandbox')}?${WHO}&os=android&mode=2`;

/** Opens an address, and expects the question. Returns where its form goes. */
async function expectQuestion(api: TestApi, address: string, headers: Record<string, string>, method = 'GET') {
  const res = await api.visit(address, headers, method);
  const page = await res.text();

  expect([res.status, res.headers.get('location')]).toEqual([200, null]);
  expect(page).toMatch(/<h1>Continue to (your key|payment)\?<\/h1>/);
  expect(page).toMatch(/<button class="action">Continue<\/button>/);
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1] ?? '';
  // It is escaped, for it comes from the address.
  expect(action).toMatch(/^[^&]+(&amp;[^&]+)+$/);
  return { res, action: action.replaceAll('&amp;', '&') };
}

async function countBegun({ db }: TestApi): Promise<number> {
  const runs = await db.selectFrom('run').select('id').execute();
  const orders = await db.selectFrom('purchaseOrder').select('id').execute();
  return runs.length + orders.length;
}

test('every route with a navigation confirmation is covered by these tests', async () => {
  const { app } = await createTestApi();

  expect(listPathsWith(app, 'confirmNavigation')).toEqual(CONFIRMED_PATHS);
});

test.each(CONFIRMED_PATHS)(
  'threat 23: at %s a browser without Fetch Metadata, and a visitor of another site, has to confirm once',
  async (path) => {
    for (const headers of [NO_HEADERS, CROSS_SITE]) {
      const api = await openSite();

      const { res, action } = await expectQuestion(api, addressOf(path), headers);
      expect(action).toBe(addressOf(path));
      // With "no-referrer", browsers would name no origin in the answer.
      expect(res.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      // Browsers hold the redirect that follows to the policy of the question.
      expect(res.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(res.headers.get('content-security-policy')).not.toContain('form-action');
      await expectQuestion(api, addressOf(path), headers, 'POST');
      expect(await countBegun(api)).toBe(0);

      const own = headers === NO_HEADERS ? {} : OWN_NAVIGATION;
      const answered = await api.visit(action, { ...own, origin: api.origin }, 'POST');
      expect([302, 303]).toContain(answered.status);
      expect(await countBegun(api)).toBe(1);
    }
  },
);

test.each(CONFIRMED_PATHS)('threat 23: %s rejects a cross-site POST from a frame', async (path) => {
  const api = await openSite();

  expect((await api.visit(addressOf(path), { ...CROSS_SITE, 'sec-fetch-dest': 'iframe' }, 'POST')).status).toBe(403);
  expect(await countBegun(api)).toBe(0);
});
