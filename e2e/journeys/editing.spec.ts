import { expect, test } from '@playwright/test';
import { fillForReact } from '../firefox/fill-for-react.ts';
import { editSite } from '../fixtures/editing.ts';

const FORM = 'remotes/tools/src/features/encrypter/encrypt-form';

test('an edit shows in the open page with its state kept, and restarts only what changed', async ({
  page,
  browserName,
}) => {
  test.slow();
  if (browserName === 'firefox') fillForReact(page);
  const site = await editSite();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/(script|connect|frame)-src/.test(message.text())) refused.push(message.text());
  });

  /** Waits until exactly these were built or started since the last edit. */
  const onlyDone = (names: string[]) => expect.poll(() => site.done().sort()).toEqual(names);

  try {
    await expect.poll(() => isUp(site.url), { timeout: 30_000 }).toBe(true);
    await page.goto(`${site.url}/encrypter`);
    const script = page.getByLabel('Your script');
    await script.fill('typed before');

    await test.step('a component, a text and a style of a remote', async () => {
      site.edit(`${FORM}.tsx`, "{t('encrypter.go')}", 'Go on');
      await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
      await onlyDone(['Built tools']);

      site.edit('remotes/tools/src/messages/en.json', 'It never leaves your browser.', 'All of it stays here.');
      await expect(page.getByText('All of it stays here.')).toBeVisible();
      await onlyDone(['Built tools']);
      site.edit(`${FORM}.module.css`, 'gap: 16px', 'gap: 33px');
      await expect(page.locator('form')).toHaveCSS('row-gap', '33px');
      await onlyDone(['Built tools']);
      await expect(script).toHaveValue('typed before');
    });

    await test.step('the shell, and what units share', async () => {
      site.edit('shell/src/features/navbar/navbar.tsx', '{PRODUCT.label}', 'Edited brand');
      await expect(page.getByRole('link', { name: 'Edited brand' })).toBeVisible();
      await onlyDone(['Built shell']);

      site.edit('shared/design-system/src/page.tsx', '<h1>{heading}</h1>', '<h1>{heading}, edited</h1>');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Script encrypter, edited');
      await onlyDone(['Built key-system', 'Built marketing', 'Built shell', 'Built tools']);
      await expect(script).toHaveValue('typed before');
    });

    await test.step('a mistake, until it is mended', async () => {
      const mistake = page.frameLocator('#rspack-dev-server-client-overlay').getByText('Syntax Error');
      site.edit(`${FORM}.tsx`, 'return (', 'return ((');
      await expect(mistake).toBeVisible();
      site.edit(`${FORM}.tsx`, 'return ((', 'return (');
      await onlyDone(['Built tools']);
      await expect(mistake).toBeHidden();
      await expect(script).toBeVisible();
      await script.fill('typed again');
    });

    await test.step('a page that throws, until it does not', async () => {
      const thrown = page.locator('#edited-unit-problem');
      site.edit(`${FORM}.tsx`, 'return (', "if (Date.now() > 0) throw new Error('by mistake');\n  return (");
      await expect(thrown).toContainText('by mistake');
      for (const told of [() => thrown.innerText(), site.said]) {
        await expect.poll(told).toMatch(/remotes\/tools\/src\/features\/encrypter\/encrypt-form\.tsx:\d+:\d+\n/);
        await expect.poll(told).toMatch(/> +\d+ \| +if \(Date\.now\(\) > 0\) throw new Error\('by mistake'\);/);
      }
      site.edit(`${FORM}.tsx`, "if (Date.now() > 0) throw new Error('by mistake');\n  return (", 'return (');
      await expect(thrown).toBeHidden();
      await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
      await expect(script).toBeVisible();
      await script.fill('typed again');
    });

    await test.step('the server alone', async () => {
      site.edit('api/src/delivery/pages/site-files.routes.ts', 'Disallow: /qa', 'Disallow: /edited');
      await expect.poll(() => read(`${site.url}/robots.txt`)).toContain('/edited');
      await onlyDone(['Built api', 'Ready on']);
      await expect(script).toHaveValue('typed again');
    });

    await test.step('a unit that the visit meets later', async () => {
      await page.getByRole('link', { name: 'Edited brand' }).click();
      const question = page.locator('#faq details').first();
      await question.locator('summary').click();
      site.edit('remotes/marketing/src/features/questions/questions.tsx', "{t('faq.heading')}", '"Ask away"');
      await expect(page.getByRole('heading', { name: 'Ask away' })).toBeVisible();
      await expect(question).toHaveAttribute('open');
      await onlyDone(['Built marketing']);
    });

    await test.step('a page more, of one line', async () => {
      site.edit(
        'remotes/tools/src/routes.ts',
        "'/portfolio': PORTFOLIO,",
        "'/portfolio': PORTFOLIO, '/who': { ...PORTFOLIO, title: 'Who', canonical: '/who' },",
      );
      await expect.poll(() => read(`${site.url}/who`)).toContain('<title>Arceus Team | Who</title>');
      expect(await read(`${site.url}/sitemap.xml`)).toContain(`${site.url}/who<`);
      await onlyDone(['Built tools']);

      // A new page contains all edits.
      const later = await page.context().newPage();
      await later.goto(`${site.url}/who`);
      await expect(later.getByRole('link', { name: 'Edited brand' })).toBeVisible();
      await expect(later.getByRole('heading', { level: 1, name: 'Portfolio' })).toBeVisible();
      await expect(later).toHaveTitle('Arceus Team | Who');
    });
    expect(refused).toEqual([]);
  } finally {
    expect(await site.end()).toEqual({ isAnythingLeft: false });
  }
});

async function isUp(url: string): Promise<boolean> {
  return (await read(`${url}/healthz`)) === 'ok';
}

/** The text at an address; empty while the server starts. */
async function read(address: string): Promise<string> {
  return fetch(address).then(
    (response) => response.text(),
    () => '',
  );
}
