import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileTransport } from './mail-transport.ts';
import {
  buildClaimLink,
  buildDeviceAdded,
  buildReceipt,
  buildRedeemed,
  buildReminder,
  buildResetDone,
  buildResetLink,
  type Mail,
} from './mails.ts';

const AT = Date.UTC(2026, 10, 22, 7, 30);
const WHEN = 'Sunday, 22 November 2026 at 07:30\u00a0(UTC)';
const LINK = `https://site.example/reset-devices#t=${'a'.repeat(43)}`;
const UNSUBSCRIBE = `https://site.example/api/unsubscribe?t=${'l'.repeat(34)}.${'s'.repeat(43)}`;
const EVIL = `<img src=x onerror="alert('1')">&[here](https://evil.example)\r\nBcc: all@example.com`;

const reader = { to: 'ada@example.com', country: null };
const basics = { reader, baseUrl: 'https://site.example' };

/** Every mail, with this text wherever people have typed something, for readers of English and of Vietnamese. */
function buildAll(typed = 'typed', countries: readonly (string | null)[] = [null, 'VN']): Mail[] {
  return countries.flatMap((country) => {
    const all = { ...basics, reader: { ...reader, country } };
    return [
      buildReceipt({ ...all, planId: 'plus', amountCents: 299, until: AT, orderRef: typed }),
      buildRedeemed({ ...all, planId: 'premium', until: AT, reseller: typed }),
      buildResetLink({ ...all, link: LINK, expiresAt: AT, nextAt: AT }),
      buildResetDone({ ...all, nextAt: AT }),
      buildClaimLink({ ...all, link: LINK, device: typed, expiresAt: AT }),
      buildDeviceAdded({ ...all, device: typed, until: AT }),
      buildReminder({ ...all, planId: 'basic', until: AT, unsubscribe: UNSUBSCRIBE }),
    ];
  });
}

