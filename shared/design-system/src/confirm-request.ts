/** The event that asks for a dialog. Every unit has its own copy of this code; the page has one `ConfirmHost`. */
const CONFIRM_EVENT = 'app:confirm';

export interface ConfirmOptions {
  title: string;
  text: string;
  /** The word on the button that agrees. */
  ok: string;
  /** The word on the button that declines. Without it the dialog has one button. */
  cancel?: string;
}

/** A dialog to open, and what to call with the visitor's answer. */
export interface ConfirmRequest extends ConfirmOptions {
  answer: (agreed: boolean) => void;
}

/**
 * Asks the host of the page to open a dialog, and waits for the visitor.
 * @returns whether the visitor agreed
 * @throws Error when the page has no host, as a rejection
 */
export function requestConfirm(options: ConfirmOptions, page: EventTarget): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const detail: ConfirmRequest = { ...options, answer: resolve };
    const event = new CustomEvent(CONFIRM_EVENT, { detail, cancelable: true });

    // A host accepts a request by cancelling its event.
    if (page.dispatchEvent(event)) reject(new Error('No <ConfirmHost> in this page'));
  });
}

/**
 * Accepts all requests of a page. When two hosts listen, the first one gets the request.
 * @returns a function that stops it
 */
export function acceptConfirms(page: EventTarget, accept: (request: ConfirmRequest) => void): () => void {
  function onRequest(event: Event) {
    if (!(event instanceof CustomEvent) || event.defaultPrevented) return;

    event.preventDefault();
    accept(event.detail as ConfirmRequest);
  }
  page.addEventListener(CONFIRM_EVENT, onRequest);
  return () => page.removeEventListener(CONFIRM_EVENT, onRequest);
}
