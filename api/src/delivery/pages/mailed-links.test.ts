import { PAGES } from '@app/contracts/pages';
import { expect, test, vi } from 'vitest';
import { selectReleases } from '#api/delivery/serving/release-selection.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import { askForClaim, askForReset, callWith, DAY, EMAIL, PHONE, TABLET } from '#api/test/product/link-steps.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import { pagesRoutes } from './pages.routes.ts';

/** A site that has sent every mail with a link whose secret stands after the `#`. */
async function openSite() {
  const pages = [PAGES.home, PAGES.plans, PAGES.resetDevices, PAGES.claimPlan];
  const snapshot = buildSnapshot([
    buildRelease('shell'),
    buildRelease('marketing', { routes: pages.map((path) => buildRoute(path)) }),
  ]);
  const api = await createTestApi({
    files: [
      pagesRoutes({
        select: () => selectReleases(snapshot),
        settings: SITE_SETTINGS,
        baseUrl: () => 'https://site.example',
      }),
    ],
  });
  await insertLicence(api.db, { email: EMAIL, startsAt: api.now() - DAY, hwids: [PHONE] });
  await askForClaim(api, TABLET);
  await callWith(api, '/api/confirmresetdevices', await askForReset(api));

  const texts = (await api.mails()).map(({ text }) => text).join('\n');
  const links = [...texts.matchAll(/^https?:\S+#\S+$/gm)].map(([link]) => link.slice(api.origin.length));
  return { api, links };
}

test.each([
  { how: 'with %23 in its path', write: (link: string) => link.replace('#', '%23'), query: '' },
  { how: 'encoded twice', write: (link: string) => link.replace('#', '%2523'), query: '' },
  { how: 'encoded three times', write: (link: string) => link.replace('#t=', '%252523t%25253D'), query: '' },
  { how: 'with its = encoded', write: (link: string) => link.replace('#t=', '%23t%3D'), query: '' },
  { how: 'with its = encoded twice', write: (link: string) => link.replace('#t=', '%2523t%253d'), query: '' },
  { how: 'with a slash before it', write: (link: string) => link.replace('#', '/%23'), query: '' },
  { how: 'with a slash after it', write: (link: string) => `${link.replace('#', '%23')}/`, query: '' },
  { how: 'with what a scanner adds', write: (link: string) => `${link.replace('#', '%23')}?data=1`, query: '?data=1' },
])('threat 29: each mailed link that comes $how leads to its page, and no log has its token', async (form) => {
  const { api, links } = await openSite();
  expect(links.map((link) => link.split('#')[0])).toEqual([PAGES.claimPlan, PAGES.resetDevices]);

  for (const link of links) {
    const answer = await api.visit(form.write(link));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(link.replace('#', `${form.query}#`));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
  await vi.waitFor(() => expect(api.logged.filter((line) => line.includes('"status":302'))).toHaveLength(links.length));
  for (const link of links) expect(api.logged.join()).not.toContain(link.split('#t=')[1]);
});
