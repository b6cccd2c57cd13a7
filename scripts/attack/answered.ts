import { codeOf, type Answer } from './client.ts';
import { UnexpectedAnswer, type KeyAnswer, type Player } from './player.ts';

/** No answer that counts. */
class Outage extends Error {}

/** An answer that says nothing but that the server is not well does not count as one. */
export async function answered<Given extends Answer>(asking: Promise<Given>): Promise<Given>;
export async function answered<Given>(asking: Promise<Given>, read: (given: Given) => Answer): Promise<Given>;
export async function answered<Given>(asking: Promise<Given>, read?: (given: Given) => Answer): Promise<Given> {
  const given = await asking;
  const { status } = read ? read(given) : (given as Answer);
  if (status >= 500) throw new Outage(`No answer but ${status}`);
  return given;
}

/** What the app is told; not to be told anything does not count as an answer. */
export async function keyOf(player: Player): Promise<KeyAnswer> {
  const told = await player.key();
  if (told === undefined) throw new Outage('No answer about the key');
  return told;
}

/** Whether an error says nothing but that the server was not there, or not well. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Outage ||
    (error instanceof UnexpectedAnswer && error.status >= 500) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '') ||
    (error instanceof Error && ['aborted', 'socket hang up'].includes(error.message))
  );
}
