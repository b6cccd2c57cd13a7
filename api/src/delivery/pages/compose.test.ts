import { runInNewContext } from 'node:vm';
import type { Fault } from '@app/contracts/unit';
import { expect, test } from 'vitest';
import { type ReleaseSelection, selectReleases, findRoute } from '#api/delivery/serving/release-selection.ts';
import { buildRelease, buildRoute, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';
import {
  composePage,
  type PageRequest,
  deviceAttributes,
  readDeviceInQuery,
  sharingTags,
  LAY_OUT_PART,
  layOutInParts,
} from './compose.ts';

const STYLE = {
  url: '/releases/shell/0.1.0/static/css/shell.aaaaaaaa.css',
  text: 'a{color:red}',
  source: "'sha256-x'",
};

const SELECTION = selectReleases(
  buildSnapshot([
    buildRelease('shell'),
    buildRelease('marketing', { routes: [buildRoute('/plans', { preload: ['plans.js'], css: ['plans.css'] })] }),
  ]),
);

function composeOf(selection: ReleaseSelection, path: string, page: Partial<PageRequest> = {}): string {
  const found = findRoute(selection, path);
  if (!found) throw new Error('No unit has the page.');
  const site = { settings: SITE_SETTINGS, baseUrl: 'https://site.example' };
  return composePage({ selection, ...found, pathAndQuery: path, ...site, ...page });
}

/** The document of `/plans`. */
function compose(rendered?: string, styles = [STYLE], faults: Record<string, Fault> = {}): string {
  return composeOf({ ...SELECTION, qa: { faults, publicState: { pins: {} } } }, '/plans', { rendered, styles });
}

/** The elements of a document that name a file of a unit. */
function elementsOf(html: string): string[] {
  return [...html.matchAll(/<(?:link|script|style)[^>]*="\/releases\/[^>]*>/g)].map(([element]) => element);
}

test('threat 51: a page in another language preloads the texts that the shell runs, its own and those of the unit, and has its fonts instead of those of the original', () => {
  const files = Object.fromEntries(
    ['shell.js', 'vi.js', 'vi.css', 'a.woff2', 'vi.woff2'].map((name) => [name, { sha384: name, bytes: 1 }]),
  );
  const translations = { vi: { script: 'vi.js', css: 'vi.css', fonts: ['vi.woff2'] } };
  const selection = selectReleases(
    buildSnapshot([
      buildRelease('shell', {
        entry: { file: 'shell.js', integrity: 'sha384-shell.js', fetchesTexts: true },
        css: [],
        files,
        translations,
      }),
      buildRelease('tools', { routes: [buildRoute('/a')], translations: { vi: { script: 'tools-vi.js' } } }),
    ]),
  );
  const composeIn = (language?: string) => composeOf(selection, '/a', { language });
  const filesOf = (html: string) =>
    elementsOf(html).map((element) => /="\/releases\/[^"]*\/([^/"]+)"/.exec(element)?.[1]);

  expect(composeIn('vi')).toContain('<html lang="vi" ');
  expect(composeIn('vi')).toContain('<p class="no-script">Trang này cần JavaScript.');
  expect(filesOf(composeIn('vi'))).toEqual(['vi.css', 'vi.woff2', 'vi.js', 'tools-vi.js', 'shell.js']);
  for (const [unit, file] of [
    ['shell', 'vi.js'],
    ['tools', 'tools-vi.js'],
  ] as const) {
    expect(composeIn('vi')).toContain(`<link rel="preload" as="script" href="/releases/${unit}/0.1.0/${file}"`);
    expect(composeIn('vi')).toContain(`"translations":{"url":"/releases/${unit}/0.1.0/${file}"`);
  }
  expect(composeIn('vi')).not.toMatch(/<script[^>]*vi\.js/);
  expect(composeIn()).toContain('<html lang="en" ');
  expect(filesOf(composeIn())).toEqual(['a.woff2', 'shell.js']);
  expect(composeIn()).not.toContain('translations');
});

test('a shell of an earlier build loads its translations before it starts', () => {
  const selection = selectReleases(
    buildSnapshot([
      buildRelease('shell', {
        files: { 'vi.js': { sha384: 'vi.js', bytes: 1 } },
        translations: { vi: { script: 'vi.js' } },
      }),
      buildRelease('tools', { routes: [buildRoute('/a')] }),
    ]),
  );

  expect(composeOf(selection, '/a', { language: 'vi' })).toContain(
    '<script defer src="/releases/shell/0.1.0/vi.js" integrity="sha384-vi.js" crossorigin="anonymous"></script>\n<script defer ',
  );
});

test('scripts of a rendered page have low priority, those of an empty page do not', () => {
  const scriptsOf = (html: string) => elementsOf(html).filter((element) => /script/.test(element));

  expect(scriptsOf(compose('<p>Plans</p>'))).toHaveLength(2);
  for (const script of scriptsOf(compose('<p>Plans</p>'))) expect(script).toContain(' fetchpriority="low"');
  for (const script of scriptsOf(compose())) expect(script).not.toContain('fetchpriority');
});

test('stylesheets are inlined in the document, and not fetched again', () => {
  const html = compose('<p>Plans</p>');

  expect(html).toContain('<style data-href="/releases/shell/0.1.0/static/css/shell.aaaaaaaa.css">a{color:red}</style>');
  expect(elementsOf(html).filter((element) => /stylesheet|as="style"/.test(element))).toEqual([]);
});

test('linked stylesheets block the paint of a rendered page, but not of an empty one', () => {
  const ofPage = (html: string) => elementsOf(html).find((element) => element.includes('plans.css'));

  expect(ofPage(compose('<p>Plans</p>', []))).toMatch(/^<link rel="stylesheet" /);
  expect(ofPage(compose(undefined, []))).toMatch(/^<link rel="preload" as="style" /);
});

test('a page is laid out in parts, unless stylesheets are pending', () => {
  const parts = /<header><\/header><script>[^<]+<\/script><main>/;

  expect(compose('<header></header><main>Plans</main>')).toMatch(parts);
  expect(compose('<header></header><main>Plans</main>', [])).toContain('<header></header><main>');
});

test('without JavaScript a rendered page reports that parts do not work, an empty page that it does not', () => {
  const [rendered, empty] = [compose('<p>Plans</p>'), compose()];

  expect(rendered).toContain('Some parts of this page don’t work yet.');
  expect(rendered).toContain('Without JavaScript, plans and most forms');
  expect(rendered).not.toMatch(/This page didn’t start|This page needs JavaScript/);
  expect(empty).toContain('This page didn’t start.');
  expect(empty).toContain('This page needs JavaScript. <a href="/">Go to the home page</a>');
});

test.each(['<p>Plans</p>', undefined])(
  'without JavaScript a page reports at its top what does not work, for %s',
  (page) => {
    const html = compose(page);

    expect(html.indexOf('<p class="no-script">')).toBeGreaterThan(0);
    expect(html.indexOf('<p class="no-script">')).toBeLessThan(html.indexOf('id="root"'));
  },
);

test('a unit whose failure QA simulates preloads no script', () => {
  expect(compose()).toContain('plans.js');
  expect(compose(undefined, [], { marketing: 'offline' })).not.toMatch(/plans\.(js|css)/);
});

test.each([[[STYLE]], [[]]])('the boot guard precedes everything that it watches', (styles) => {
  const html = compose('<p>Plans</p>', styles);
  expect(html.indexOf('<script data-version=')).toBeGreaterThan(0);
  expect(html.indexOf('<script data-version=')).toBeLessThan(html.indexOf('/releases/'));
});

test('the source of a page names the third-party notices at its end', () => {
  for (const html of [compose(), compose('<p>Plans</p>')])
    expect(html.slice(html.indexOf('</html>'))).toBe('</html>\n<!-- /third-party-notices.txt -->\n');
});

test.each([
  { publicState: { pins: {}, until: 1 }, leaves: true },
  { publicState: { pins: {}, notice: 'refused' }, leaves: false },
])('a page that fails to start offers to reset the QA choices, if there are any: $publicState', (visit) => {
  const selection = { ...SELECTION, qa: { faults: {}, publicState: visit.publicState } };
  expect(composeOf(selection, '/plans').includes('Leave them')).toBe(visit.leaves);
});

test.each([
  ['/plans', ''],
  ['/plans?os=ios&zone=z1', ''],
  ['/plans?hwid=device-1', ' data-device="device"'],
  ['/plans?hwid=device-1&zone=', ' data-device="device"'],
  ['/plans?hwid=device-1&zone=%3Cz%3E', ' data-refused'],
  ['/plans?hwid=short&zone=z1', ' data-refused'],
  ['/plans?hwid=device-1&hwid=device-1&zone=z1', ' data-refused'],
  ['/plans?zone=z1&hwid=device-1', ' data-device="zoned"'],
  ['/key-system-1?hwid=device-1&zone=z1&e=KS_FAST', ' data-device="zoned" data-refused'],
  ['/key-system-bypass?r=KS_REUSE', ' data-refused'],
  ['/v5?e=%22%3E', ''],
])('the head of a document for %s has the values of its path', (address, attributes) => {
  expect(deviceAttributes(readDeviceInQuery(address))).toBe(attributes);
});

const BASE = 'https://site.example';

test('a landing page has a description, a share picture and a canonical address', () => {
  const tags = sharingTags(
    buildRoute('/v5', { description: 'The first "executor".', picture: 'v5', canonical: '/' }),
    BASE,
  );

  expect(tags).toContain('<meta name="description" content="The first &quot;executor&quot;.');
  expect(tags).toContain('<link rel="canonical" href="https://site.example/">');
  expect(tags).toContain('<meta property="og:image" content="https://site.example/share/v5.jpg">');
  expect(tags).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect(tags).not.toContain('noindex');
});

test('a page has a share title of its own, different from its document title', () => {
  expect(sharingTags(buildRoute('/plans', { shareTitle: 'Plans' }), BASE)).toContain(
    '<meta property="og:title" content="Plans">',
  );
});

test('in Vietnamese a link is shared with its title, description, picture and address in Vietnamese', () => {
  const route = buildRoute('/check-key', {
    shareTitle: 'Check a key',
    description: 'Written after the translation.',
    picture: 'key-system',
    canonical: '/check-key',
  });
  const tags = sharingTags(route, BASE, 'vi');

  expect(tags).toContain('<meta property="og:title" content="Kiểm tra key">');
  expect(tags).toContain('<meta property="og:description" content="Written after the translation.">');
  expect(tags).toContain('<meta property="og:image" content="https://site.example/share/vi/key-system.jpg">');
  expect(tags).toContain('<meta property="og:image:alt" content="Sáu bước');
  expect(tags).toContain('<meta property="og:url" content="https://site.example/check-key?lang=vi">');
  expect(tags).toContain('<link rel="canonical" href="https://site.example/check-key">');
});

test('a page of an earlier release uses its document title as share title', () => {
  const earlier = buildRoute('/plans');
  delete earlier.shareTitle;

  expect(sharingTags(earlier, BASE)).toContain('<meta property="og:title" content="Arceus Team | Upgrade plan">');
});

test('a share picture has its size and alternative text', () => {
  const tags = sharingTags(buildRoute('/neo', { picture: 'neo' }), BASE);

  expect(tags).toContain('<meta property="og:image:width" content="1200">');
  expect(tags).toContain('<meta property="og:image:height" content="630">');
  expect(tags).toMatch(/<meta property="og:image:alt" content="[^"]*NEO on a phone[^"]*">/);
});

test('a picture named like an Object.prototype member has no alternative text', () => {
  expect(sharingTags(buildRoute('/neo', { picture: 'constructor' }), BASE)).not.toContain('og:image:alt');
});

test('an app page has structured data for search engines', () => {
  const route = buildRoute('/neo', { app: { name: 'Arceus X NEO', operatingSystem: 'Android, iOS' } });
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(sharingTags(route, BASE))?.[1] ?? '';

  expect(JSON.parse(json)).toMatchObject({
    '@type': 'SoftwareApplication',
    name: 'Arceus X NEO',
    operatingSystem: 'Android, iOS',
  });
});

test('a page for one visitor is not indexed', () => {
  const tags = sharingTags(buildRoute('/key-system-1', { canonical: null }), BASE);

  expect(tags).toContain('<meta name="robots" content="noindex">');
  expect(tags).not.toContain('canonical');
});

const SCRIPT = `<script>${LAY_OUT_PART}</script>`;

test.each([
  ['the shell has not arrived', [], ['gone', 'laid out']],
  ['the shell has arrived and can start', [{}], ['gone']],
])(
  'the layout script removes itself, and forces the layout unless that would delay the shell: %s',
  (_, arrived, expected) => {
    const done: string[] = [];
    const body = Object.defineProperty({}, 'offsetHeight', { get: () => done.push('laid out') });
    const document = {
      currentScript: { remove: () => done.push('gone') },
      querySelector: () => ({ src: '/releases/shell/shell.js' }),
      body,
    };
    runInNewContext(LAY_OUT_PART, {
      document,
      performance: { getEntriesByName: (name: string) => (name === '/releases/shell/shell.js' ? arrived : []) },
    });
    expect(done).toEqual(expected);
  },
);

test('a page is laid out in parts: navbar, header, each section, footer', () => {
  expect(
    layOutInParts(
      '<header>V5</header><main id="content"><header>$1</header><p>2</p><section id="a"><header>A</header></section>' +
        '<section>B</section></main><footer class="small">End</footer>',
    ),
  ).toBe(
    `<header>V5</header>${SCRIPT}<main id="content"><header>$1</header>${SCRIPT}<p>2</p>${SCRIPT}<section id="a">` +
      `<header>A</header></section>${SCRIPT}<section>B</section></main>${SCRIPT}<footer class="small">End</footer>`,
  );
});

test('a page without a header is laid out in parts too', () => {
  expect(layOutInParts('<header>V5</header><main><p>Key</p></main><footer>End</footer>')).toBe(
    `<header>V5</header>${SCRIPT}<main><p>Key</p></main>${SCRIPT}<footer>End</footer>`,
  );
});

test.each(['<main', '<main>', '<section>', '</header>'])(
  'threat 42: a page of nothing but %s is laid out in a hundred parts at most, in linear time',
  (tag) => {
    const rendered = layOutInParts(tag.repeat(200_000));
    expect(rendered.split(SCRIPT).length).toBeLessThanOrEqual(100);
    expect(rendered.replaceAll(SCRIPT, '')).toBe(tag.repeat(200_000));
  },
);

test('elements whose names only share a prefix are not parts', () => {
  expect(layOutInParts('<section-list></section-list>')).toBe('<section-list></section-list>');
});
