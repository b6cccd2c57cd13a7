/**
 * Import it right before React, whose scheduler makes the first channel. WebKit keeps a page when its visitor leaves, and
 * loses a message that was on its way then (seen in WebKitGTK 2.50). The scheduler waits for that message, so a page that
 * came back would never render again. It gets another one; one too many does nothing.
 */
const { MessageChannel } = globalThis;
globalThis.MessageChannel = class extends MessageChannel {
  constructor() {
    super();
    globalThis.MessageChannel = MessageChannel;
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.port2.postMessage(undefined);
    });
  }
};

export {};
