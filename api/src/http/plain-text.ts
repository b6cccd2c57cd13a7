import type { ErrorRequestHandler, Response } from 'express';

/** For the calls whose answer is one plain sentence, status and all. */
export function sendPlainly(res: Response, status: number, text: string): void {
  res.status(status).type('text/plain').send(text);
}

/** Answers a body that cannot be read in plain text as well. */
export function sayWhenUnreadable(text: string): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    const isUnreadable = thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500;
    if (!isUnreadable) return next(thrown);

    sendPlainly(res, 400, text);
  };
}
