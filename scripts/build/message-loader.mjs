import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Turns a catalogue of ICU messages into the form that lingui reads at run time, so that no parser travels to the browser.
 * @param {string} source JSON, message id to message
 */
export default function messageLoader(source) {
  const messages = Object.entries(/** @type {Record<string, string>} */ (JSON.parse(source))).map(([id, message]) => [
    id,
    compileMessage(message),
  ]);
  return JSON.stringify(Object.fromEntries(messages));
}
