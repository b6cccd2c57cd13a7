import { pino, type DestinationStream, type Logger } from 'pino';

/** What stands in an address after these words is for its bearer alone. */
const AFTER_THESE_WORDS = /\b(return|postback)([^/"\s?]*(?:\/|%2f)+)[^"\s?]+/gi;
/** A ticket by itself, wherever it got to. A part of a signature is no ticket: there a dot stands beside it. */
const TICKET = /(?<![\w.-])[\w-]{43}(?![\w.-])/g;

/**
 * The log of the process: one line of JSON for each event.
 * Tickets and the postback's secret are struck out of every line, whoever writes it, at any level, errors included.
 * @param destination where the lines go; standard output, unless said otherwise
 */
export function createLog(destination?: DestinationStream): Logger {
  const options = { hooks: { streamWrite: strikeOut } };
  return destination ? pino(options, destination) : pino(options);
}

function strikeOut(line: string): string {
  return line.replace(AFTER_THESE_WORDS, '$1$2***').replace(TICKET, '***');
}
