export type MailKind =
  'receipt' | 'redeemed' | 'reset-link' | 'reset-done' | 'claim-link' | 'device-added' | 'reminder';

/** A mail in English, complete but for its sender. */
export interface Mail {
  kind: MailKind;
  /** The e-mail address. */
  to: string;
  /** Never has text that a visitor has typed: it is a header. */
  subject: string;
  text: string;
  /** The same as `text`, for programs that show HTML. */
  html: string;
  /** When the mail is of no use any more, in epoch milliseconds: the end of its link. */
  expiresAt?: number | undefined;
}
