/** Carries a question from any unit of the page to the one host; each unit has its own copy of this code. */
export const ASK_EVENT = 'app:ask';

export interface Question {
  title: string;
  text: string;
  /** The word on the button that agrees. */
  ok: string;
  /** The word on the button that declines; without it there is nothing to decline. */
  cancel?: string;
}

/** A question with the way to answer it. */
export interface Ask extends Question {
  answer: (agreed: boolean) => void;
}

/**
 * Puts a question to the host of the page and waits for the person.
 * @throws when the page has no host, as a promise that rejects
 */
export function ask(question: Question, page: EventTarget): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const detail: Ask = { ...question, answer: resolve };
    const event = new CustomEvent(ASK_EVENT, { detail, cancelable: true });

    // A host takes a question by cancelling its event.
    if (page.dispatchEvent(event)) reject(new Error('No <AskHost> in this page'));
  });
}

/** Takes every question put to a page, until it is called off. */
export function hostAsks(page: EventTarget, asked: (ask: Ask) => void): () => void {
  function onAsk(event: Event) {
    if (!(event instanceof CustomEvent) || event.defaultPrevented) return;

    event.preventDefault();
    asked(event.detail as Ask);
  }
  page.addEventListener(ASK_EVENT, onAsk);
  return () => page.removeEventListener(ASK_EVENT, onAsk);
}
