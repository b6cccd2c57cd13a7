const responses = new Map<string, Promise<unknown>>();

/** Keeps the response to a call that a page is going to make, until that call takes it or it is dropped as stale. */
export function keepResponse(path: string, response: Promise<unknown>): () => void {
  // A call that takes it hears of its failure; without one, the failure is no unhandled rejection.
  response.catch(() => undefined);
  responses.set(path, response);
  return () => void responses.delete(path);
}

export function takeResponse(path: string): Promise<unknown> | undefined {
  const response = responses.get(path);
  responses.delete(path);
  return response;
}
