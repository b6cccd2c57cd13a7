import { codeOf, type Answer } from '../world/client.ts';
import { UnexpectedAnswer, type KeyAnswer, type Player } from './player.ts';

/** The server did not answer, or answered only that it is unhealthy. */
class Outage extends Error {}

/**
 * Waits for an answer.
 * @param read gives the answer in what a player returned
 * @throws Outage when the status is 500 or higher
 */
export async function answered<Given extends Answer>(asking: Promise<Given>): Promise<Given>;
export async function answered<Given>(asking: Promise<Given>, read: (given: Given) => Answer): Promise<Given>;
export async function answered<Given>(asking: Promise<Given>, read?: (given: Given) => Answer): Promise<Given> {
  const given = await asking;
  const { status } = read ? read(given) : (given as Answer);
  if (status >= 500) throw new Outage(`No answer but ${status}`);
  return given;
}

/**
 * Asks for the key of a device, as its app does.
 * @throws Outage without an answer
 */
export async function keyOf(player: Player): Promise<KeyAnswer> {
  const told = await player.key();
  if (told === undefined) throw new Outage('No answer about the key');
  return told;
}

/** Whether an error only says that the server could not be reached, or was unhealthy. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Outage ||
    (error instanceof UnexpectedAnswer && error.status >= 500) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '') ||
    (error instanceof Error && ['aborted', 'socket hang up'].includes(error.message))
  );
}
