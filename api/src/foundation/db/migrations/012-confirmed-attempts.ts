/**
 * An index for the attempts that the sweeper credits: an advertiser has confirmed them, and no visitor has come back
 * since.
 */
export const confirmedAttempts = `
  CREATE INDEX attempt_confirmed ON step_attempt(not_before)
    WHERE state IN ('issued', 'awaiting_postback') AND COALESCE(postback_at, proof_at) IS NOT NULL;
`;
