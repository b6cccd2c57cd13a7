/** An e-mail address for a terminal: `a***@example.com`. It can be recognised, but not written to. */
export function maskEmail(email: string): string {
  return `${email.charAt(0)}***${email.slice(email.lastIndexOf('@'))}`;
}
