/** The codings that files are kept in, the smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** `gzip;q=0.5`: a coding and its weight. */
const MEMBER = /^([\w*-]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/**
 * Ranks the codings that a client accepts, the one it wants most first; among equals the smaller one. Plain content comes
 * last unless it is asked for by name. Source: RFC 9110, section 12.5.3
 * @param header the field `Accept-Encoding`; a client that sends none gets plain content
 */
export function rankCodings(header: string | undefined): Coding[] {
  const weights = new Map<string, number>();
  for (const member of (header ?? '').split(',')) {
    const [, coding = '', weight = '1'] = MEMBER.exec(member.trim()) ?? [];
    // An old name of gzip.
    if (coding) weights.set(coding.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight));
  }

  function weightOf(coding: Coding): number {
    const others = weights.get('*');
    // Plain content is accepted unless it is excluded, but nobody who does not name it wants it.
    const unnamed = coding === 'identity' && others !== 0 ? Number.MIN_VALUE : (others ?? 0);
    return weights.get(coding) ?? unnamed;
  }
  return CODINGS.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
}
