import './wake-react.ts';
import 'react-dom/client';

/**
 * Starts the shell in two tasks: React runs first, then everything else. A slow phone answers and paints between both.
 * What fails is told as an error of the page, which the document waits for. Where the document has said that the browser
 * is too old, nothing starts.
 */
const nextTask = new MessageChannel();
nextTask.port1.onmessage = () => {
  nextTask.port1.close();
  import(/* webpackMode: "eager" */ './start-app.tsx').catch(reportError);
};
if ('CSSLayerBlockRule' in globalThis) nextTask.port2.postMessage(undefined);
