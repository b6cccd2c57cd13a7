/**
 * The browser and the network that solved a captcha. Otherwise a stranger who knows a device id could use up its owner's
 * passes.
 */
export const passOwner = `
  ALTER TABLE captcha_pass ADD COLUMN visitor_hmac TEXT;
  ALTER TABLE captcha_pass ADD COLUMN ip_hmac TEXT;
`;
