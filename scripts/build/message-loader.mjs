import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Compiles a catalogue of ICU messages to the form that lingui reads at run time. Thus the bundle needs no parser.
 * @param {string} source JSON, message id to message
 */
export default function messageLoader(source) {
  const messages = Object.entries(/** @type {Record<string, string>} */ (JSON.parse(source))).map(([id, message]) => [
    id,
    compileMessage(message),
  ]);
  return JSON.stringify(Object.fromEntries(messages));
}
