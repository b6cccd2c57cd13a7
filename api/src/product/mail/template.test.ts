import { expect, test } from 'vitest';
import { type MailContent, writeHtml } from './template.ts';

const EVIL = `<img src="x">&'`;
const ESCAPED = '&lt;img src=&quot;x&quot;&gt;&amp;&#39;';

test('every text of a mail template is escaped at every position', () => {
  const content: MailContent = {
    preheader: EVIL,
    heading: EVIL,
    lead: EVIL,
    facts: [[EVIL, EVIL]],
    button: { label: EVIL, href: EVIL, isSecret: true },
    notes: [EVIL, { text: `${EVIL}[${EVIL}]${EVIL}`, href: EVIL }],
    last: EVIL,
  };
  const html = writeHtml(content, { subject: EVIL, lang: 'en', rawLink: EVIL });

  expect(html).not.toContain('<img');
  // The address of the secret link is also shown, and led to.
  expect(html.split(ESCAPED)).toHaveLength(1 + 17);
});

test('the last three words of a paragraph stay on one line, also around a link', () => {
  const notes = ['One of two or three', { text: 'Write to [us] any day now', href: 'https://site.example' }];
  const content: MailContent = { preheader: '', heading: '', lead: '', facts: [], notes };
  const html = writeHtml(content, { subject: '', lang: 'en', rawLink: '' });

  expect(html).toContain('>One of two\u00a0or\u00a0three</p>');
  expect(html).toContain('</a> any\u00a0day\u00a0now</p>');
});
