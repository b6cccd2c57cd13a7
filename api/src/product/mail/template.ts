import { PRODUCT } from '@app/contracts/brand';
import { runKeyTeeth } from '@app/contracts/run-key-shape';
import { escapeHtml } from '#api/foundation/http/html.ts';

/** A paragraph of a mail. With an address, the words in brackets lead there. */
export type Paragraph = string | { text: string; href: string };

/** What a mail says, from its top to its end. It is written twice, as text and as HTML. */
export interface MailContent {
  /** What the list of mails shows beside the subject. */
  preheader: string;
  heading: string;
  lead: string;
  /** Rows: a label and a value. */
  facts: readonly (readonly string[])[];
  /** Where the mail leads. Of a secret link also the address is shown, for programs that break buttons. */
  button?: { label: string; href: string; isSecret?: boolean };
  notes: readonly Paragraph[];
  last?: Paragraph;
  /** Whether a finished key is drawn above. */
  showsKey?: boolean;
}

const LABEL = /\[([^\]]*)\]/;

/** Separates a paragraph with a link into the words before the link, those of the link, and those after it. */
function splitAtLink({ text, href }: Exclude<Paragraph, string>) {
  const [before = '', label = href, after = ''] = text.split(LABEL);
  return { before, label, after };
}

/** Writes a mail as plain text. A link stands alone on its line. */
export function writeText({ heading, lead, facts, button, notes, last }: MailContent): string {
  const parts = [
    heading,
    lead,
    facts.map(([label = '', value = '']) => `${label}: ${value}`).join('\n'),
    button && `${button.label}:\n${button.href}`,
    ...notes.map(writeTextParagraph),
    last && writeTextParagraph(last),
    PRODUCT.label,
  ];
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`;
}

function writeTextParagraph(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;

  const { before, label, after } = splitAtLink(paragraph);
  return `${before}${label}${after}\n${paragraph.href}`;
}

/*
 * HTML as mail programs understand it: tables, styles at the elements, widths also as attributes. It loads nothing from
 * anywhere, so it looks the same where pictures are blocked, and opening a mail tells nobody anything.
 */

const FONT = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/** The colours of the site, for a light window; `DARK` replaces them in a dark one. The head and the button stay. */
const LIGHT = { page: '#eef0f5', card: '#ffffff', line: '#dfe3ec', text: '#12151e', quiet: '#4b546b', link: '#0b57d0' };
const NIGHT = '#0a0c12';
const ACCENT = '#ff6b7d';
const ACCENT_INK = '#1f0609';
const BLUE = '#5b9dff';
const GREEN = '#52dd8f';
const STEEL = '#444a5a';
const ENGRAVED = '#5b6377';

const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a:hover{text-decoration-thickness:2px}
@media (max-width:519px){.pad{padding-left:24px!important;padding-right:24px!important}.edge{padding:0!important}.card{border-radius:0!important;border-left:0!important;border-right:0!important}.head{border-radius:0!important}.label,.value{display:block!important;width:auto!important}.label{padding:12px 0 0!important}.value{padding:0 0 12px!important;border:0!important}}
@media (prefers-color-scheme:dark){.page{background-color:#0a0c12!important}.card{background-color:#12151e!important;border-color:#2a2f3d!important}.row{border-color:#2a2f3d!important}.text{color:#f2f4fa!important}.quiet{color:#a9b1c6!important}.link{color:#8fbaff!important}}`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/*
 * What is drawn, is drawn with gradients that lie over each other: cells beside each other show seams where a window is
 * zoomed. Programs without gradients show nothing there. Numbers are pixels.
 */

type Layer = [image: string, left: number, top: number, width: number, height: number];

/** Some backgrounds as declarations, the uppermost first. */
function draw(layers: readonly Layer[]): string {
  const list = (write: (layer: Layer) => string) => layers.map(write).join(',');
  return [
    'background-repeat:no-repeat;',
    `background-image:${list(([image]) => image)};`,
    `background-position:${list(([, left, top]) => `${String(left)}px ${String(top)}px`)};`,
    `background-size:${list(([, , , width, height]) => `${String(width)}px ${String(height)}px`)};`,
  ].join('');
}

const fill = (colour: string) => `linear-gradient(${colour},${colour})`;

/** The part of a box beyond its diagonal, up to a line beside it (100 %: the corner). */
const slope = (corner: string, colour: string, end: number) =>
  `linear-gradient(to ${corner},transparent 49.5%,${colour} 50.5%,${colour} ${String(end)}%,transparent ${String(end + 1)}%)`;

const ICON = draw([
  // The two halves of each meet under a strip.
  [fill(BLUE), 19, 28, 2, 3],
  [fill(ACCENT), 19, 9, 2, 10],
  [slope('bottom right', BLUE, 100), 17, 25, 3, 6],
  [slope('bottom left', BLUE, 100), 20, 25, 3, 6],
  [slope('bottom right', ACCENT, 76), 7, 6, 13, 27],
  [slope('bottom left', ACCENT, 76), 20, 6, 13, 27],
]);

const MARK = `<table ${TABLE}><tr>
<td aria-hidden="true" width="40" height="40" bgcolor="#171b27" style="width:40px;height:40px;border-radius:11px;background-color:#171b27;${ICON}font-size:0;line-height:0">&nbsp;</td>
<td style="padding-left:12px;font:700 17px/1.2 ${FONT};letter-spacing:-0.01em;color:#f2f4fa">${escapeHtml(PRODUCT.label)}</td>
</tr></table>`;

/** The teeth begin nearer to the collar than on the site: a phone has room for 312 px. */
const TO_COLLAR = 12;

/** The site's picture of a run, finished, in rectangles and circles. */
const FINISHED_KEY = draw([
  [`radial-gradient(circle at 18px 20px,${NIGHT} 8px,transparent 9px)`, 0, 0, 40, 40],
  [`radial-gradient(circle at 20px 20px,${STEEL} 18px,transparent 19px)`, 0, 0, 40, 40],
  [fill(STEEL), 37, 14, 8, 12],
  [fill(STEEL), 44, 6, 7, 28],
  [fill(ENGRAVED), 60, 13, 240, 1],
  ...runKeyTeeth(6).flatMap(({ cuts }) =>
    cuts.map(({ left, top, width, depth }): Layer => [fill(GREEN), left - TO_COLLAR, top, width, depth]),
  ),
  [fill(STEEL), 50, 9, 250, 13],
  [slope('bottom left', STEEL, 100), 299, 9, 10, 7],
  [slope('top left', STEEL, 100), 299, 15, 10, 7],
]);

const KEY = `<div aria-hidden="true" style="height:40px;margin-top:28px;${FINISHED_KEY}font-size:0;line-height:0">&nbsp;</div>`;

interface Frame {
  lang: string;
  /** What stands above an address that is shown. */
  rawLink: string;
  subject: string;
}

export function writeHtml(content: MailContent, { subject, lang, rawLink }: Frame): string {
  const { preheader, heading, lead, facts, button, notes, last, showsKey = false } = content;
  const body = [
    `<h1 class="text" style="margin:0;font:700 26px/1.2 ${FONT};letter-spacing:-0.02em;color:${LIGHT.text}">${escapeHtml(heading)}</h1>`,
    `<p class="quiet" style="margin:12px 0 0;font:16px/1.5 ${FONT};color:${LIGHT.quiet}">${escapeHtml(keepEnd(lead))}</p>`,
    writeFacts(facts),
    button && writeButton(button),
    button?.isSecret && writeRawLink(button.href, rawLink),
    ...notes.map((note, index) => writeParagraph(note, `margin:${index === 0 ? '24px' : '14px'} 0 0;font:15px/1.5`)),
    last && writeLast(last),
  ];

  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
<style>
${STYLE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${LIGHT.page}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}${AFTER_PREHEADER}</div>
<table ${TABLE} width="100%" class="page" bgcolor="${LIGHT.page}" style="background-color:${LIGHT.page}"><tr><td class="edge" align="center" style="padding:32px 16px">
<!--[if mso]><table ${TABLE} width="480"><tr><td><![endif]-->
<table ${TABLE} width="100%" class="card" bgcolor="${LIGHT.card}" style="width:100%;max-width:480px;border-collapse:separate;border:1px solid ${LIGHT.line};border-radius:20px;background-color:${LIGHT.card};text-align:left">
<tr><td class="pad head" bgcolor="${NIGHT}" style="padding:28px 32px;border-radius:19px 19px 0 0;background-color:${NIGHT}">
${MARK}${showsKey ? KEY : ''}
</td></tr>
<tr><td class="pad" style="padding:32px 32px 36px">
${body.filter((part) => typeof part === 'string' && part !== '').join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

/** Keeps the first lines of the mail out of the list of mails. */
const AFTER_PREHEADER = '&#847;&zwnj;&nbsp;'.repeat(60);

function writeFacts(facts: MailContent['facts']): string {
  const rows = facts.map(
    ([label = '', value = '']) =>
      `<tr><td class="quiet row label" valign="top" width="96" style="width:96px;padding:12px 16px 12px 0;border-top:1px solid ${LIGHT.line};font:14px/1.5 ${FONT};color:${LIGHT.quiet}">${escapeHtml(label)}</td><td class="text row value" valign="top" style="padding:12px 0;border-top:1px solid ${LIGHT.line};font:600 15px/1.4 ${FONT};color:${LIGHT.text};word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${TABLE} width="100%" style="margin-top:24px">\n${rows.join('\n')}\n</table>`;
}

/** The padding is the link's own, so that the whole button leads on; the cell has its colour where programs drop it. */
function writeButton({ label, href }: { label: string; href: string }): string {
  return `<table ${TABLE} width="100%" style="margin-top:24px"><tr><td align="center" bgcolor="${ACCENT}" style="border-radius:12px;background-color:${ACCENT}"><a href="${escapeHtml(href)}" style="display:block;padding:15px 24px;border-radius:12px;font:700 16px/1.25 ${FONT};color:${ACCENT_INK};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;
}

function writeRawLink(href: string, rawLink: string): string {
  const address = escapeHtml(href);
  return `<p class="quiet" style="margin:20px 0 0;font:13px/1.5 ${FONT};color:${LIGHT.quiet}">${escapeHtml(rawLink)}<br><a class="link" href="${address}" style="color:${LIGHT.link};word-break:break-all">${address}</a></p>`;
}

function writeLast(last: Paragraph): string {
  const font = 'margin:0;font:13px/1.5';
  return `<table ${TABLE} width="100%" style="margin-top:28px"><tr><td class="row" style="padding-top:20px;border-top:1px solid ${LIGHT.line}">${writeParagraph(last, font)}</td></tr></table>`;
}

/** @param style of the paragraph, up to the size of its font */
function writeParagraph(paragraph: Paragraph, style: string): string {
  const begin = `<p class="quiet" style="${style} ${FONT};color:${LIGHT.quiet};word-break:break-word">`;
  if (typeof paragraph === 'string') return `${begin}${escapeHtml(keepEnd(paragraph))}</p>`;

  const { before, label, after } = splitAtLink({ ...paragraph, text: keepEnd(paragraph.text) });
  return `${begin}${escapeHtml(before)}<a class="link" href="${escapeHtml(paragraph.href)}" style="color:${LIGHT.link}">${escapeHtml(label)}</a>${escapeHtml(after)}</p>`;
}

/** Keeps the last three words of a paragraph on one line, unless they are long. */
function keepEnd(text: string): string {
  return text.replace(/ (\S{1,10}) (\S{1,10})$/, '\u00a0$1\u00a0$2');
}
