import { PRODUCT } from '@app/contracts/brand';
import { LANGUAGE_NAME } from '@app/contracts/languages';
import { PAGES } from '@app/contracts/pages';
import { RUN_KEY, runKeyTeeth } from '@app/contracts/run-key-shape';
import { type Request, type Response, Router } from 'express';
import { escapeHtml } from './html.ts';
import vi from '../../../../translations/vi/api/interstitials.json' with { type: 'json' };
import { formatTexts } from './format-texts.ts';
import { allowStyles, hashSource } from './headers.ts';
import en from './interstitials.en.json' with { type: 'json' };
import { languageOf } from './language.ts';
import { onlyRead } from './only-methods.ts';

type InterstitialWords = typeof en;

const MESSAGES: Readonly<Record<string, InterstitialWords>> = { vi };

function interstitialLanguage(req: Request): string {
  const asked = req.query[LANGUAGE_NAME];
  return languageOf(req, Object.keys(MESSAGES), typeof asked === 'string' ? asked : undefined);
}

export function interstitialMessages({ req }: Response): InterstitialWords {
  return MESSAGES[interstitialLanguage(req)] ?? en;
}

export function formatWords<Texts>(
  res: Response,
  texts: Texts,
  values: Readonly<Record<string, string | number>>,
): Texts {
  return formatTexts(texts, values, interstitialMessages(res).locale);
}

/** A form of an interstitial: a button that sends its fields to a path of ours. */
export interface InterstitialForm {
  action: string;
  /** The words of the button. */
  label: string;
  /** Without a label a field is not shown. */
  fields?: readonly { name: string; value: string; label?: string }[];
}

interface Interstitial {
  title: string;
  text: string;
  /** For those who help, in small letters. */
  details?: string;
  link?: { href: string; label: string };
  /** More links, each on a line of its own. */
  links?: readonly { href: string; label: string }[];
  form?: InterstitialForm;
  /** What is drawn above: by default the key of the site without teeth, as nothing is known of a run. */
  picture?: keyof typeof PICTURES | undefined;
  /**
   * After how many seconds the browser goes on by itself: to `refreshTo`, or to the same address again. A bar fills
   * meanwhile.
   */
  refreshInSeconds?: number;
  /** A path of ours. */
  refreshTo?: string;
}

/** Instead of a longer address the same one is asked for again: nginx takes a long head for the fault of a server. */
const MAX_LENGTH = 4096;

/** Sends an interstitial: a page of the server itself, before or between the pages of the site. It runs no script. */
export function sendInterstitial(res: Response, page: Interstitial): void {
  const { title, text, details, refreshInSeconds, refreshTo } = page;
  if (refreshInSeconds !== undefined) {
    const to = refreshTo !== undefined && refreshTo.length <= MAX_LENGTH ? `; url=${refreshTo}` : '';
    res.set('refresh', `${refreshInSeconds}${to}`);
  }

  const main = `${PICTURES[page.picture ?? 'bareKey']}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${refreshInSeconds ? BAR : ''}
${writeAction(page)}
${(page.links ?? []).map(writeLink).join('\n')}
${details === undefined ? '' : `<p class="details">${escapeHtml(details)}</p>`}`;
  const lang = interstitialLanguage(res.req);
  const head = `<link rel="stylesheet" href="/fonts.css">\n<link rel="stylesheet" href="/interstitial.css">\n${refreshInSeconds ? writeBarStyle(res, refreshInSeconds) : ''}`;
  sendDocument(res, { lang, title, head, header: BRAND, main });
}

/** What a page of the site has at this place of its bar. */
const BRAND = `<header><a href="${PAGES.home}"><svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><path fill="#ff6b7d" d="M12 1.5 22.2 22h-5.6L12 12.1 7.4 22H1.8Z"/><path fill="#5b9dff" d="m12 15.4 2.3 4.9H9.7Z"/></svg>${PRODUCT.label}</a></header>`;

const KEY_SHAPES = `<path d="${RUN_KEY.body}"/><path class="teeth" d="${runKeyTeeth(6)
  .map(({ tooth }) => tooth)
  .join('')}"/>`;

/** The two halves overlap along one edge from above, turned against each other. */
const BROKEN_KEY_SHAPES =
  ['M0-9H199V9l-6 4 7 4-9 5V49H0z', 'M328-9H199V9l-6 4 7 4-9 5V49H328z']
    .map((half, index) => `<clipPath id="half-${index}"><path d="${half}"/></clipPath>`)
    .join('') +
  `<g clip-path="url(#half-0)" transform="rotate(5 196 15)">${KEY_SHAPES}</g>` +
  `<g clip-path="url(#half-1)" transform="translate(8 12) rotate(-16 200 15)">${KEY_SHAPES}</g>`;

