import { type Response, Router } from 'express';
import { escapeHtml } from './html.ts';
import { onlyRead } from './only-methods.ts';

interface Interstitial {
  title: string;
  text: string;
  link?: { href: string; label: string };
  /** A button that sends an empty form, to a path of ours. */
  form?: { action: string; label: string };
  /** After how many seconds the browser goes on by itself: to `refreshTo`, or to the same address again. */
  refreshInSeconds?: number;
  /** A path of ours. */
  refreshTo?: string;
}

/** Sends an interstitial: a page of the server itself, before or between the pages of the site. It runs no script. */
export function sendInterstitial(res: Response, page: Interstitial): void {
  const { title, text, refreshInSeconds, refreshTo } = page;
  if (refreshInSeconds !== undefined)
    res.set('refresh', `${refreshInSeconds}${refreshTo === undefined ? '' : `; url=${refreshTo}`}`);

  res.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/interstitial.css">
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${writeAction(page)}
</main>
</body>
</html>
`);
}

function writeAction({ link, form }: Interstitial): string {
  if (form)
    return `<form method="post" action="${escapeHtml(form.action)}"><button class="action">${escapeHtml(form.label)}</button></form>`;
  return link ? `<a class="action" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>` : '';
}

/** Serves the stylesheet of these pages. */
export function interstitialRoutes(): Router {
  const router = Router();

  router.get('/interstitial.css', (_req, res) => {
    res.set('cache-control', 'public, max-age=3600').type('css').send(STYLE);
  });

  router.all('/interstitial.css', onlyRead);

  return router;
}

const STYLE = `:root { color-scheme: dark; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: #0a0c12; color: #e8ebf4; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 1rem; padding: 2rem 1.5rem; border: 1px solid #ffffff1a; border-radius: 20px; background: #12151f; text-align: center; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0; color: #aab2c8; }
.action { display: inline-block; margin-top: 1.5rem; padding: .75rem 1.75rem; border: 0; border-radius: 12px; background: #4f7cff; color: #06080f; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.action:hover { background: #7598ff; }
.action:focus-visible { outline: 3px solid #e8ebf4; outline-offset: 3px; }
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

  res.type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} (sandbox)</title>
<link rel="stylesheet" href="${stylesheet}">
${scriptTag}
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`);
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
