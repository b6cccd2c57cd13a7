import Negotiator from 'negotiator';

/** The codings that files are kept in, the smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** Its types do not know this option yet. */
interface Rankable {
  encodings<T>(available: readonly T[], options: { preferred: readonly T[] }): T[];
}

/**
 * Ranks the codings that a client accepts, the one it wants most first; among equals the smaller one. Plain content comes
 * last unless it is asked for by name. Source: RFC 9110, section 12.5.3
 * @param header the field `Accept-Encoding`; a client that sends none gets plain content
 */
export function rankCodings(header: string | undefined): Coding[] {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as Rankable;
  return accepted.encodings(CODINGS, { preferred: CODINGS });
}