const PICTURES = {
  bareKey: drawKey(`<path d="${RUN_KEY.body}"/>`),
  cutKey: drawKey(KEY_SHAPES),
  brokenKey: drawKey(BROKEN_KEY_SHAPES),
  download:
    '<svg class="key small" viewBox="0 0 64 60" width="52" height="49" aria-hidden="true"><path d="M4 40h8v10h40V40h8v14a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4z"/><path class="teeth" d="M28 2h8v22h12L32 42 16 24h12z"/></svg>',
};

function drawKey(shapes: string): string {
  return `<svg class="key" viewBox="-8 -26 344 84" width="240" height="59" aria-hidden="true">${shapes}</svg>`;
}

const BAR =
  '<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" width="240" height="6" aria-hidden="true"><rect width="100" height="1"/></svg>';

function writeBarStyle(res: Response, seconds: number): string {
  const style = `.bar rect{animation-duration:${seconds}s}`;
  allowStyles(res, [hashSource(style)]);
  return `<style>${style}</style>`;
}

/** Sends a document; `head`, `header` and `main` are HTML. */
function sendDocument(
  res: Response,
  page: { lang: string; title: string; head: string; header?: string; main: string },
): void {
  res.type('html').send(`<!doctype html>
<html lang="${page.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(page.title)}</title>
${page.head}
</head>
<body>
${page.header ?? ''}
<main>
${page.main}
</main>
</body>
</html>
`);
}

function writeAction(page: Interstitial): string {
  const { link, form } = page;
  if (form)
    return `<form method="post" action="${escapeHtml(form.action)}">${(form.fields ?? []).map(writeField).join('')}<button class="action">${escapeHtml(form.label)}</button></form>`;
  return link ? writeLink(link) : '';
}

