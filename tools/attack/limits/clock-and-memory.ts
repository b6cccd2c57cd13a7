import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `npm run soak` loads this file into a server before the server's own code (`node --import`). It moves the server's
 * clock and measures its memory when the parent process asks for it. It is not part of any build.
 */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const trueNow = Date.now.bind(Date);
let aheadMs = 0;
Date.now = () => trueNow() + aheadMs;

process.on('message', (message: { aheadMs?: number; weigh?: boolean }) => {
  if (message.aheadMs !== undefined) aheadMs = message.aheadMs;
  if (message.weigh) {
    collectGarbage();
    process.send?.({ bytes: process.memoryUsage().rss });
  }
});
