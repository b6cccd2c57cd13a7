import { basename, dirname } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Compiles a catalogue of ICU messages to the form that lingui reads at run time. Thus the bundle needs no parser. The
 * message '' names the catalogue, by which a translation of it is found; a translation has none.
 * @param source JSON, message id to message
 */
export default function messageLoader(this: { resourcePath: string }, source: string): string {
  const isOriginal = basename(dirname(this.resourcePath)) === 'messages';
  const name = isOriginal ? { '': nameOfCatalogue(this.resourcePath) } : {};
  return JSON.stringify({ ...name, ...compileMessages(source) });
}

/** @param source JSON, message id to message */
export function compileMessages(source: string): Record<string, unknown> {
  const messages = Object.entries(JSON.parse(source) as Record<string, string>);
  return Object.fromEntries(messages.map(([id, message]) => [id, compileMessage(message)]));
}

/** `remotes/marketing/src/features/plans/messages/en.json` is `marketing/plans`. */
export function nameOfCatalogue(path: string): string {
  const parts = path.split(/[/\\]/);
  const src = parts.lastIndexOf('src');
  return [parts[src - 1], ...parts.slice(src + 1, -2).filter((part) => part !== 'features')].join('/');
}
