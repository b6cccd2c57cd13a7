/**
 * The HMAC of an owner's mailbox, in one spelling of its address. Servers of the previous release know `email_hmac` alone, the HMAC of
 * the address in lower case.
 */
export const mailboxes = `
  ALTER TABLE licence ADD COLUMN mailbox_hmac TEXT;
  CREATE INDEX licence_mailbox ON licence(mailbox_hmac);
  CREATE INDEX licence_without_mailbox ON licence(id) WHERE mailbox_hmac IS NULL AND email_hmac IS NOT NULL;
`;
