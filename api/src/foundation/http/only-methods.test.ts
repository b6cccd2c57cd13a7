import { problemSchema } from '@app/contracts/problem';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { rejectPageWrites } from '#api/delivery/pages/pages.routes.ts';
import { siteFilesRoutes } from '#api/delivery/pages/site-files.routes.ts';
import { BASE_URL, PAGE_SITE, SNAPSHOT } from '#api/test/delivery/page-site.ts';
import { selectReleases } from '#api/delivery/serving/release-selection.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { createPublishFixture } from '#api/test/delivery/publish-fixture.ts';

function createSite() {
  return createTestApi({
    files: [
      ...PAGE_SITE,
      siteFilesRoutes({
        folder: '/nowhere',
        registry: { snapshot: () => SNAPSHOT },
        baseUrl: BASE_URL,
        readStyle: () => Promise.resolve(undefined),
        now: Date.now,
      }),
      rejectPageWrites(() => selectReleases(SNAPSHOT)),
    ],
  });
}

const READ_METHODS = 'GET, HEAD';
const GET = 'GET';
const GET_OR_POST = 'GET, POST';
const POST = 'POST';

test.each([
  ['/healthz', READ_METHODS],
  ['/readyz', READ_METHODS],
  ['/interstitial.css', READ_METHODS],
  ['/robots.txt', READ_METHODS],
  ['/.well-known/security.txt', READ_METHODS],
  ['/third-party-notices.txt', READ_METHODS],
  ['/sitemap.xml', READ_METHODS],
  ['/manifest.webmanifest', READ_METHODS],
  ['/.well-known/jwks.json', READ_METHODS],
  ['/openapi.json', READ_METHODS],
  ['/releases/tools/0.1.0/a.js', READ_METHODS],
  ['/content/users.txt', READ_METHODS],
  ['/content-api/users.txt', READ_METHODS],
  ['/download/neo/android', READ_METHODS],
  ['/plans', READ_METHODS],
  ['/api/downloads', READ_METHODS],
  ['/api/key?hwid=device-1234', READ_METHODS],
  ['/api/captcha/challenge?hwid=device-1234', READ_METHODS],
  ['/api/keysystem/state?hwid=device-1234', READ_METHODS],
  ['/api/keysystemv2?hwid=device-1234', GET_OR_POST],
  ['/api/saverobux/keysystem?hwid=device-1234', GET_OR_POST],
  [`/api/keysystem/return/${'x'.repeat(43)}`, GET],
  ['/api/keysystem/postback/secret?click_id=a&unique_id=b', GET],
  ['/api/create-payment?hwid=device-1234&mode=1', GET_OR_POST],
  ['/api/unsubscribe?t=a.b', GET_OR_POST],
  ['/api/key/verify', POST],
  ['/api/v2/verify-captcha', POST],
  ['/api/latest-purchase', POST],
  ['/api/resellers', GET_OR_POST],
  ['/api/requestresetdevices', POST],
])('%s answers 405 to methods other than %s', async (path, allow) => {
  const site = await createSite();

  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((each) => !allow.split(', ').includes(each))) {
    const res = await site.ask(path, { method });
    expect([res.status, res.headers.get('allow'), res.headers.get('content-type')]).toEqual([
      405,
      allow,
      'application/problem+json; charset=utf-8',
    ]);
    expect(v.parse(problemSchema, await res.json())).toMatchObject({
      code: 'route.method',
      status: 405,
      retryable: false,
    });
  }
  const options = await site.ask(path, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
});

test.each(['/api/unknown', '/nothing', '/dev/unknown'])('%s answers 404 to POST', async (path) => {
  const site = await createSite();

  expect((await site.ask(path, { method: 'POST' })).status).toBe(404);
});

test('POST to a page without a form answers 405', async () => {
  const { ask } = await createPublishFixture();

  const res = await ask('/portfolio', { method: 'POST' });
  expect([res.status, res.headers.get('allow')]).toEqual([405, READ_METHODS]);
});
