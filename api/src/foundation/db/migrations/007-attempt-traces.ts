/** The browser that asked for an attempt, so that a stranger cannot use up the tries of a device's owner. */
export const attemptTraces = `
  ALTER TABLE step_attempt ADD COLUMN visitor_hmac TEXT;
`;
