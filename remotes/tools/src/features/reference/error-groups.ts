import { ERROR_CODES } from '@app/contracts/errors';

/** The groups of the list, by what their codes begin with. What players meet is first. */
const BEGINNINGS = {
  key: /^KS_/,
  plans: /^PAY_/,
  resets: /^(?:RST|CLM|RDM)_/,
  server: /^(?:request|route|server|stats|DOWNLOAD)/,
  releases: /^(?:QA|release)/,
};

type Group = keyof typeof BEGINNINGS;

export const GROUPS = (Object.keys(BEGINNINGS) as Group[]).map((id) => ({
  id,
  codes: ERROR_CODES.filter((code) => BEGINNINGS[id].test(code)),
}));
