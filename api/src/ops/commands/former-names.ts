/** Former names of commands, each with its new name. An operator who types a former one is told the new one. */
const FORMER_NAMES = {
  'key status': 'device status',
  'key block': 'device block',
  'key unblock': 'device unblock',
  'key export': 'device export',
  'key erase': 'device erase',
  'key keys': 'signing-key list',
  'key rotate': 'signing-key rotate',
  'key advertisers on': 'advertiser on',
  'key advertisers off': 'advertiser off',
  'key advertisers': 'advertiser list',
} as const;

/** Finds the former name with which a command line begins, and the new one; undefined for any other line. */
export function findFormerName(argv: readonly string[]): [former: string, name: string] | undefined {
  const typed = `${argv.join(' ')} `;
  return Object.entries(FORMER_NAMES).find(([former]) => typed.startsWith(`${former} `));
}
