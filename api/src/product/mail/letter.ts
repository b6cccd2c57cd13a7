import { PRODUCT } from '@app/contracts/brand';

/** A paragraph of a mail. With an address, the words in brackets lead there. */
export type Paragraph = string | { text: string; href: string };

/** What a mail says, from its top to its end. It is written twice, as text and as HTML. */
export interface Letter {
  /** What the list of mails shows beside the subject. */
  preheader: string;
  heading: string;
  lead: string;
  /** Rows: a label and a value. */
  facts: readonly (readonly string[])[];
  /** Where the mail leads. Of a secret link also the address is shown, for programs that break buttons. */
  button?: { label: string; href: string; isSecret?: boolean };
  notes: readonly Paragraph[];
  /** The small print. */
  last?: Paragraph;
  /** Whether a finished key is drawn above. */
  showsKey?: boolean;
}

const LABEL = /\[([^\]]*)\]/;

/** Separates a paragraph with a link into the words before the link, those of the link, and those after it. */
export function splitAtLink({ text, href }: Exclude<Paragraph, string>) {
  const [before = '', label = href, after = ''] = text.split(LABEL);
  return { before, label, after };
}

/** Writes a letter as plain text. A link stands alone on its line. */
export function writeText({ heading, lead, facts, button, notes, last }: Letter): string {
  const parts = [
    heading,
    lead,
    facts.map(([label = '', value = '']) => `${label}: ${value}`).join('\n'),
    button && `${button.label}:\n${button.href}`,
    ...notes.map(writeParagraph),
    last && writeParagraph(last),
    PRODUCT.label,
  ];
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`;
}

function writeParagraph(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;

  const { before, label, after } = splitAtLink(paragraph);
  return `${before}${label}${after}\n${paragraph.href}`;
}