test('a receipt shows the payment, the end of the plan, how to get a refund, and the order last', () => {
  const { subject, text } = buildReceipt({ ...basics, planId: 'plus', amountCents: 299, until: AT, orderRef: 'ORDER' });

  expect(subject).toBe('Your Plus plan is on');
  for (const part of [
    `Runs until: ${WHEN}`,
    'Paid: 2,99\u00a0€',
    'Need a refund?',
    'https://site.example/success-plus?ref=ORDER',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/\n\nOrder ORDER\n\nArceus X\n$/);
});

test('a reminder names the plan, its last day and how to unsubscribe', () => {
  const { subject, text, html, unsubscribe } = buildReminder({
    ...basics,
    planId: 'plus',
    until: AT,
    unsubscribe: UNSUBSCRIBE,
  });

  expect(subject).toBe('Your Plus plan ends on Sunday');
  expect(text).toContain(`Ends: ${WHEN}`);
  expect(text.split('\n')).toContain(UNSUBSCRIBE);
  expect(html).toContain(`<a class="link" href="${UNSUBSCRIBE}"`);
  expect(unsubscribe).toBe(UNSUBSCRIBE);
});

test('a one-time link is alone on its line in text mails, and is behind one button and readable below it in HTML mails', () => {
  const { text, html, expiresAt } = buildResetLink({ reader, link: LINK, expiresAt: AT, nextAt: AT });

  expect(text.split('\n')).toContain(LINK);
  expect(html.match(/href="[^"]*#t=/g)).toHaveLength(2);
  expect(html).toContain(`>${LINK}</a>`);
  expect(text).toContain(`Link expires: ${WHEN}. It works once.`);
  expect(text).toContain(`Next reset: from ${WHEN}`);
  expect(expiresAt).toBe(AT);
  expect(buildResetLink({ reader, link: LINK, expiresAt: AT, nextAt: null }).text).not.toContain('Next reset');
});

test('a mail mentions the wait for the next reset only after an earlier reset', () => {
  const early = 'You reset not long ago';
  expect(buildResetLink({ reader, link: LINK, expiresAt: AT, nextAt: AT }).text).toContain(early);
  expect(buildResetLink({ reader, link: LINK, expiresAt: AT, nextAt: null }).text).not.toContain(early);
});

test('a date of several words stays on one line', () => {
  const vietnamese = { ...basics, reader: { ...reader, country: 'VN' } };
  const { subject } = buildReminder({ ...vietnamese, planId: 'plus', until: AT, unsubscribe: UNSUBSCRIBE });

  expect(subject).toContain('Chủ\u00a0Nhật');
});

const ENGLISH = buildAll('typed', [null]);
const VIETNAMESE = buildAll('typed', ['VN']);

test.each(VIETNAMESE.map((mail, index) => [mail.kind, mail, ENGLISH[index]] as const))(
  'all text of "%s" is Vietnamese with local times for a reader in Vietnam, and English when the country is unknown',
  (_kind, { subject, text, html }, english) => {
    expect(html).toContain('<html lang="vi">');
    expect(text).toContain('14:30\u00a0Chủ Nhật, 22 tháng 11, 2026 (giờ\u00a0Việt\u00a0Nam, UTC+7)');
    expect(text).not.toContain('(UTC)');
    expect([text, subject]).toEqual([text.normalize('NFC'), subject.normalize('NFC')]);

    expect(english?.html).toContain('<html lang="en">');
    expect(english?.text).toContain(WHEN);
    const alike = text.split('\n').filter((line) => english?.text.split('\n').includes(line));
    expect(alike.filter((line) => line !== '' && line !== 'Arceus X' && !line.startsWith('https://'))).toEqual([]);
    expect(subject).not.toBe(english?.subject);
  },
);

test.each(buildAll().map((mail) => [mail.kind, mail.subject, mail] as const))(
  'the text and HTML versions of "%s" (%s) have the same content in the same order',
  (_kind, _subject, { text, html }) => {
    const body = html.slice(html.indexOf('<h1'));
    const said = unescape(
      body
        .replaceAll(/<a class="link" href="([^"]*)"[^>]*>([^<]*)<\/a>([^<]*)/g, '$2$3 $1')
        .replaceAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '$2 $1')
        .replaceAll(/<[^>]*>/g, ' '),
    ).split(/\s+/);

    // A word that the HTML has not, or has earlier, would find no place. Colons join labels to values in the text alone.
    let place = 0;
    for (const word of text
      .replace(/Arceus X\n$/, '')
      .split(/\s+/)
      .filter(Boolean)) {
      const next = said.findIndex((other, index) => index >= place && [word, word.replace(/:$/, '')].includes(other));
      expect(`${word} ${String(next >= 0)}`).toBe(`${word} true`);
      place = next;
    }
  },
);

test('user input is escaped in HTML mails, never becomes a link and never is in a subject', () => {
  for (const { kind, subject, html } of buildAll(EVIL)) {
    expect(html).not.toContain('<img');
    expect(html).not.toMatch(/href="https:\/\/evil/);
    expect(subject).not.toMatch(/img|Bcc|[\r\n]/);
    if (['receipt', 'redeemed', 'claim-link', 'device-added'].includes(kind))
      expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;[here]');
  }
});

test('no mail loads external resources', () => {
  for (const { html } of buildAll()) expect(html).not.toMatch(/src=|url\(|<link|<img|@import|@font-face/);
});

test('every mail has light and dark colours, a preview text and at most one button', () => {
  for (const { html } of buildAll()) {
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toMatch(/<div style="display:none[^"]*">\p{Lu}/u);
    expect(html.match(/<a href=/g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
});

test('a sent mail has short lines and one recipient, and the unsubscribe header only on a reminder', async () => {
  for (const mail of buildAll(EVIL)) {
    const sent = await send(mail);
    const head = sent.slice(0, sent.indexOf('\r\n\r\n'));

    expect(Math.max(...sent.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
    expect(head).toMatch(/^To: ada@example\.com$/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    const unfolded = head.replaceAll(/\r\n\s+/g, ' ');
    expect(unfolded.includes(`List-Unsubscribe: <${UNSUBSCRIBE}>`)).toBe(mail.kind === 'reminder');
    expect(unfolded.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click')).toBe(mail.kind === 'reminder');
    expect(head.includes('List-Unsubscribe')).toBe(mail.kind === 'reminder');
  }
});

async function send(mail: Mail): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createFileTransport(folder, 'Site <site@example.com>')('mail-1', mail);
  const [file = ''] = readdirSync(folder);
  return readFileSync(join(folder, file), 'utf8');
}

function unescape(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
