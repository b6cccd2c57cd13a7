import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Compiles a catalogue of ICU messages to the form that lingui reads at run time. Thus the bundle needs no parser.
 * @param source JSON, message id to message
 */
export default function messageLoader(source: string): string {
  const messages = Object.entries(JSON.parse(source) as Record<string, string>).map(([id, message]) => [
    id,
    compileMessage(message),
  ]);
  return JSON.stringify(Object.fromEntries(messages));
}