function writeLink({ href, label }: { href: string; label: string }): string {
  return `<a class="action" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
}

function writeField({ name, value, label }: NonNullable<InterstitialForm['fields']>[number]): string {
  const attributes = `name="${escapeHtml(name)}" value="${escapeHtml(value)}"`;
  if (label === undefined) return `<input type="hidden" ${attributes}>`;
  return `<label>${escapeHtml(label)}<input ${attributes} required autocomplete="off" autocapitalize="none" spellcheck="false"></label>`;
}

export function interstitialRoutes(): Router {
  const router = Router();

  router.get('/interstitial.css', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').type('css').send(INTERSTITIAL_STYLE);
  });

  router.all('/interstitial.css', onlyRead);

  return router;
}

/** In the site’s colours and sizes. The tokens are not at hand: these pages are there also while the shell is not. */
const INTERSTITIAL_STYLE = `:root { color-scheme: dark; }
body { display: grid; grid-template: auto 1fr / minmax(0, 1fr); margin: 0; min-height: 100vh; min-height: 100dvh; background: #0a0c12 linear-gradient(#ffffff0a, transparent 60%) no-repeat; color: #f2f4fa; font: 1rem/1.5 var(--font-text, system-ui, sans-serif); overflow-wrap: anywhere; }
header { min-height: 64px; padding: 8px max(clamp(16px, 4vw, 32px), 50% - 560px + 32px); border-bottom: 1px solid #ffffff1c; box-sizing: border-box; }
header a { display: inline-flex; align-items: center; gap: .4em; min-height: 48px; color: inherit; font: 700 1.15rem/1.1 var(--font-display, var(--font-text, system-ui, sans-serif)); letter-spacing: -.02em; word-spacing: .06em; text-decoration: none; }
main { place-self: center; width: min(26rem, 100% - 32px); margin: 8px 0 clamp(16px, 14vh, 128px); padding: 32px clamp(20px, 6vw, 40px) 36px; border: 1px solid #ffffff1c; border-radius: 20px; box-sizing: border-box; background: linear-gradient(#1b1e27, #12151e 200px); box-shadow: 0 12px 40px #00000073; text-align: center; }
.key { display: block; width: min(240px, 100%); height: auto; margin: 0 auto 20px; fill: #555a69; fill-rule: evenodd; }
.key.small { width: 52px; }
.teeth { fill: #ff6b7d; }
h1 { margin: 0 0 8px; font: 700 1.5rem/1.2 var(--font-display, var(--font-text, system-ui, sans-serif)); letter-spacing: -.025em; word-spacing: .06em; text-wrap: balance; }
p { margin: 0; color: #a9b1c6; text-wrap: balance; }
.action { display: block; margin-top: 24px; padding: 12px 28px; border: 0; border-radius: 12px; box-sizing: border-box; background: #ff6b7d; color: #1f0609; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button.action { width: 100%; }
.action + .action { margin-top: 12px; border: 1px solid #ffffff33; background: #1a1e2a; color: inherit; }
.action:hover { filter: brightness(1.08); }
.action:active { filter: brightness(.94); }
:is(a, button):focus-visible { outline: 3px solid #f2f4fa; outline-offset: 3px; }
label { display: block; margin-top: 16px; color: #a9b1c6; font-size: .875rem; text-align: left; }
label input { display: block; width: 100%; min-height: 48px; margin-top: 4px; padding: 8px 14px; border: 1px solid #ffffff4d; border-radius: 12px; box-sizing: border-box; background: #191d27; color: #f2f4fa; font: inherit; font-size: 1rem; }
label input:focus-visible { outline: 3px solid #f2f4fa; outline-offset: 2px; }
.details { margin-top: 24px; padding-top: 16px; border-top: 1px solid #ffffff1c; font-size: .8125rem; }
.bar { display: block; width: 100%; height: 6px; margin-top: 24px; border-radius: 6px; background: #242938; fill: #ff6b7d; }
.bar rect { animation: wait linear both; }
@keyframes wait { from { transform: scaleX(0); } }
@media (prefers-reduced-motion: reduce) {
.bar { display: none; }
}
`;

interface SandboxPage {
  title: string;
  /** The address of `SANDBOX_STYLE` in this sandbox. */
  stylesheet: string;
  script?: string;
  /** The HTML between the tags of `main`. */
  main: string;
}

/** Sends a page of a sandbox, which plays the page of another company in development. */
export function sendSandboxPage(res: Response, { title, stylesheet, script, main }: SandboxPage): void {
  const scriptTag = script === undefined ? '' : `<script src="${script}" defer></script>`;
  const head = `<link rel="stylesheet" href="${stylesheet}">\n${scriptTag}`;
  sendDocument(res, { lang: 'en', title: `${title} (sandbox)`, head, main });
}

/** The looks of these pages. The dashed frame shows that they are none of the site's own. */
export const SANDBOX_STYLE = `:root { color-scheme: dark; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: #10131a; color: #e8ebf4; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: min(26rem, 100% - 32px); margin: 16px 0; padding: 32px 24px; border: 2px dashed #c9a227; border-radius: 20px; box-sizing: border-box; }
.label { margin: 0; color: #f0c948; font-weight: 700; letter-spacing: .06em; text-transform: uppercase; font-size: .8125rem; }
h1 { margin: .25rem 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
p { margin: 0; color: #aab2c8; }
a { color: #f0c948; }
ul { margin: 0; padding-left: 1.25rem; color: #aab2c8; }
[role=timer] { margin-top: 1.5rem; font-variant-numeric: tabular-nums; min-height: 1.5em; }
[role=alert] { margin-top: 1rem; color: #ffb4a9; }
form, .below { margin-top: 1rem; }
label { display: block; margin-top: .75rem; color: #aab2c8; font-size: .875rem; }
input, select { display: block; width: 100%; min-height: 44px; margin-top: .25rem; padding: 8px 12px; border: 1px solid #ffffff4d; border-radius: 12px; box-sizing: border-box; background: #191d27; color: #e8ebf4; font: inherit; font-size: 1rem; }
button { min-height: 44px; padding: 8px 16px; border: 1px solid #ffffff33; border-radius: 12px; background: none; color: inherit; font: inherit; cursor: pointer; }
button:disabled { opacity: .45; cursor: default; }
:is(a, button, input, select):focus-visible { outline: 3px solid #e8ebf4; outline-offset: 2px; }
.continue { width: 100%; margin: .75rem 0 1.5rem; background: #f0c948; color: #14110a; font-weight: 700; border: 1px solid transparent; }
fieldset { display: flex; flex-wrap: wrap; gap: .5rem; min-width: 0; margin: 0; padding: 12px; border: 1px solid #ffffff1f; border-radius: 12px; }
legend { padding: 0 .375rem; color: #aab2c8; font-size: .875rem; }
`;
