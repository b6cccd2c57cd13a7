import { domainToASCII } from 'node:url';

/** What has a meaning in a URL, and would be cut off or decoded as part of one. */
const NOT_IN_DOMAINS = /[/\\?#%]/;

/**
 * One spelling for all that people, browsers and mail programs write for a mailbox: `Jo@BÜCHER.example` is
 * `jo@xn--bcher-kva.example`.
 */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${fold(email.slice(0, at))}@${canonicalDomain(email.slice(at + 1)).replace(/\.$/, '')}`;
}

function canonicalDomain(domain: string): string {
  return (!NOT_IN_DOMAINS.test(domain) && domainToASCII(domain)) || fold(domain);
}

/**
 * In lower case, because no common mail server distinguishes upper and lower case, with composed accents. The signs that
 * would become an ASCII character stay as they are: they would stand for another owner's mailbox.
 */
function fold(text: string): string {
  return text.replace(/[^\u212A\u037E\u1FEF]+/g, (part) => part.normalize('NFC').toLowerCase());
}
