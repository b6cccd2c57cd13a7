import { Router, type Response } from 'express';
import { escapeHtml } from './escape.ts';
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
