const answers = new Map<string, Promise<unknown>>();

/**
 * Keeps the answer of a call that a page is going to make, so that it is there by then. The first call that asks for it
 * takes it.
 * @param path begins with `/api`
 * @returns a function that drops the answer where no call has taken it, because it becomes old
 */
export function keepAnswer(path: string, answer: Promise<unknown>): () => void {
  // Where nobody takes it, nobody hears of its failure.
  answer.catch(() => undefined);
  answers.set(path, answer);
  return () => void answers.delete(path);
}

/** Takes the answer that is kept for a call, if there is one. */
export function takeAnswer(path: string): Promise<unknown> | undefined {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}
